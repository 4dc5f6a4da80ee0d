// Tests how a family is served on the counter's screen in a simulated browser: balance, payment, Undo, unusual weights and the scale
// (contract §14).
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { makeCustomer, makeProduct } from '../../../../test/data/factories.ts';
import { makeOrder, weigh } from '../../../../test/data/order-rows.ts';
import { eventually, setupCounter } from '../../../../test/open-counter.tsx';
import { freshDevice, showScreen } from '../../../../test/screen.tsx';
import { NetworkError, type Call } from '../../../client/api/fetch.ts';
import { cents } from '../../../domain/money.ts';
import { recordPayment, reversePayment } from '../../payments/contract.ts';
import { CounterPage } from '../counter-page.tsx';
import { readWrites, removeWrites } from '../device/counter-db.ts';

const { testApp, day, recorded } = setupCounter();
const button = async (name: string | RegExp) => await screen.findByRole('button', { name, hidden: true });
const field = (unit: 1 | 2) => screen.getByRole<HTMLInputElement>('spinbutton', { name: new RegExp(` ${unit}/2$`) });
const type = (target: HTMLElement, value: string): void => void fireEvent.change(target, { target: { value } });

/** Opens the counter, and the order of the family Abramov. Its two units weigh about 5 lb each, at $10.00 per lb. */
async function openFamily(call?: Call, role = 'distributor'): Promise<void> {
  navigate(`/${role}/distribution/${day.distribution.id}/counter`);
  showScreen(call ?? (await testApp.as(day.distributor)), '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  type(search, 'Abramov');
  fireEvent.keyDown(search, { key: 'Enter' });
  await screen.findByRole('spinbutton', { name: / 1\/2$/ });
}
const weighAll = async (): Promise<void> => await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
const payAndHandOver = async (): Promise<void> => {
  fireEvent.click(await button('Pay $100.00 in cash and hand over'));
  await eventually(async () => expect(await recorded.isPickedUp()).toBe(true));
};
const undoByKey = (): void => void fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });

