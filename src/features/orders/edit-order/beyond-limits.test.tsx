import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeSlot } from '../../../../test/data/factories.ts';
import { makeOrder, makeOrders } from '../../../../test/data/order-rows.ts';
import { freshDevice, readOthersChange, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import type { Row } from '../../../server/database/schema.ts';
import { placeOrder } from '../contract.ts';
import { EditOrderPage } from './edit-order-page.tsx';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let other: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
let lamb: Row<'products'>;

beforeEach(async () => {
  freshDevice();
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  other = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  brisket = await makeProduct(testApp.db, distribution, { name: 'Brisket', total_limit: 3 });
  lamb = await makeProduct(testApp.db, distribution, { name: 'Lamb', total_limit: 4 });
  await makeOrder(testApp.db, distribution, customer, [[brisket, 1]]);
});

async function open(): Promise<void> {
  navigate('/distributor');
  navigate(`/distributor/edit-order/${distribution.id}/${customer.id}`);
  showScreen(await testApp.as(distributor), '/distributor/edit-order/:distributionId/:customerId', EditOrderPage);
  await screen.findByRole('button', { name: 'Update Order' });
}

const type = (name: string, text: string): void =>
  void fireEvent.change(screen.getByRole('spinbutton', { name: `Quantity of ${name}` }), { target: { value: text } });
const update = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Update Order' }));
const question = () => screen.findByRole('alertdialog', { name: 'Go beyond the limit?' });
const confirm = (dialog: HTMLElement): void => void fireEvent.click(within(dialog).getByRole('button', { name: 'Update Order' }));
const sentencesIn = (dialog: HTMLElement) =>
  [...dialog.querySelectorAll('p')].map(({ textContent }) => textContent).filter((text) => /left of|limit of/.test(text ?? ''));
const savedQuantities = async () =>
  (
    await testApp.db
      .selectFrom('order_products')
      .innerJoin('orders', 'orders.id', 'orderId')
      .select('quantity')
      .where('customerId', '=', customer.id)
      .orderBy('order_products.id')
      .execute()
  ).map(({ quantity }) => quantity);

test('the Edit Order page shows how many units are left of each product with a limit, and which pick-up times are full, before staff promise them (contract §12, §16)', async () => {
  const { id: slotId } = await makeSlot(testApp.db, distribution, { label: 'Morning', capacity: 4 });
  await makeOrders(testApp.db, distribution, { count: 4, productIds: [lamb.id], slotId });
  await makeProduct(testApp.db, distribution, { name: 'Matzah', total_limit: 30, max_order_qty: 2 });
  await makeProduct(testApp.db, distribution, { name: 'Salt', max_order_qty: 5 });
  await open();
  const facts = (name: string) => screen.getByText(name, { selector: 'th, td' }).querySelector('span')?.textContent;
  expect(['Brisket', 'Lamb', 'Matzah', 'Salt'].map(facts)).toEqual([
    '1 × $10.00 per lb · 2 left',
    '1 × $10.00 per lb · None left',
    '1 × $10.00 per lb · max: 2 · 30 left',
    '1 × $10.00 per lb · max: 5',
  ]);
  const morning = await screen.findByRole<HTMLInputElement>('radio', { name: /Morning/ });
  expect([morning.disabled, morning.closest('label')?.textContent]).toEqual([false, expect.stringMatching(/full$/)]);
});

test("before limits are exceeded, the Edit Order page asks for a confirmation that names every product above its limit; the order's history lists the products (contract §12)", async () => {
  await open();
  type('Brisket', '4');
  type('Lamb', '9');
  update();
  const dialog = await question();
  expect(sentencesIn(dialog)).toEqual([
    'Only 2 left of Brisket.',
    'Only 4 left of Lamb.',
    'This order takes more than the limit of all orders allows.',
  ]);
  expect(await savedQuantities()).toEqual([1]);
  confirm(dialog);
  await waitFor(async () => expect(await savedQuantities()).toEqual([4, 9]));
  cleanup();
  await open();
  fireEvent.click(screen.getByText('History'));
  expect(await screen.findByText('Beyond the limit: Brisket, Lamb')).toBeTruthy();
});

test('when a limit is reached while the Edit Order page is open, the confirmation states the current number of units left, even if another limit was confirmed before (contract §12)', async () => {
  await open();
  const order = async (lambs: number): Promise<void> => {
    const body = { distributionId: distribution.id, products: [{ productId: lamb.id, quantity: lambs }] };
    await (
      await testApp.as(other)
    )(placeOrder, { body });
  };
  await order(3);
  type('Lamb', '2');
  update();
  expect(sentencesIn(await question())[0]).toBe('Only 1 left of Lamb.');
  expect(await savedQuantities()).toEqual([1]);
  fireEvent.click(screen.getByRole('button', { name: 'Keep editing' }));

  await readOthersChange();
  type('Lamb', '1');
  type('Brisket', '4');
  update();
  const first = await question();
  expect(sentencesIn(first)).toHaveLength(2);
  await order(4);
  confirm(first);
  await waitFor(async () => expect(sentencesIn(await question())).toContain('None left of Lamb.'));
  const second = await question();
  expect(sentencesIn(second).slice(0, 2)).toEqual(['Only 2 left of Brisket.', 'None left of Lamb.']);
  expect(await savedQuantities()).toEqual([1]);
  confirm(second);
  await waitFor(async () => expect(await savedQuantities()).toEqual([4, 1]));
});
