import { act, cleanup, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../test/data/factories.ts';
import { linesOf, makeOrder, pay, weigh } from '../../../../test/data/order-rows.ts';
import { freshDevice, readNothing, readOthersChange, showScreen } from '../../../../test/screen.tsx';
import { setupTestApp, type Person } from '../../../../test/test-app.ts';
import { run, transaction } from '../../../server/database/db.ts';
import type { Row } from '../../../server/database/schema.ts';
import { placeOrder } from '../contract.ts';
import { EditOrderPage } from './edit-order-page.tsx';

const testApp = setupTestApp();

let distributor: Person;
let agent: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let wine: Row<'products'>;
let matzah: Row<'products'>;

beforeEach(async () => {
  freshDevice();
  distributor = await makeDistributor(testApp.db);
  agent = await makeAgent(testApp.db, distributor);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
  matzah = await makeProduct(testApp.db, distribution, { name: 'Matzah' });
  await makeOrder(testApp.db, distribution, customer, [
    [wine, 5],
    [matzah, 1],
  ]);
});

async function open(): Promise<void> {
  navigate('/agent');
  navigate(`/agent/edit-order/${distribution.id}/${customer.id}`);
  showScreen(await testApp.as(agent), '/agent/edit-order/:distributionId/:customerId', EditOrderPage);
  await screen.findByRole('button', { name: 'Update Order' });
}

const cell = (name: string): HTMLInputElement => screen.getByRole('spinbutton', { name: `Quantity of ${name}` });
const rowOf = (name: string): string => screen.getByRole('rowheader', { name: new RegExp(`^${name}`) }).textContent ?? '';
const type = (name: string, text: string): void => void fireEvent.change(cell(name), { target: { value: text } });
const update = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Update Order' }));

test('the Edit Order page disables the fields while the order is being saved, because typing would be lost', async () => {
  await open();
  type('Wine', '4');
  const note = screen.getByRole<HTMLButtonElement>('button', { name: 'Add a note' });
  await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT FROM distributions WHERE id = $1 FOR UPDATE', [distribution.id]);
    update();
    await waitFor(() => expect([cell('Wine').readOnly, cell('Matzah').readOnly]).toEqual([true, true]));
    expect([cell('Wine').value, note.disabled]).toEqual(['4', true]);
  });
  await waitFor(() => expect(location.pathname).toBe(`/agent/distribution/${distribution.id}`));
});

test('the Edit Order page shows the quantities that the customer last requested, also after the customer has changed the order meanwhile (contract §5)', async () => {
  await open();
  type('Wine', '4');
  expect(rowOf('Wine')).toContain('originally 5');
  const products = [wine, matzah].map(({ id }) => ({ productId: id, quantity: 9 }));
  await (
    await testApp.as(customer)
  )(placeOrder, { body: { distributionId: distribution.id, products } });
  update();
  await screen.findByText('409:');
  await waitFor(() => expect(rowOf('Wine')).toContain('originally 9'));
  expect([cell('Wine').value, cell('Matzah').value]).toEqual(['4', '9']);
  expect(rowOf('Matzah')).not.toContain('customer asked');
});

test('the Edit Order page marks a line above a lowered maximum already before the save; Esc restores the saved quantity', async () => {
  await testApp.db.updateTable('products').set({ max_order_qty: 3 }).where('id', '=', wine.id).execute();
  await open();
  expect(rowOf('Wine')).toContain('Above the maximum of 3: lower it to save the order.');
  expect(cell('Wine').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('1 line is above the maximum: lower it to save the order.')).toBeTruthy();

  cell('Wine').focus();
  type('Wine', '2');
  expect([cell('Wine').getAttribute('aria-invalid'), screen.queryByText(/above the maximum/i)]).toEqual([null, null]);
  fireEvent.keyDown(cell('Wine'), { key: 'Escape' });
  expect(cell('Wine').value).toBe('5');
});

test('the Edit Order page reduces a typed quantity to the maximum, and shows a message until the next key press (spec §5)', async () => {
  await testApp.db.updateTable('products').set({ max_order_qty: 3 }).where('id', '=', matzah.id).execute();
  await open();
  const said = (): (string | null | undefined)[] => [
    cell('Matzah').value,
    cell('Matzah').parentElement?.querySelector('output')?.textContent,
    document.getElementById(cell('Matzah').getAttribute('aria-describedby') ?? '')?.textContent,
  ];
  type('Matzah', '9');
  expect(said()).toEqual(['3', 'At most 3', 'At most 3']);
  type('Matzah', '2');
  expect(said()).toEqual(['2', '', undefined]);
  type('Wine', '99');
  expect(cell('Wine').value).toBe('99');
  expect(screen.queryByText(/At most/)).toBeNull();
});

/** Creates an order of three chickens of about 2 lb each at $10.00 a pound, with these weights and a payment of `paid` cents. */
async function makeWeighed(weights: readonly number[], paid: number): Promise<void> {
  const chicken = await makeProduct(testApp.db, distribution, { name: 'Chicken', unit_qty: 2, unit_qty_is_estimate: true });
  const family = await makeCustomer(testApp.db, distributor);
  const { id, lines } = await makeOrder(testApp.db, distribution, family, [[chicken, 3]]);
  await weigh(testApp.db, lines[0], weights, agent);
  if (paid > 0) await pay(testApp.db, distribution, { orderId: id, amount: paid, by: distributor });
  customer = family;
}