test('in the search, the e-mail address of each family comes before its phone number, so that staff can tell families with similar names apart (reliability abuse)', async () => {
  const product = await makeProduct(testApp.db, day.distribution);
  for (const [firstName, email] of [
    ['Rivka', 'rivka@mail.test'],
    ['Rivka', 'imitator@mail.test'],
    // In many fonts, a capital i looks like a small l.
    ['Danie\u0049', 'look-alike@mail.test'],
    ['Daniel', 'daniel@mail.test'],
  ] as const) {
    const customer = await makeCustomer(testApp.db, day.distributor, { firstName, lastName: 'Adler' });
    // A customer can type any text as the phone number, also the e-mail address of another family.
    const phone = email === 'imitator@mail.test' ? '718-555-0101 · rivka@mail.test' : '718-555-0101';
    await testApp.db.updateTable('contacts').set({ phone }).where('userId', '=', customer.id).execute();
    await testApp.db.updateTable('users').set({ email }).where('id', '=', customer.id).execute();
    await makeOrder(testApp.db, day.distribution, customer, [[product, 1]]);
  }
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(await testApp.as(day.distributor), '/:role/distribution/:id/counter', CounterPage);
  type(await screen.findByRole('combobox', { name: 'Find a family' }), 'Adler');
  const rows = screen.getAllByRole('option').map(({ textContent }) => /[a-z-]+@mail\.test/.exec(textContent ?? '')?.[0]);
  expect(rows.toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([
    'daniel@mail.test',
    'imitator@mail.test',
    'look-alike@mail.test',
    'rivka@mail.test',
  ]);
});

test('the displayed balance changes with each key press in a weight field (contract §14)', async () => {
  await openFamily();
  const balance = () => screen.getByText('Balance', { exact: true }).nextElementSibling?.textContent;
  expect(balance()).toBe('$100.00estimated');
  for (const [text, shown] of [
    ['4', '$90.00estimated'],
    ['4.', '$90.00estimated'],
    ['4.8', '$98.00estimated'],
    ['4.87', '$98.70estimated'],
    ['4.8', '$98.00estimated'],
    ['', '$100.00estimated'],
  ] as const) {
    type(field(1), text);
    await waitFor(() => expect(balance()).toBe(shown));
  }
});

test('the button "Pay only" records the payment and does not hand the order over (contract §14)', async () => {
  await weighAll();
  await openFamily();
  fireEvent.click(await button('Pay only'));
  await eventually(async () => expect(await recorded.payments()).toEqual([10_000]));
  expect(await button('Hand over')).toBeTruthy();
  expect(await recorded.isPickedUp()).toBe(false);
});

test('below a refund that is due, the counter says how the distributor gives the money back, and the described way works (contract §7)', async () => {
  await weighAll();
  const call = await testApp.as(day.distributor);
  const paid = { amount: cents(10_000), feeAmount: cents(0), paymentMethod: 'Cash' } as const;
  const { id: paymentId } = await call(recordPayment, { params: { orderId: day.order.id }, body: paid });
  await testApp.db
    .updateTable('actual_quantities')
    .set({ actualQuantity: 4.75 })
    .where('orderProductId', '=', day.order.lines[0]?.id ?? 0)
    .execute();
  await openFamily(await testApp.as(day.agent), 'agent');
  expect(await screen.findByText(/^The distributor can pay this amount back, reverse/)).toBeTruthy();
  cleanup();
  freshDevice();
  await openFamily();
  const steps = /^Pay this amount back, then reverse a payment of this family on the Payments tab and record here what stays paid\.$/;
  expect(await screen.findByText(steps)).toBeTruthy();
  await call(reversePayment, { params: { orderId: day.order.id, paymentId }, body: { description: '$5.00 paid back' } });
  fireEvent.click(await button('Pay $95.00 in cash and hand over'));
  await eventually(async () => expect(await recorded.payments()).toEqual([10_000, -10_000, 9500]));
  expect(screen.queryByText(steps)).toBeNull();
});

test('without a network, the counter offers no payment by card, and says why (contract §14)', async () => {
  await weighAll();
  const online = await testApp.as(day.distributor);
  let isOffline = false;
  const call = (async (...args: Parameters<Call>) => {
    if (isOffline) throw new NetworkError('no network');
    return await online(...args);
  }) as Call;
  await openFamily(call);
  const methods = () => [...(screen.getByLabelText('Payment method') as HTMLSelectElement).options].map(({ value }) => value);
  expect(methods()).toEqual(['Cash', 'Credit Card', 'Check', 'Other']);
  isOffline = true;
  act(() => void dispatchEvent(new Event('offline')));
  await eventually(() => expect(methods()).toEqual(['Cash', 'Check', 'Other']));
  expect(screen.getByText('Cards need a network.')).toBeTruthy();
});

test('the keys Ctrl+Z undo the last step at the counter (contract §14)', async () => {
  await weighAll();
  await openFamily();
  await payAndHandOver();
  undoByKey();
  await eventually(async () => expect(await recorded.payments()).toEqual([10_000, -10_000]));
  await eventually(async () => expect(await recorded.isPickedUp()).toBe(false));
});

test('the bar at the top names the opened family and the last step; Undo moves the focus to the weight field of the step, or opens its family again (contract §14)', async () => {
  await openFamily();
  const bar = () => document.querySelector('[data-family]')?.textContent;
  expect(bar()).toMatch(/^Abramov, [^:]*$/);
  type(field(1), '4.5');
  fireEvent.keyDown(field(1), { key: 'Enter' });
  expect((await button(/^Undo/)).textContent).toBe('Undo30 s');
  expect(bar()).toMatch(/^Abramov, .* 1\/2: 4\.5.*Undo30 s$/);
  (await button(/^Undo/)).focus();
  fireEvent.click(await button(/^Undo/));
  await waitFor(() => expect(document.activeElement).toBe(field(1)));
  expect(field(1).value).toBe('');
  type(field(1), '4.5');
  fireEvent.keyDown(field(1), { key: 'Enter' });
  type(field(2), '5.5');
  fireEvent.keyDown(field(2), { key: 'Enter' });
  await payAndHandOver();
  expect(bar()).toBeUndefined();
  fireEvent.click(await button(/^Undo/));
  expect(await screen.findByRole('heading', { name: /^Abramov, / })).toBeTruthy();
  await waitFor(async () => expect(document.activeElement).toBe(await button('Pay $100.00 in cash and hand over')));
});

test.each([
  { weights: [4.5], question: 'Hand over with 1 unit not weighed and $95.00 not paid?' },
  { weights: [4.5, 5.5], question: 'Hand over with $100.00 not paid?' },
])(
  'the question before a hand-over states the missing weights and the unpaid amount: $question (contract §14)',
  async ({ weights, question }) => {
    await weigh(testApp.db, day.order.lines[0], weights, day.distributor);
    await openFamily();
    fireEvent.click(await button(/^Hand over/));
    expect(await screen.findByRole('alertdialog', { name: question })).toBeTruthy();
  },
);

test.each([
  { method: 'Cash', button: 'Pay $30.00 in cash and hand over', question: 'Record $30.00 in cash and hand over with $70.00 not paid?' },
  {
    method: 'Credit Card',
    button: 'Pay $30.60 by card and hand over',
    question: 'Record $30.60 by card and hand over with $70.00 not paid?',
  },
])(
  'the question before a hand-over with a payment names the payment too: $question (contract §14)',
  async ({ method, button: name, question }) => {
    await weighAll();
    await openFamily();
    type(screen.getByLabelText<HTMLInputElement>('Payment method'), method);
    if (method !== 'Cash') type(screen.getByLabelText<HTMLInputElement>('Description'), 'Visa 4242');
    type(screen.getByLabelText<HTMLInputElement>('Amount'), '30');
    fireEvent.click(await button(name));
    const asked = await screen.findByRole('alertdialog');
    expect(within(asked).getByRole('heading').textContent).toBe(question);
    fireEvent.click(within(asked).getByRole('button', { name: 'Hand over' }));
    await eventually(async () => expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[3000], true]));
  },
);

