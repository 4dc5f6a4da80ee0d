import { cleanup, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import type { Row } from '../../../server/database/schema.ts';
import { DistributionPage } from '../../distributions/distribution-page.tsx';
import { addProduct } from '../contract.ts';
import { ProductsTab } from './products-tab.tsx';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;

beforeEach(async () => {
  freshDevice();
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
});

async function open(): Promise<void> {
  navigate(`/distributor/distribution/${distribution.id}?tab=products`);
  showScreen(await testApp.as(distributor), '/distributor/distribution/:id', () => (
    <DistributionPage waiting={null}>{(read) => <ProductsTab distribution={read} />}</DistributionPage>
  ));
  await screen.findByRole('rowheader', { name: /^Brisket/ });
}

test('after the limit of a product was removed, the distributor still sees which customers wait for the product (contract §12)', async () => {
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket' });
  const customer = await makeCustomer(testApp.db, distributor);
  const entry = { distributorId: distributor.id, distributionId: distribution.id, productId: brisket.id, customerId: customer.id };
  await testApp.db
    .insertInto('waiting_list')
    .values({ ...entry, quantity: 2, heldQuantity: 2, heldUntil: '2999-03-01T13:00:00Z' })
    .execute();
  await open();
  const waiting = within(await screen.findByRole('table', { name: 'Waiting list' }));
  expect(waiting.getByText('2 until Fri, Mar 1, 1:00 PM UTC')).toBeTruthy();
});

test('the list of products has a column for the units left only when a product has a limit (contract §12)', async () => {
  await makeProduct(testApp.db, distribution, { name: 'Brisket' });
  const headers = (): (string | null)[] => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  await open();
  expect(headers()).toContain('Ordered');
  expect(headers()).not.toContain('Left');
  cleanup();
  await (
    await testApp.as(distributor)
  )(addProduct, { params: { id: distribution.id }, body: { name: 'Lamb', total_limit: 3 } });
  await open();
  expect(headers()).toContain('Left');
});

test('the list of products says how many more units are ordered than the limit of a product allows (contract §12)', async () => {
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', total_limit: 1 });
  const lamb = await makeProduct(testApp.db, distribution, { name: 'Lamb', total_limit: 37 });
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [
    [brisket, 37],
    [lamb, 37],
  ]);
  await open();
  const left = ['Brisket', 'Lamb'].map((name) =>
    within(screen.getByRole('row', { name: RegExp(name) }))
      .getAllByRole('cell')
      .at(-2),
  );
  expect(left.map((cell) => cell?.textContent)).toEqual(['0 of 136 over the limit', '0 of 37']);
});
