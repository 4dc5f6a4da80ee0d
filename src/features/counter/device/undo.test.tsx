// Tests Undo at the counter (contract §14).
import { act } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { weigh } from '../../../../test/data/order-rows.ts';
import { cash, eventually, PICKED_UP, setupCounter, shownToasts, toastTitles } from '../../../../test/open-counter.tsx';
import { dismissToasts } from '../../../client/toasts/toast.ts';
import { cents } from '../../../domain/money.ts';
import { recordPayment } from '../../payments/contract.ts';
import { setPickedUp } from '../../pick-up/contract.ts';
import { readWrites, removeWrites } from './counter-db.ts';
import { isPaymentSent, UNDO_FOR } from './counter-view.ts';

const { testApp, day, openLoaded, openWithQueue, setNetwork, weight, recorded } = setupCounter();

describe('Undo at the counter (contract §14)', () => {
  test('removes an entry that was not sent yet, sends nothing, and says which step was undone', async () => {
    const { store, view } = await openWithQueue([weight(4.5), PICKED_UP]);
    await store.undo();
    expect(view()).toMatchObject({ writes: [], lastStep: null });
    expect(await readWrites()).toEqual([]);
    expect(shownToasts()).toMatchObject([{ title: 'Undone', description: expect.stringMatching(/^Abramov, .*: step$/) }]);
  });

  test('removes a payment that the device is just storing', async () => {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const { store, view, enter } = await openLoaded();
    setNetwork(null);
    enter(cash(10_000), PICKED_UP);
    await store.undo();
    expect(view()).toMatchObject({ writes: [], lastStep: null });
    expect(shownToasts()).toMatchObject([{ title: 'Undone' }]);
  });

  test('sends the opposite of entries that the server has recorded, the last one first', async () => {
    const { store, states, enter } = await openLoaded();
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    enter(cash(10_000), PICKED_UP);
    await eventually(() => expect(states()).toEqual(['sent', 'sent']));
    await store.undo();
    expect(shownToasts()).toMatchObject([{ title: 'Undone', description: expect.stringMatching(/^Abramov, .*: step$/) }]);
    await eventually(async () => expect(await recorded.payments()).toEqual([10_000, -10_000]));
    expect((await readWrites()).map(({ write }) => write.kind)).toEqual(['payment', 'picked-up', 'picked-up', 'reversal']);
    expect(await recorded.isPickedUp()).toBe(false);
  });

  test('does nothing for an entry that is more than 30 seconds old', async () => {
    const { store, view } = await openWithQueue([PICKED_UP]);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + UNDO_FOR + 1);
    await store.undo();
    now.mockRestore();
    expect(view()).toMatchObject({ writes: [{ status: 'waiting' }], lastStep: null });
    expect(toastTitles()).toEqual([]);
  });

  const weighAsCustomer = (weightOfUnit: number) => weigh(testApp.db, day.order.lines[0], [weightOfUnit], day.customer);

  test("says that the weight stays confirmed when the server has already recorded the confirmation of a customer's weight", async () => {
    await weighAsCustomer(4.5);
    const { store, states, enter } = await openLoaded();
    enter(weight(4.5, 4.5));
    await eventually(() => expect(states()).toEqual(['sent']));
    await store.undo();
    expect(shownToasts()).toMatchObject([{ title: 'The weight stays confirmed.', variant: 'destructive' }]);
    expect(await recorded.weights()).toEqual([4.5]);
  });

  test("removes a weight with which staff replaced a customer's weight, and does not record the customer's weight as one of staff", async () => {
    await weighAsCustomer(0.51);
    const { store, states, enter } = await openLoaded();
    const [line] = day.order.lines;
    enter({ kind: 'weight', orderProductId: line?.id ?? 0, index: 0, weight: 4.5, was: 0.51, wasByCustomer: true });
    await eventually(() => expect(states()).toEqual(['sent']));
    await store.undo();
    await eventually(async () => expect(await recorded.weights()).toEqual([]));
  });

  test("says that the weight stays removed when the server has already recorded the removal of a customer's weight", async () => {
    await weighAsCustomer(4.5);
    const { store, states, enter } = await openLoaded();
    enter({ kind: 'remove-weight', orderProductId: day.order.lines[0]?.id ?? 0, index: 0, was: 4.5, wasByCustomer: true });
    await eventually(() => expect(states()).toEqual(['sent']));
    await store.undo();
    expect(shownToasts()).toMatchObject([{ title: 'The weight stays removed.', variant: 'destructive' }]);
    expect(await recorded.weights()).toEqual([]);
  });

  test('does not reverse the recorded payment of an agent, who may not reverse payments, and says so', async () => {
    day.signedIn = day.agent;
    const { store, view, states, enter } = await openLoaded(day.agent);
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    enter(cash(10_000), PICKED_UP);
    const step = view().lastStep;
    if (!step) throw new Error('nothing to undo');
    expect(isPaymentSent(step, view().writes)).toBe(false);
    await eventually(() => expect(states()).toEqual(['sent', 'sent']));
    expect(isPaymentSent(step, view().writes)).toBe(true);
    await store.undo();
    expect(shownToasts()).toMatchObject([
      { title: 'The payment stays until the distributor reverses it.', description: 'The hand-over was undone.', variant: 'destructive' },
    ]);
    await eventually(async () => expect(await recorded.isPickedUp()).toBe(false));
    expect(await recorded.payments()).toEqual([10_000]);
  });

  /** Another station serves the family while this one has no network, so that the server refuses the payment of this one. */
  async function payAfterAnotherStation() {
    await weigh(testApp.db, day.order.lines[0], [4.5, 5.5], day.distributor);
    const counter = await openLoaded();
    const { store, view, enter } = counter;
    setNetwork(null);
    const elsewhere = await testApp.as(day.distributor);
    const params = { orderId: day.order.id };
    await elsewhere(recordPayment, { params, body: { amount: cents(10_000), feeAmount: cents(0), paymentMethod: 'Cash' } });
    await elsewhere(setPickedUp, { params, body: { pickedUp: true } });
    enter(cash(10_000), PICKED_UP);
    setNetwork(day.distributor);
    await eventually(() => {
      store.refresh();
      expect(view().writes).toMatchObject([{ status: 'refused', write: { kind: 'payment' } }]);
    });
    act(dismissToasts);
    return counter;
  }

  test('of a step whose payment was refused changes nothing, because another station may have handed the order over (reliability abuse)', async () => {
    const { store, view } = await payAfterAnotherStation();
    await store.undo();
    expect(toastTitles()).toEqual(['Nothing was undone, because the payment was refused.']);
    expect(view().writes).toMatchObject([{ status: 'refused', write: { kind: 'payment' } }]);
    expect([await recorded.isPickedUp(), await recorded.payments()]).toEqual([true, [10_000]]);
  });

  test('of a step whose refused payment was discarded in another tab changes nothing (reliability abuse)', async () => {
    const { store, view, states } = await payAfterAnotherStation();
    await removeWrites(await readWrites());
    await store.undo();
    expect(toastTitles()).toEqual(['Nothing was undone, because the payment was refused.']);
    expect([view().lastStep, states()]).toEqual([null, []]);
    expect([await recorded.isPickedUp(), await recorded.payments()]).toEqual([true, [10_000]]);
  });
});
