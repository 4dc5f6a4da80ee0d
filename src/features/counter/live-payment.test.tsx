// Tests that a payment at the counter stays as staff typed it, and is recorded, when the family changes its weights or another station
// records a payment meanwhile (contract §6, §14).
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { eventually, setupCounter } from '../../../test/open-counter.tsx';
import { pressOnBusyPage, readNothing, readScreen, readRest, showScreen } from '../../../test/screen.tsx';
import { NetworkError, type Call } from '../../client/api/fetch.ts';
import { cents } from '../../domain/money.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { saveActuals } from '../actuals/contract.ts';
import { recordPayment, reversePayment } from '../payments/contract.ts';
import { CounterPage } from './counter-page.tsx';
import { readWrites } from './device/counter-db.ts';

const { testApp, day, recorded } = setupCounter();

/** Opens the order of the family Abramov. The family has recorded the weights of both units. Returns a function that cuts the network. */
async function openFamily({ isPickedUp = false, by = day.distributor } = {}): Promise<(isOffline: boolean) => void> {
  await enterWeights([5, 5]);
  const online = await testApp.as(by);
  let isCut = false;
  const call = (async (...args: Parameters<Call>) => {
    if (isCut) throw new NetworkError('no network');
    return await online(...args);
  }) as Call;
  navigate(`/${by.role}/distribution/${day.distribution.id}/counter`);
  showScreen(call, '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  fireEvent.change(search, { target: { value: 'Abramov' } });
  fireEvent.keyDown(search, { key: 'Enter' });
  await press(isPickedUp ? 'Pay only' : /^Pay \$100\.00/, { isPressed: false });
  return (isOffline) => {
    isCut = isOffline;
    act(() => void dispatchEvent(new Event(isOffline ? 'offline' : 'online')));
  };
}

async function press(name: RegExp | string, { isPressed = true } = {}): Promise<void> {
  const button = await screen.findByRole('button', { name, hidden: true });
  if (isPressed) fireEvent.click(button);
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement | HTMLSelectElement>(label);
const type = (label: string, value: string): void => void fireEvent.change(field(label), { target: { value } });

/** Records these weights of the first units of the order, as the family. */
async function enterWeights(weights: readonly number[]): Promise<void> {
  const payload = Object.fromEntries(weights.map((weight, unit) => [`${day.order.lines[0]?.id}-${unit}`, weight]));
  const url = pathOf(saveActuals, { orderId: day.order.id });
  expect((await testApp.request(day.customer, { method: 'POST', url, payload })).statusCode).toBe(200);
}
/** Records a payment in cash of the order, as another station, and waits until this station says so. */
async function payElsewhere(amount: number, { said = `$${amount / 100}.00` } = {}): Promise<void> {
  const url = pathOf(recordPayment, { orderId: day.order.id });
  const payload = { amount, paymentMethod: 'Cash' };
  expect((await testApp.request(day.agent, { method: 'POST', url, payload })).statusCode).toBe(201);
  await screen.findByText(`Another station has recorded ${said} for this family.`);
}

/** Presses Enter as a user does: a browser then clicks a button, or submits the form of a field, unless the page prevents it. */
function pressEnter(element: HTMLElement, { isBusy = false } = {}): void {
  if (!(isBusy ? pressOnBusyPage(element, 'Enter') : fireEvent.keyDown(element, { key: 'Enter' }))) return;
  const form = element.closest('form');
  if (element instanceof HTMLButtonElement || !form) fireEvent.click(element);
  else fireEvent.submit(form);
}

const balanceIs = async (text: string): Promise<void> =>
  await waitFor(() => expect(screen.getByText('Balance', { exact: true }).nextElementSibling?.textContent).toBe(text));

test('the typed method, description and amount stay when the family changes a weight, and the next payment begins with an empty form (reliability abuse)', async () => {
  await openFamily();
  type('Payment method', 'Check');
  type('Description', 'Check 20431');
  type('Amount', '50');
  await enterWeights([4.9]);
  await balanceIs('$99.00');
  expect(['Payment method', 'Description', 'Amount'].map((label) => field(label).value)).toEqual(['Check', 'Check 20431', '50']);
  await press('Pay only');
  await balanceIs('$49.00');
  expect(await screen.findByText(/\$50\.00 paid by check$/)).toBeTruthy();
  expect(['Payment method', 'Amount'].map((label) => field(label).value)).toEqual(['Cash', '49.00']);
});

test('the card fee and the cash that was given stay when the family changes a weight; the amount follows the balance (reliability abuse)', async () => {
  await openFamily();
  type('Payment method', 'Credit Card');
  await enterWeights([4.9]);
  await press(/^Pay \$100\.98 by card and hand over$/, { isPressed: false });
  type('Payment method', 'Cash');
  type('Cash given', '120');
  await enterWeights([5]);
  await balanceIs('$100.00');
  expect(field('Cash given').value).toBe('120');
  expect(await screen.findByText('Change $20.00')).toBeTruthy();
});

test('a payment at a station without a network is recorded although the family changes its weights meanwhile; the weights stay unconfirmed (reliability abuse)', async () => {
  const cut = await openFamily();
  cut(true);
  await press('Pay $100.00 in cash and hand over');
  await screen.findByText(/\$100\.00 paid in cash, handed over$/);
  await eventually(async () => expect((await readWrites()).map(({ write }) => write.kind)).toEqual(['payment', 'picked-up']));
  await enterWeights([0.51]);
  cut(false);
  await eventually(async () => expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[10_000], true]));
  const line = day.order.lines[0]?.id ?? 0;
  const rows = await testApp.db
    .selectFrom('actual_quantities')
    .select(['actualQuantity', 'updatedBy'])
    .where('orderProductId', '=', line)
    .execute();
  expect(rows).toEqual([5, 5].map((actualQuantity) => ({ actualQuantity, updatedBy: day.customer.id })));
});