/** Pays and hands over after another station has paid, so that the server refuses the payment. */
async function payTooLate(): Promise<void> {
  await weighAll();
  await openFamily();
  const pay = await button('Pay $100.00 in cash and hand over');
  const body = { amount: cents(10_000), feeAmount: cents(0), paymentMethod: 'Cash' } as const;
  await (
    await testApp.as(day.distributor)
  )(recordPayment, { params: { orderId: day.order.id }, body });
  fireEvent.click(pay);
  expect(await screen.findByText('1 entry was refused', { exact: false })).toBeTruthy();
}

test('the bar at the top does not name a step whose payment was refused (reliability abuse)', async () => {
  await payTooLate();
  // The bar would disappear after 30 seconds in any case, so the test does not wait.
  expect(screen.queryByText(/paid in cash/)).toBeNull();
  expect(screen.queryByRole('button', { name: /^Undo/, hidden: true })).toBeNull();
});

test('the bar at the top does not name a step whose refused payment was discarded in another tab (reliability abuse)', async () => {
  await payTooLate();
  await removeWrites(await readWrites());
  new BroadcastChannel('feastday-counter').postMessage('queue');
  await waitFor(() => expect(screen.queryByText('1 entry was refused', { exact: false })).toBeNull());
  expect(screen.queryByText(/paid in cash/)).toBeNull();
  expect(screen.queryByRole('button', { name: /^Undo/, hidden: true })).toBeNull();
});

test('the counter offers Undo for 30 seconds (contract §14)', async () => {
  await weighAll();
  await openFamily();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  fireEvent.click(await button('Pay $100.00 in cash and hand over'));
  expect((await button(/^Undo/)).textContent).toBe('Undo30 s');
  act(() => void vi.advanceTimersByTime(29_000));
  expect((await button(/^Undo/)).textContent).toBe('Undo1 s');
  act(() => void vi.advanceTimersByTime(30_000 - 29_000));
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
  undoByKey();
  vi.useRealTimers();
  await eventually(async () => expect(await recorded.isPickedUp()).toBe(true));
});

test('at the counter, the weights already recorded for a product in this distribution decide which weight is unusual (contract §14)', async () => {
  const product = await testApp.db
    .selectFrom('products')
    .selectAll()
    .where('distributionId', '=', day.distribution.id)
    .executeTakeFirstOrThrow();
  const other = await makeCustomer(testApp.db, day.distributor);
  const others = await makeOrder(testApp.db, day.distribution, other, [[product, 18]]);
  const ofStaff = [11, 11, 11.2, 11, 11, 11, 11, 11];
  await weigh(testApp.db, others.lines[0], ofStaff, day.agent);
  // Ten weights that the customer entered and staff have not confirmed do not count.
  await weigh(testApp.db, others.lines[0], [...ofStaff.map(() => null), ...Array.from({ length: 10 }, () => 5)], other);
  await openFamily();
  // The first weight is far from the estimate of 5, but close to the weights that are recorded for the product.
  type(field(1), '11.1');
  fireEvent.keyDown(field(1), { key: 'Enter' });
  await eventually(async () => expect(await recorded.weights()).toEqual([11.1]));
  type(field(2), '5');
  fireEvent.keyDown(field(2), { key: 'Enter' });
  expect((await screen.findByRole('alert')).textContent).toBe(
    "5 lb is unlike this product's other weights: 9.351 to 12.649 is usual. Is that right?",
  );
  expect(await recorded.weights()).toEqual([11.1]);
});

test('a weight from the scale goes into the focused weight field (contract §14)', async () => {
  let scale: ReadableStreamDefaultController<Uint8Array> | undefined;
  const readable = new ReadableStream<Uint8Array>({ start: (opened) => void (scale = opened) });
  const port = { open: async () => undefined, close: async () => undefined, readable };
  Object.defineProperty(navigator, 'serial', { value: { requestPort: async () => port }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serial'));
  await openFamily();
  fireEvent.click(await button('Connect scale'));
  await button('Disconnect scale');
  field(2).focus();
  scale?.enqueue(new TextEncoder().encode('ST,+0004.87  lb\r\n'));
  await waitFor(() => expect(field(2).value).toBe('4.87'));
  expect(field(1).value).toBe('');
});
