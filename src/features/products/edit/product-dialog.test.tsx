import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { readOthersChange } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import { LOST_REPLY, losingReply } from '../../../../test/losing-reply.ts';
import { dismissToasts } from '../../../client/toasts/toast.ts';
import { Toaster } from '../../../client/toasts/toaster.tsx';
import { CallContext, makeQueryClient } from '../../../client/api/use-calls.ts';
import { addProduct, changeProduct, listProducts, type Product } from '../contract.ts';
import { ProductDialog } from './product-dialog.tsx';

const testApp = setupTestApp();
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
beforeEach(dismissToasts);

/** Opens the dialog of a product that has orders. The returned `change` changes the product as another window would. */
async function openDialog(ordered = 1) {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const made = await makeProduct(testApp.db, distribution, { name: 'Brisket', product_group: 'Beef' });
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[made, ordered]]);
  const call = await testApp.as(distributor);
  const params = { id: distribution.id };
  const now = async (): Promise<Product | undefined> => (await call(listProducts, { params }))[0];
  const product = (await now()) ?? null;
  const onClose = vi.fn<() => void>();
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <CallContext value={call}>
        <ProductDialog distributionId={distribution.id} product={product} products={[]} onClose={onClose} onSaved={() => {}} />
        <Toaster />
      </CallContext>
    </QueryClientProvider>,
  );
  const change = (body: object) => call(changeProduct, { params: { ...params, productId: made.id }, body });
  return { now, change, onClose };
}

function save(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByRole('button', { name: 'Save Product' }));
}

test('saving a product does not overwrite fields that another window changed while the dialog was open', async () => {
  const { now, change, onClose } = await openDialog();
  await change({ unit_price: 1500, product_group: 'Meat', description: 'From the neck' });
  save('Max order quantity', '6');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(await now()).toMatchObject({ unit_price: 1500, product_group: 'Meat', description: 'From the neck', max_order_qty: 6 });
});

test('the product dialog says what happens to the orders when the typed limit is below the ordered units (contract §12)', async () => {
  await openDialog(3);
  const limit = screen.getByLabelText('Limit of all orders');
  const hint = () => document.getElementById(limit.getAttribute('aria-describedby') ?? '')?.textContent;
  const hints = ['', '3', '2', 'x'].map((value) => {
    fireEvent.change(limit, { target: { value } });
    return hint();
  });
  const below = '3 units are ordered already: 1 more than this limit. Nobody loses an order, but customers cannot order more.';
  expect(hints).toEqual(['Empty: no limit', 'Empty: no limit', below, 'Empty: no limit']);
});

test('the product dialog previews a price change against the current price; a second quick press does not replace that price (contract §4)', async () => {
  const { change } = await openDialog();
  await change({ unit_price: 1600 });
  save('Unit price, $', '17.00');
  expect(await screen.findByText('Saved meanwhile: 16.00. Saving replaces it with yours.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Save Product' }));
  await readOthersChange();
  expect(screen.queryByRole('alertdialog')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Save Product' }));
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('Unit price $16.00 → $17.00');
  expect([...question.querySelectorAll('dd')].at(-1)?.textContent).toBe('$16.00 → $17.00');
});

test('the product dialog saves only the changed fields, so that a limit and a description that were saved while its question was open stay (contract §4, §16)', async () => {
  const { now, change, onClose } = await openDialog();
  save('Unit price, $', '17.00');
  await screen.findByRole('alertdialog');
  await change({ total_limit: 5, description: 'From the neck' });
  fireEvent.click(screen.getByRole('button', { name: 'Change the price' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(await now()).toMatchObject({ unit_price: 1700, total_limit: 5, description: 'From the neck' });
});

test('the product dialog does not replace a price that was saved while its question was open; the next save shows that price first (contract §4)', async () => {
  const { now, change, onClose } = await openDialog();
  save('Unit price, $', '17.00');
  await screen.findByRole('alertdialog');
  await change({ unit_price: 1600 });
  fireEvent.click(screen.getByRole('button', { name: 'Change the price' }));
  expect(await screen.findByText(/Brisket was changed by somebody else meanwhile\. Nothing is saved\.$/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Save Product' }));
  expect(await screen.findByText('Saved meanwhile: 16.00. Saving replaces it with yours.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Unit price, $'));
  await readOthersChange();
  fireEvent.click(screen.getByRole('button', { name: 'Save Product' }));
  expect((await screen.findByRole('alertdialog')).textContent).toContain('Unit price $16.00 → $17.00');
  expect(await now()).toMatchObject({ unit_price: 1600 });
  fireEvent.click(screen.getByRole('button', { name: 'Change the price' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(await now()).toMatchObject({ unit_price: 1700 });
});

test('a new product is added once if its first reply was lost and the user presses Add Product again (contract §2)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const call = await testApp.as(distributor);
  let lost = 0;
  const onClose = vi.fn<() => void>();
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <CallContext value={losingReply(call, (endpoint) => endpoint === addProduct && lost++ === 0)}>
        <ProductDialog distributionId={id} product={null} products={[]} onClose={onClose} onSaved={() => {}} />
        <Toaster />
      </CallContext>
    </QueryClientProvider>,
  );
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Brisket' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add Product' }));
  await screen.findByText(LOST_REPLY);
  fireEvent.click(screen.getByRole('button', { name: 'Add Product' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(await call(listProducts, { params: { id } })).toMatchObject([{ name: 'Brisket' }]);
});
