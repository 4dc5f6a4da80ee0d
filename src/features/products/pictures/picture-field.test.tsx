import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeDistribution, makeDistributor, makeImage, makeProduct } from '../../../../test/data/factories.ts';
import { setupTestApp } from '../../../../test/test-app.ts';
import { dismissToasts } from '../../../client/toasts/toast.ts';
import { Toaster } from '../../../client/toasts/toaster.tsx';
import { CallContext, makeQueryClient } from '../../../client/api/use-calls.ts';
import { priceOf } from '../../../domain/order.ts';
import { PICTURE_CHANGED } from '../texts.ts';
import { ProductDialog } from '../edit/product-dialog.tsx';

const testApp = setupTestApp();
const closed = vi.fn<() => void>();
// A PNG image of one pixel.
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

beforeEach(async () => {
  dismissToasts();
  closed.mockClear();
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  URL.createObjectURL = () => 'blob:chosen';
  URL.revokeObjectURL = () => {};
  await testApp.db.deleteFrom('product_images').execute();
  await testApp.db.deleteFrom('products').execute();
});

/** Opens the dialog for a product with this code and a picture, or for a new product if the code is null. */
async function open(product_code: number | null): Promise<void> {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const product = product_code === null ? null : await makeProduct(testApp.db, distribution, { name: 'Brisket', product_code });
  if (product_code !== null) await makeImage(testApp.db, distributor, { product_code, hash: 'first' });
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <CallContext value={await testApp.as(distributor)}>
        <ProductDialog
          distributionId={distribution.id}
          product={product && { ...product, price: priceOf(product), left: null }}
          products={[]}
          onClose={closed}
          onSaved={() => {}}
        />
        <Toaster />
      </CallContext>
    </QueryClientProvider>,
  );
}

const click = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
const type = (label: string, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } });
const choose = (file: File): void => void fireEvent.change(screen.getByLabelText('Picture file'), { target: { files: [file] } });
const saved = () => testApp.db.selectFrom('product_images').select(['product_code', 'hash']).execute();

test('when the user removes a picture, the product dialog deletes it only when the product is saved', async () => {
  await open(1001);
  await screen.findByRole('img', { name: 'The present picture' });
  expect(screen.getByText('Replace the picture')).toBeTruthy();
  click('Remove');
  expect(screen.queryByAltText('The present picture')).toBeNull();
  expect(await saved()).toEqual([{ product_code: 1001, hash: 'first' }]);
  click('Save Product');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(await saved()).toEqual([]);
});

test.each<[string, () => void]>([
  ['removes', () => click('Remove')],
  ['replaces', () => choose(new File([PNG], 'brisket.png', { type: 'image/png' }))],
])(
  'when the user %s a picture that another window has replaced meanwhile, the product dialog shows that picture, and only the next save changes it (contract §4)',
  async (what, act) => {
    await open(1001);
    await screen.findByRole('img', { name: 'The present picture' });
    act();
    await testApp.db.updateTable('product_images').set({ hash: 'theirs' }).execute();
    click('Save Product');
    await screen.findByText(PICTURE_CHANGED, { selector: 'fieldset *' });
    expect(await saved()).toEqual([{ product_code: 1001, hash: 'theirs' }]);
    await waitFor(() => expect(screen.getByRole('img', { name: 'The present picture' }).getAttribute('src')).toContain('theirs'));
    act();
    click('Save Product');
    await waitFor(() => expect(closed).toHaveBeenCalled());
    expect((await saved()).map(({ hash }) => hash === 'theirs')).toEqual(what === 'removes' ? [] : [false]);
  },
);

test('the product dialog saves the picture of a new product under the typed product code', async () => {
  await open(null);
  type('Name', 'Wine');
  type('Product code', '202');
  choose(new File([PNG], 'wine.png', { type: 'image/png' }));
  screen.getByRole('img', { name: 'The chosen picture' });
  click('Add Product');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect((await saved()).map((image) => image.product_code)).toEqual([202]);
});

test('the product dialog reports an invalid picture, and still saves the other fields of the product', async () => {
  await open(101);
  choose(new File(['Brisket, first cut'], 'brisket.png', { type: 'image/png' }));
  type('Name', 'Brisket, first cut');
  click('Save Product');
  await screen.findByText('The picture must be a PNG, JPEG or WebP file.', { exact: false });
  expect(await saved()).toEqual([{ product_code: 101, hash: 'first' }]);
  expect(await testApp.db.selectFrom('products').select('name').execute()).toEqual([{ name: 'Brisket, first cut' }]);
  await screen.findByText('The product is saved, but this picture is not. Choose another one, or remove it.');
  expect(closed).not.toHaveBeenCalled();
  click('Remove');
  expect(screen.queryByText(/this picture is not/)).toBeNull();
});

test('the product dialog reports below the field that the browser cannot display a chosen file, and does not upload that file', async () => {
  await open(101);
  choose(new File(['Brisket, first cut'], 'brisket.png', { type: 'image/png' }));
  fireEvent.error(screen.getByRole('img', { name: 'The chosen picture' }));
  screen.getByText('This file is not a picture that can be read. Choose a PNG, JPEG or WebP file.');
  await screen.findByRole('img', { name: 'The present picture' });
  click('Save Product');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(await saved()).toEqual([{ product_code: 101, hash: 'first' }]);
});

test('the product dialog does not add a new product twice when its picture is refused', async () => {
  await open(null);
  type('Name', 'Wine');
  type('Product code', '202');
  choose(new File(['no picture'], 'wine.png', { type: 'image/png' }));
  click('Add Product');
  await screen.findByText(/this picture is not/);
  choose(new File([PNG], 'wine.png', { type: 'image/png' }));
  click('Save Product');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(await testApp.db.selectFrom('products').select('product_code').execute()).toEqual([{ product_code: 202 }]);
  expect((await saved()).map((image) => image.product_code)).toEqual([202]);
});

test('the product dialog never applies a picture change to another product code than the code for which it was made (contract §4)', async () => {
  await open(101);
  await screen.findByRole('img', { name: 'The present picture' });
  click('Remove');
  type('Product code', '102');
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
  type('Product code', '101');
  expect(screen.queryByRole('img', { name: 'The present picture' })).toBeNull();
  type('Product code', '102');
  click('Save Product');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(await saved()).toEqual([{ product_code: 101, hash: 'first' }]);
});

test('when the product code has changed or is missing after a file was chosen, the product dialog says so and saves nothing until that is resolved', async () => {
  await open(null);
  type('Name', 'Wine');
  type('Product code', '202');
  choose(new File([PNG], 'wine.png', { type: 'image/png' }));
  type('Product code', '203');
  screen.getByText('This picture was chosen for product code 202. Choose it again for 203, or remove it.');
  click('Add Product');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Product code')));
  type('Product code', '');
  screen.getByText('A picture goes with a product code. Type a code first.');
  click('Add Product');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Product code')));
  expect([closed.mock.calls.length, await testApp.db.selectFrom('products').select('name').execute()]).toEqual([0, []]);
  click('Remove');
  type('Product code', '203');
  click('Add Product');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect([await saved(), await testApp.db.selectFrom('products').select('product_code').execute()]).toEqual([[], [{ product_code: 203 }]]);
});
