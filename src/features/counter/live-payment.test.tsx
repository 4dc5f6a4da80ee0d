// Tests that a payment at the counter stays as staff typed it, and is recorded, when the family changes its weights meanwhile (contract §6,
// §14).
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { eventually, setupCounter } from '../../../test/open-counter.tsx';
import { showScreen } from '../../../test/screen.tsx';
import { NetworkError, type Call } from '../../client/api/fetch.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { saveActuals } from '../actuals/contract.ts';
import { CounterPage } from './counter-page.tsx';
import { readWrites } from './device/counter-db.ts';

const { testApp, day, recorded } = setupCounter();

/** Opens the order of the family Abramov. The family has recorded the weights of both units. Returns a function that cuts the network. */
async function openFamily(): Promise<(isOffline: boolean) => void> {
  await enterWeights([5, 5]);
  const online = await testApp.as(day.distributor);
  let isCut = false;
  const call = (async (...args: Parameters<Call>) => {
    if (isCut) throw new NetworkError('no network');
    return await online(...args);
  }) as Call;
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(call, '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  fireEvent.change(search, { target: { value: 'Abramov' } });
  fireEvent.keyDown(search, { key: 'Enter' });
  await press(/^Pay \$100\.00/, { isPressed: false });
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