test('the Edit Order page asks before recorded weights are deleted, with the amount of the refund (contract §6, §7)', async () => {
  await makeWeighed([2.5, 2, 0.5], 5000);
  await open();
  expect(screen.getByText('By weight, the saved order comes to $50.00.')).toBeTruthy();
  expect(screen.getByText('Paid')).toBeTruthy();
  type('Chicken', '2');
  expect(screen.getByText('Once this is saved, a refund of $5.00 is due.')).toBeTruthy();
  update();
  const question = await screen.findByRole('alertdialog', { name: 'Drop recorded weights?' });
  expect(question.textContent).toContain('Chicken: the weight of piece 3 (0.5 lb) will be dropped.');
  expect(question.textContent).toContain('a refund of $5.00 is due.');
  fireEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  type('Chicken', '1');
  update();
  const again = await screen.findByRole('alertdialog');
  expect(again.textContent).toContain('the weights of pieces 2 (2 lb), 3 (0.5 lb) will be dropped.');
  fireEvent.click(within(again).getByRole('button', { name: 'Update Order' }));
  await waitFor(() => expect(location.pathname).toBe(`/agent/distribution/${distribution.id}`));
  expect((await testApp.db.selectFrom('actual_quantities').select('actualQuantity').execute()).map((row) => row.actualQuantity)).toEqual([
    2.5,
  ]);
  cleanup();
  await open();
  fireEvent.click(screen.getByText('History'));
  expect(await screen.findByText('Weight of unit 2')).toBeTruthy();
  expect(screen.getByText('Weight of unit 3')).toBeTruthy();
});

test.each([
  ['weights', { weights: [2, 2, 1], paid: 0 }, 'Drop recorded weights?', 'Chicken: the weight of piece 3 (1 lb) will be dropped.'],
  ['a payment', { weights: [], paid: 6000 }, 'Save although a refund will be due?', 'a refund of $20.00 is due.'],
])(
  'when somebody else has recorded %s since the Edit Order page was opened, a save asks before something is lost (contract §6, §7)',
  async (_, { weights, paid }, title, sentence) => {
    await makeWeighed([], 0);
    await open();
    type('Chicken', '2');
    const order = await testApp.db.selectFrom('orders').select('id').where('customerId', '=', customer.id).executeTakeFirstOrThrow();
    const line = await testApp.db.selectFrom('order_products').selectAll().where('orderId', '=', order.id).executeTakeFirstOrThrow();
    await weigh(testApp.db, line, weights, agent);
    if (paid > 0) await pay(testApp.db, distribution, { orderId: order.id, amount: paid, by: distributor });
    update();
    const question = await screen.findByRole('alertdialog', { name: title });
    expect(question.textContent).toContain(sentence);
    expect(screen.getByText('The weights or payments of this order were changed elsewhere. Reload to see them.')).toBeTruthy();
    const saved = testApp.db.selectFrom('order_products').select('quantity').where('id', '=', line.id);
    expect(await saved.executeTakeFirst()).toEqual({ quantity: 3 });
    fireEvent.click(within(question).getByRole('button', { name: 'Update Order' }));
    await waitFor(() => expect(location.pathname).toBe(`/agent/distribution/${distribution.id}`));
    expect(await saved.executeTakeFirst()).toEqual({ quantity: 2 });
  },
);

test('for a customer without an order in an unpublished distribution, the Edit Order page says that the distribution is not published and that nothing is ordered yet', async () => {
  await testApp.db.updateTable('distributions').set({ published: false }).where('id', '=', distribution.id).execute();
  customer = await makeCustomer(testApp.db, distributor);
  await open();
  expect(screen.getByText('This distribution is not published. The customer sees it once the order is saved.')).toBeTruthy();
  fireEvent.click(screen.getByText('Ordered'));
  expect(await screen.findByText('Nothing is ordered yet.')).toBeTruthy();
  expect(screen.queryByText('History')).toBeNull();
});

test('the Edit Order page shows an empty history for an unchanged order; for an unknown customer, says that there is no such distribution or customer', async () => {
  await open();
  fireEvent.click(screen.getByText('History'));
  expect(await screen.findByText('Nothing has been changed since the order was made.')).toBeTruthy();
  act(() => navigate(`/agent/edit-order/${distribution.id}/2000000000`));
  expect(await screen.findByText('There is no such distribution, or no such customer.')).toBeTruthy();
});

test('the Edit Order page asks for no confirmation before a save that removes only unweighed units', async () => {
  await open();
  expect(
    screen.getByText(
      'Enter and the arrows go from row to row, Esc takes back what you typed in a field, Ctrl+S saves. Enter in a filter goes to the quantity it finds, and Enter there back to the filter.',
    ),
  ).toBeTruthy();
  expect(screen.queryByText(/By weight/)).toBeNull();
  type('Wine', '4');
  update();
  await waitFor(() => expect(location.pathname).toBe(`/agent/distribution/${distribution.id}`));
});

