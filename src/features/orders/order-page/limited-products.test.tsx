import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import type { Row } from '../../../server/database/schema.ts';
import { OrderPage } from './order-page.tsx';

const world = setupTestApp();

let customer: Person;
let other: Person;
let distribution: Row<'distributions'>;

beforeEach(async () => {
  freshDevice();
  const distributor = await makeDistributor(world.db);
  [customer, other] = [await makeCustomer(world.db, distributor), await makeCustomer(world.db, distributor)];
  distribution = await makeDistribution(world.db, distributor);
});

async function open(): Promise<void> {
  navigate(`/customer/order/${distribution.id}`);
  showScreen(await world.as(customer), '/customer/order/:distributionId', OrderPage);
  await screen.findAllByRole('spinbutton');
}

test('a sold-out product that is withdrawn offers no waiting list and does not say that none are left (contract §12, §13)', async () => {
  const brisket = await makeProduct(world.db, distribution, { name: 'Brisket', total_limit: 2, notOffered: true });
  const lamb = await makeProduct(world.db, distribution, { name: 'Lamb', total_limit: 1 });
  await makeOrder(world.db, distribution, customer, [[brisket, 2]]);
  await makeOrder(world.db, distribution, other, [[lamb, 1]]);
  await open();
  expect(await screen.findByRole('button', { name: 'Join the waiting list for Lamb' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Join the waiting list for Brisket' })).toBeNull();
  expect(screen.getAllByText('None left')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'More Brisket' }).getAttribute('title')).toBe('max: 2');
});

test('after the limit of a product was removed, a customer still sees the own entry on its waiting list and can leave the list (contract §12)', async () => {
  const brisket = await makeProduct(world.db, distribution, { name: 'Brisket' });
  const entry = { distributorId: distribution.distributorId, distributionId: distribution.id, productId: brisket.id };
  await world.db
    .insertInto('waiting_list')
    .values({ ...entry, customerId: customer.id, quantity: 2, heldQuantity: 2, heldUntil: '2999-03-01T13:00:00Z' })
    .execute();
  await open();
  expect(await screen.findByText('2 held for you until Fri, Mar 1, 1:00 PM UTC.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Leave the waiting list for Brisket' }));
  await waitFor(() => expect(screen.queryByText(/held for you/)).toBeNull());
  expect(await world.db.selectFrom('waiting_list').selectAll().execute()).toEqual([]);
});
