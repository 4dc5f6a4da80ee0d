import { setTimeout } from 'node:timers/promises';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder } from '../../../../test/data/order-rows.ts';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import type { Call } from '../../../client/api/fetch.ts';
import type { Row } from '../../../server/database/schema.ts';
import type { Endpoint } from '../../../shared/endpoint.ts';
import { listProducts } from '../../products/contract.ts';
import { placeOrder } from '../contract.ts';
import { OrderPage } from './order-page.tsx';

const testApp = setupTestApp();

let customer: Person;
let other: Person;
let distribution: Row<'distributions'>;

beforeEach(async () => {
  freshDevice();
  const distributor = await makeDistributor(testApp.db);
  [customer, other] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  distribution = await makeDistribution(testApp.db, distributor);
});

/** How often the page has read the products. */
let reads = 0;

async function open(): Promise<void> {
  reads = 0;
  const send = await testApp.as(customer);
  const counted: Call = (endpoint, ...args) => {
    if ((endpoint as Endpoint) === listProducts) reads += 1;
    return send(endpoint, ...args);
  };
  navigate(`/customer/order/${distribution.id}`);
  showScreen(counted, '/customer/order/:distributionId', OrderPage);
  await screen.findAllByRole('spinbutton');
}

const order = async (by: Person, productId: number, quantity: number): Promise<void> => {
  const save = await testApp.as(by);
  await save(placeOrder, { body: { distributionId: distribution.id, products: [{ productId, quantity }] } });
};
/** Waits longer than the two seconds between two reads. */
const pause = (): Promise<void> => setTimeout(2600);
function setVisibility(state: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}
afterEach(() => vi.restoreAllMocks());

test('for a sold-out product that is withdrawn, the order page offers no waiting list and does not say that no unit is left (contract §12, §13)', async () => {
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', total_limit: 2, notOffered: true });
  const lamb = await makeProduct(testApp.db, distribution, { name: 'Lamb', total_limit: 1 });
  await makeOrder(testApp.db, distribution, customer, [[brisket, 2]]);
  await makeOrder(testApp.db, distribution, other, [[lamb, 1]]);
  await open();
  expect(await screen.findByRole('button', { name: 'Join the waiting list for Lamb' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Join the waiting list for Brisket' })).toBeNull();
  expect(screen.getAllByText('None left')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'More Brisket' }).getAttribute('title')).toBe('max: 2');
});

test("a customer on the waiting list of a product still sees the entry after the product's limit was removed, and can leave the list (contract §12)", async () => {
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket' });
  const entry = { distributorId: distribution.distributorId, distributionId: distribution.id, productId: brisket.id };
  await testApp.db
    .insertInto('waiting_list')
    .values({ ...entry, customerId: customer.id, quantity: 2, heldQuantity: 2, heldUntil: '2999-03-01T13:00:00Z' })
    .execute();
  await open();
  expect(await screen.findByText('2 held for you until Fri, Mar 1, 1:00 PM UTC.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Leave the waiting list for Brisket' }));
  await waitFor(() => expect(screen.queryByText(/held for you/)).toBeNull());
  expect(await testApp.db.selectFrom('waiting_list').selectAll().execute()).toEqual([]);
});

test('the order page reads every two seconds how many units are left, keeps what the customer has typed, and reads nothing while it is hidden (contract §12)', async () => {
  const brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', total_limit: 5 });
  await open();
  expect(screen.getByText('5 left')).toBeTruthy();
  const quantity = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Quantity of Brisket' });
  quantity.focus();
  fireEvent.change(quantity, { target: { value: '4' } });
  await order(other, brisket.id, 3);
  expect(await screen.findByText('2 left')).toBeTruthy();
  expect([quantity.value, document.activeElement]).toEqual(['4', quantity]);
  expect(screen.getByRole('button', { name: 'More Brisket' }).getAttribute('title')).toBe('Only 2 left');

  setVisibility('hidden');
  await order(other, brisket.id, 4);
  const before = reads;
  await pause();
  expect([reads, screen.queryByText('1 left')]).toEqual([before, null]);
  setVisibility('visible');
  expect(await screen.findByText('1 left')).toBeTruthy();
});

test('the order page reads the products once if no product has a limit (contract §12)', async () => {
  await makeProduct(testApp.db, distribution, { name: 'Brisket' });
  await open();
  await pause();
  setVisibility('hidden');
  setVisibility('visible');
  await pause();
  expect(reads).toBe(1);
});