test('Enter moves from the Code filter to the quantity of the product with that code, and then back to the emptied filter (spec §2)', async () => {
  await testApp.db.updateTable('products').set({ product_code: 112 }).where('id', '=', wine.id).execute();
  await testApp.db.updateTable('products').set({ product_code: 12 }).where('id', '=', matzah.id).execute();
  await makeProduct(testApp.db, distribution, { name: 'Honey', product_code: 900 });
  await open();
  const filter = screen.getByRole<HTMLInputElement>('textbox', { name: 'Filter by Code' });
  const enter = (field: HTMLElement): void => void fireEvent.keyDown(field, { key: 'Enter' });
  filter.focus();
  enter(filter);
  expect(document.activeElement).toBe(filter);

  fireEvent.change(filter, { target: { value: '12' } });
  await waitFor(() => expect(screen.queryByText('Honey')).toBeNull());
  enter(filter);
  expect(document.activeElement).toBe(cell('Matzah'));
  type('Matzah', '7');
  enter(cell('Matzah'));
  expect(document.activeElement).toBe(filter);
  expect(filter.value).toBe('');
  expect(cell('Matzah').value).toBe('7');
  expect(await screen.findByText('Honey')).toBeTruthy();

  // In this case the focus did not come from the filter, so Enter in a quantity moves to the next row and not back to the filter.
  fireEvent.change(filter, { target: { value: '12' } });
  cell('Matzah').focus();
  enter(cell('Matzah'));
  expect(document.activeElement).toBe(cell('Wine'));
});

test.each([
  { mine: 'Paid by his uncle', says: ' Saving replaces it with yours.' },
  { mine: '', says: ' Saving removes it.' },
])(
  'the Edit Order page shows the note that the customer has saved since, before the next save replaces it with $mine (contract §5, §16)',
  async ({ mine, says }) => {
    await testApp.db.updateTable('orders').set({ note: 'Ring twice' }).where('customerId', '=', customer.id).execute();
    await open();
    fireEvent.change(screen.getByLabelText('Note'), { target: { value: mine } });
    const products = [
      { productId: wine.id, quantity: 5 },
      { productId: matzah.id, quantity: 1 },
    ];
    const body = { distributionId: distribution.id, products, note: 'NUT ALLERGY' };
    await (
      await testApp.as(customer)
    )(placeOrder, { body });
    update();
    const notice = await screen.findByRole('region', { name: 'This order was changed elsewhere' });
    expect(notice.textContent).toContain(`Everything you typed is still here.The note was changed to “NUT ALLERGY”.${says}`);
    await readOthersChange();
    update();
    await waitFor(() => expect(location.pathname).toBe(`/agent/distribution/${distribution.id}`));
    const { note } = await testApp.db.selectFrom('orders').select('note').where('customerId', '=', customer.id).executeTakeFirstOrThrow();
    expect(note ?? '').toBe(mine);
  },
);

test('of two quick Ctrl+S, and of Ctrl+S that is held down, only the first one saves: the other value that the customer has saved is not replaced before somebody can have read it (reliability abuse)', async () => {
  await open();
  readNothing();
  type('Wine', '4');
  const products = [wine, matzah].map(({ id }) => ({ productId: id, quantity: 9 }));
  await (
    await testApp.as(customer)
  )(placeOrder, { body: { distributionId: distribution.id, products } });
  const press = (options: { repeat?: boolean } = {}): void => {
    const event = createEvent.keyDown(cell('Wine'), { key: 's', ctrlKey: true, ...options });
    Object.defineProperty(event, 'timeStamp', { value: performance.now() });
    fireEvent(cell('Wine'), event);
  };
  press();
  await screen.findByRole('region', { name: 'This order was changed elsewhere' });
  press();
  await readOthersChange();
  press({ repeat: true });
  expect(cell('Wine').readOnly).toBe(false);
  const quantities = async () => (await linesOf(testApp.db, distribution.id)).map(({ quantity }) => quantity);
  expect(await quantities()).toEqual([9, 9]);
  press();
  await waitFor(async () => expect(await quantities()).toEqual([4, 9]));
});

test('the Edit Order page shows the part of the description that distinguishes products of the same name, and finds products by it (spec §2)', async () => {
  await testApp.db.updateTable('products').set({ description: 'Kedem, 64 oz' }).where('id', '=', wine.id).execute();
  await makeProduct(testApp.db, distribution, { name: 'Wine', description: 'Barkan, 64 oz' });
  await open();
  expect([cell('Wine, Kedem').value, cell('Wine, Barkan').value]).toEqual(['5', '0']);
  fireEvent.change(screen.getByRole('textbox', { name: 'Filter by Name' }), { target: { value: 'barkan' } });
  await waitFor(() => expect(screen.queryByRole('spinbutton', { name: 'Quantity of Wine, Kedem' })).toBeNull());
  expect(cell('Wine, Barkan')).toBeTruthy();
});
