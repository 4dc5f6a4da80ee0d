// Tests that the texts at the counter about a payment by card name the amount with the card fee, which the family has paid or gets back.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { weigh } from '../../../test/data/order-rows.ts';
import { eventually, setupCounter } from '../../../test/open-counter.tsx';
import { showScreen } from '../../../test/screen.tsx';
import { NetworkError, type Call } from '../../client/api/fetch.ts';
import { cents } from '../../domain/money.ts';
import { recordPayment } from '../payments/contract.ts';
import { CounterPage } from './counter-page.tsx';
import { readWrites } from './device/counter-db.ts';
import { isUnsent } from './device/writes.ts';

const { testApp, day, recorded } = setupCounter();
const press = async (name: string | RegExp) => void fireEvent.click(await screen.findByRole('button', { name, hidden: true }));
const type = (label: string, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } });

let isCut = false;
beforeEach(() => void (isCut = false));

/** Opens the order of the family Abramov, which owes $100.00, and chooses a payment by card, with a fee of 2%. */
async function openFamily(): Promise<void> {
  await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
  const online = await testApp.as(day.distributor);
  const call = (async (...args: Parameters<Call>) => {
    if (isCut) throw new NetworkError('no network');
    return await online(...args);
  }) as Call;
  navigate(`/distributor/distribution/${day.distribution.id}/counter`);
  showScreen(call, '/:role/distribution/:id/counter', CounterPage);
  const search = await screen.findByRole('combobox', { name: 'Find a family' });
  fireEvent.change(search, { target: { value: 'Abramov' } });
  fireEvent.keyDown(search, { key: 'Enter' });
  await screen.findByRole('button', { name: /^Pay \$100\.00/, hidden: true });
  type('Payment method', 'Credit Card');
  type('Description', 'Visa 4242');
}

test('the list of entries and the question before a discard name the amount of a refused card payment with its fee, which the family gets back (reliability abuse)', async () => {
  await openFamily();
  const params = { orderId: day.order.id };
  await (
    await testApp.as(day.agent)
  )(recordPayment, { params, body: { amount: cents(10_000), feeAmount: cents(0), paymentMethod: 'Cash' } });
  await press('Pay $102.00 by card and hand over');
  await press('Look at it');
  const refused = (await screen.findByRole('heading', { name: 'Refused' })).closest('section');
  expect(refused?.textContent).toContain('$102.00, Credit Card');
  expect(refused?.textContent).toContain('You hold $102.00 (Credit Card) that no order has.');
  await press('Discard…');
  const question = await screen.findByRole('alertdialog', { name: 'Discard this entry?' });
  expect(within(question).getByText(/^Give \$102\.00 back to the family first/)).toBeTruthy();
});

test('the last step and its Undo name the amount of a card payment with its fee (reliability abuse)', async () => {
  await openFamily();
  await press('Pay $102.00 by card and hand over');
  expect(await screen.findByText(/\$102\.00 paid by card, handed over$/)).toBeTruthy();
  await eventually(async () => expect([await recorded.isPickedUp(), (await readWrites()).some(isUnsent)]).toEqual([true, false]));
  isCut = true;
  act(() => void dispatchEvent(new Event('offline')));
  await press(/^Undo/);
  await press(/ waiting/);
  expect(await screen.findByText('$102.00 taken back')).toBeTruthy();
});