test('a payment that waits for a question keeps the weights on which its amount is based (reliability abuse)', async () => {
  await openFamily();
  type('Amount', '50');
  await press('Pay $50.00 in cash and hand over');
  const question = await screen.findByRole('alertdialog');
  await enterWeights([0.51, 0.51]);
  await balanceIs('$10.20');
  fireEvent.click(within(question).getByRole('button', { name: 'Hand over' }));
  await eventually(async () => expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[5000], true]));
});

test('what staff have typed stays when another station records a payment, and the typed amount is recorded (reliability abuse)', async () => {
  await openFamily();
  type('Payment method', 'Check');
  type('Description', 'No. 123');
  type('Amount', '40');
  await payElsewhere(1000);
  await balanceIs('$90.00');
  expect(['Payment method', 'Description', 'Amount'].map((label) => field(label).value)).toEqual(['Check', 'No. 123', '40']);
  type('Payment method', 'Cash');
  type('Cash given', '50');
  await payElsewhere(2000, { said: '$30.00' });
  await balanceIs('$70.00');
  expect(screen.getByRole('button', { name: 'Pay $40.00 in cash and hand over' })).toBeTruthy();
  pressEnter(field('Cash given'));
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Hand over' }));
  await eventually(async () => expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[1000, 2000, 4000], true]));
});

test('a typed amount above the balance that another station has left is refused; an amount that was not typed follows the balance (reliability abuse)', async () => {
  await openFamily();
  type('Amount', '95');
  await payElsewhere(1000);
  await press('Pay only');
  expect(await screen.findByText('The payment is above the balance: $90.00.')).toBeTruthy();
  expect([field('Amount').value, await recorded.payments()]).toEqual(['95', [1000]]);
  type('Amount', '90.00');
  await payElsewhere(2000, { said: '$30.00' });
  await press('Pay $70.00 in cash and hand over');
  await eventually(async () => expect(await recorded.payments()).toEqual([1000, 2000, 7000]));
});

