import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp } from '../../../../test/test-app.ts';
import type { Call } from '../../../client/api/fetch.ts';
import { readDistribution } from '../../distributions/contract.ts';
import { beginProductUpload } from '../../uploads/contract.ts';
import { changeProduct, listProducts } from '../contract.ts';
import { productsCsv } from '../csv.ts';
import { ImportDialog } from './import-dialog.tsx';

const testApp = setupTestApp();
let files: Blob[] = [];

beforeEach(() => {
  freshDevice();
  files = [];
  URL.createObjectURL = (file: Blob) => `blob:${files.push(file)}`;
  URL.revokeObjectURL = () => {};
  HTMLAnchorElement.prototype.click = () => {};
});

/** Opens the preview of a downloaded file in which the price of both products was changed. */
async function openPreview() {
  const distributor = await makeDistributor(testApp.db);
  const made = await makeDistribution(testApp.db, distributor);
  const { id } = made;
  const brisket = await makeProduct(testApp.db, made, { name: 'Brisket', total_limit: 50 });
  await makeProduct(testApp.db, made, { name: 'Turkey' });
  const call = await testApp.as(distributor);
  const params = { id };
  const now = () => call(listProducts, { params });
  const [distribution, products] = [await call(readDistribution, { params }), await now()];
  navigate('/distributor');
  showScreen(call, '/distributor', () => <ImportDialog distribution={distribution} products={products} onClose={() => {}} />);
  const text = productsCsv(products).replaceAll(',10.00,', ',11.00,');
  fireEvent.change(await screen.findByLabelText('Choose a CSV file'), { target: { files: [new File([text], 'some.csv')] } });
  await screen.findByRole('button', { name: 'Save 2 products' });
  const change = (body: object) => call(changeProduct, { params: { id, productId: brisket.id }, body });
  const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save 2 products' }));
  return { now, change, save };
}

test('an upload saves only what the file changes, so that a limit that a short delivery has set since the preview stays (contract §4, §16)', async () => {
  const { now, change, save } = await openPreview();
  await change({ total_limit: 20, description: 'Contains nuts' });
  save();
  expect(await screen.findAllByText('Bulk product update completed')).not.toHaveLength(0);
  expect((await now())[0]).toMatchObject({ unit_price: 1100, total_limit: 20, description: 'Contains nuts' });
});

test('an upload does not replace a price that somebody else has saved since the preview, and lists the row with the reason among the failed rows (contract §4)', async () => {
  const { now, change, save } = await openPreview();
  await change({ unit_price: 1600 });
  save();
  expect(await screen.findAllByText('Failed to save 1 of 2 products')).not.toHaveLength(0);
  expect((await now()).map(({ unit_price }) => unit_price)).toEqual([1600, 1100]);
  expect(await files[0]?.text()).toContain('Brisket was changed by somebody else meanwhile. Nothing is saved.');
});

test('a second press while an upload begins saves its products once, and the dialog that is opened again shows the upload (contract §4)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const call = await testApp.as(distributor);
  const params = { id };
  const distribution = await call(readDistribution, { params });
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slowCall = (async (...args: Parameters<Call>) => {
    if (args[0].path === beginProductUpload.path) {
      begun.resolve();
      await release.promise;
    }
    return await call(...args);
  }) as Call;
  const open = () =>
    showScreen(slowCall, '/distributor', () => <ImportDialog distribution={distribution} products={[]} onClose={() => {}} />);
  navigate('/distributor');
  open();
  const file = new File(['name\nBrisket\nTurkey\n'], 'some.csv');
  fireEvent.change(await screen.findByLabelText('Choose a CSV file'), { target: { files: [file] } });
  const save = await screen.findByRole('button', { name: 'Save 2 products' });
  for (let press = 0; press < 2; press++) act(() => save.click());
  await begun.promise;
  cleanup();
  open();
  expect(await screen.findByRole('button', { name: 'Continue in the background' })).toBeTruthy();
  release.resolve();
  expect(await screen.findAllByText('Bulk product update completed')).not.toHaveLength(0);
  expect((await call(listProducts, { params })).map(({ name }) => name).toSorted()).toEqual(['Brisket', 'Turkey']);
  // The server adds several rows in one statement only if they have no idempotency keys.
  expect(await testApp.db.selectFrom('idempotency_keys').select('key').where('userId', '=', distributor.id).execute()).toEqual([]);
});