test.each(['the pay button', 'Amount'])(
  'Enter on %s right after another station has changed the amount records no payment; once the amount can have been read, it does (reliability abuse)',
  async (place) => {
    await openFamily();
    readNothing();
    const enter = () =>
      pressEnter(place === 'Amount' ? field(place) : screen.getByRole('button', { name: 'Pay $90.00 in cash and hand over' }));
    await payElsewhere(1000);
    await balanceIs('$90.00');
    enter();
    await readScreen();
    expect(await recorded.payments()).toEqual([1000]);
    enter();
    await eventually(async () => expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[1000, 9000], true]));
  },
);

/** Pays $50.00 with Enter and presses Enter again at once, which records nothing. Once the rest can have been read, Enter records it. */
async function payWithTwoEnters(place: string, { isBusy = false } = {}): Promise<void> {
  const picked = { pickedUpAt: new Date().toISOString(), pickedUpBy: day.agent.id };
  if (place === 'Amount') await testApp.db.updateTable('orders').set(picked).where('id', '=', day.order.id).execute();
  await openFamily({ isPickedUp: place === 'Amount' });
  readNothing();
  type('Amount', '50');
  const enter = (how = {}) => pressEnter(place === 'Amount' ? field(place) : screen.getByRole('button', { name: place }), how);
  enter();
  await balanceIs('$50.00');
  // `eventually` would advance the clock of the test, so that on a slow machine the second Enter would no longer be a quick one.
  await waitFor(async () => expect(await recorded.payments()).toEqual([5000]));
  enter({ isBusy });
  await readRest();
  expect(await recorded.payments()).toEqual([5000]);
  enter();
  await eventually(async () => expect(await recorded.payments()).toEqual([5000, 5000]));
}

test.each(['Pay only', 'Amount'])(
  'of two quick Enters on %s, the second one records no payment; one that is pressed later does (reliability abuse)',
  async (place) => await payWithTwoEnters(place),
);

test.each(['Pay only', 'Amount'])(
  'of two quick Enters on %s, the second one records no payment on a busy device, which handles the key late (reliability abuse)',
  async (place) => await payWithTwoEnters(place, { isBusy: true }),
);

test("the message about other stations counts neither this station's own payment nor its Undo, and it disappears with the next payment (reliability abuse)", async () => {
  await openFamily();
  type('Amount', '50');
  type('Cash given', '60');
  await press('Pay only');
  await eventually(async () => expect(await recorded.payments()).toEqual([5000]));
  expect(['Amount', 'Cash given'].map((label) => field(label).value)).toEqual(['50.00', '']);
  await press(/^Undo/);
  await eventually(async () => expect(await recorded.payments()).toEqual([5000, -5000]));
  await balanceIs('$100.00');
  await payElsewhere(1000);
  type('Amount', '20');
  await press('Pay only');
  await eventually(async () => expect(await recorded.payments()).toEqual([5000, -5000, 1000, 2000]));
  expect(screen.queryByText(/^Another station/)).toBeNull();
  const { id: paymentId } = await testApp.db
    .selectFrom('payments')
    .select('id')
    .where('orderId', '=', day.order.id)
    .where('amount', '=', cents(1000))
    .executeTakeFirstOrThrow();
  const url = pathOf(reversePayment, { orderId: day.order.id, paymentId });
  expect((await testApp.request(day.distributor, { method: 'POST', url, payload: { description: 'Wrong family' } })).statusCode).toBe(201);
  expect(await screen.findByText('Another station has taken back $10.00 that this family had paid.')).toBeTruthy();
});

test('after an agent has taken a hand-over back, the change of the payment that stays is still shown (contract §14)', async () => {
  await openFamily({ by: day.agent });
  type('Cash given', '120');
  await press('Pay $100.00 in cash and hand over');
  await eventually(async () => expect([await recorded.payments(), await recorded.isPickedUp()]).toEqual([[10_000], true]));
  await press(/^Undo hand-over/);
  await eventually(async () => expect(await recorded.isPickedUp()).toBe(false));
  expect(screen.getByText('Change to give back')).toBeTruthy();
});
