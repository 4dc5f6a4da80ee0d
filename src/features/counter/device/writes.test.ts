import { describe, expect, test } from 'vitest';
import { cents } from '../../../domain/money.ts';
import type { CounterOrder } from '../contract.ts';
import { inverseOf, lastPaymentIdOf, orderWith, retried, type QueuedWrite, type Write } from './writes.ts';

const order: CounterOrder = {
  id: 7,
  customerId: 3,
  firstName: 'Rivka',
  lastName: 'Abramov',
  phone: null,
  email: 'rivka@mail.test',
  note: null,
  slot: null,
  pickedUpAt: null,
  lines: [
    { orderProductId: 11, productId: 1, quantity: 2, actuals: [{ sortOrder: 0, actualQuantity: 4.5, byRole: 'customer' }] },
    { orderProductId: 12, productId: 2, quantity: 1, actuals: [] },
  ],
  payments: [],
};

const at = new Date(2027, 3, 1, 12).toISOString();
const queued = (write: Write, values: Partial<QueuedWrite> = {}): QueuedWrite => ({
  seq: 1,
  key: 'key',
  userId: 2,
  role: 'agent',
  distributionId: 5,
  orderId: 7,
  at,
  status: 'waiting',
  write,
  ...values,
});
const payment: Write = { kind: 'payment', amount: cents(1000), feeAmount: cents(0), paymentMethod: 'Cash', description: null };

describe('an order with changes that wait to be sent (contract §14)', () => {
  test('shows the weight that was typed at this station instead of the recorded one', () => {
    const { lines } = orderWith(order, [queued({ kind: 'weight', orderProductId: 11, index: 0, weight: 4.87, was: 4.5 })]);
    expect(lines[0]?.actuals).toEqual([{ sortOrder: 0, actualQuantity: 4.87, byRole: 'agent' }]);
  });

  test('contains a waiting payment, and does not count it twice after a read returns it', () => {
    const waiting = orderWith(order, [queued(payment)]);
    expect(waiting.payments).toMatchObject([{ amount: 1000, reversesId: null }]);
    const read = {
      ...order,
      payments: [{ id: 31, amount: cents(1000), feeAmount: cents(0), paymentMethod: 'Cash' as const, createdAt: at, reversesId: null }],
    };
    expect(orderWith(read, [queued(payment, { status: 'sent', paymentId: 31 })]).payments).toHaveLength(1);
  });

  describe('while the response to a payment or reversal is outstanding', () => {
    const sending = { status: 'sending', firstSentAt: at, lastPaymentId: 30 } as const;
    const recorded = (id: number, amount = 1000, reversesId: number | null = null) => ({
      id,
      amount: cents(amount),
      feeAmount: cents(0),
      paymentMethod: 'Cash' as const,
      createdAt: at,
      reversesId,
    });
    const idsAfter = (payments: CounterOrder['payments'], writes: QueuedWrite[]) =>
      orderWith({ ...order, payments }, writes).payments.map(({ id }) => id);

    test('contains the payment once when a read already returned it', () => {
      expect(idsAfter([recorded(30), recorded(31)], [queued(payment, sending)])).toEqual([30, 31]);
    });

    test.each([
      ['an equal payment that was known before', [recorded(30)]],
      ['a later payment of another amount', [recorded(31, 999)]],
      ['a later reversal of the same amount', [recorded(31, 1000, 30)]],
    ])('contains the payment in addition to %s', (_, payments) => {
      expect(idsAfter(payments, [queued(payment, sending)])).toEqual([...payments.map(({ id }) => id), 0]);
    });

    test('contains the payment in addition to an equal one that another write has recorded', () => {
      const first = queued(payment, { key: 'first', status: 'sent', paymentId: 31, lastPaymentId: 30 });
      expect(idsAfter([recorded(31)], [first, queued(payment, sending)])).toEqual([31, 0]);
    });

    test('contains the reversal once when a read already returned it', () => {
      const paid = queued(payment, { key: 'paid', status: 'sent', paymentId: 31 });
      const reversal = queued(
        { kind: 'reversal', paymentKey: 'paid', amount: cents(1000), feeAmount: cents(0), paymentMethod: 'Cash' },
        { status: 'sending' },
      );
      expect(idsAfter([recorded(31), recorded(32, -1000, 31)], [paid, reversal])).toEqual([31, 32]);
    });
  });

  test('counts as picked up from the time staff mark it as picked up until they undo the mark', () => {
    expect(orderWith(order, [queued({ kind: 'picked-up', pickedUp: true })]).pickedUpAt).toBe(at);
    const both = [queued({ kind: 'picked-up', pickedUp: true }), queued({ kind: 'picked-up', pickedUp: false }, { seq: 2 })];
    expect(orderWith(order, both).pickedUpAt).toBeNull();
  });

  test('ignores changes that the server refused and changes of other orders', () => {
    expect(orderWith(order, [queued(payment, { status: 'refused' }), queued(payment, { orderId: 8 })])).toEqual(order);
  });
});

test.each<[string, Write, Write | null]>([
  [
    'a first weight',
    { kind: 'weight', orderProductId: 1, index: 0, weight: 5, was: null },
    { kind: 'remove-weight', orderProductId: 1, index: 0, was: 5 },
  ],
  [
    'a changed weight',
    { kind: 'weight', orderProductId: 1, index: 0, weight: 5, was: 4 },
    { kind: 'weight', orderProductId: 1, index: 0, weight: 4, was: 5 },
  ],
  [
    'a weight that replaced the customer’s',
    { kind: 'weight', orderProductId: 1, index: 0, weight: 5, was: 4, wasByCustomer: true },
    { kind: 'remove-weight', orderProductId: 1, index: 0, was: 5 },
  ],
  ['a confirmed weight', { kind: 'weight', orderProductId: 1, index: 0, weight: 5, was: 5, wasByCustomer: true }, null],
  [
    'a removed weight',
    { kind: 'remove-weight', orderProductId: 1, index: 0, was: 5 },
    { kind: 'weight', orderProductId: 1, index: 0, weight: 5, was: null },
  ],
  ['a removed weight of the customer', { kind: 'remove-weight', orderProductId: 1, index: 0, was: 5, wasByCustomer: true }, null],
  ['a payment', payment, { kind: 'reversal', paymentKey: 'key', amount: cents(1000), feeAmount: cents(0), paymentMethod: 'Cash' }],
  ['a mark', { kind: 'picked-up', pickedUp: true }, { kind: 'picked-up', pickedUp: false }],
])('for %s, as in %j, Undo sends the opposite change %j, where null means that there is none (contract §14)', (_, write, inverse) => {
  expect(inverseOf({ key: 'key', write })).toEqual(inverse);
});

test('after a conflict, a weight that is sent again is based on the currently recorded weight (contract §14)', () => {
  const refused = queued(
    { kind: 'weight', orderProductId: 11, index: 0, weight: 4.87, was: null },
    { status: 'refused', reason: 'Overtaken', mayBeRecorded: true, firstSentAt: at },
  );
  expect(retried(refused, order)).toEqual(
    queued({ kind: 'weight', orderProductId: 11, index: 0, weight: 4.87, was: 4.5, wasByCustomer: true }),
  );
});

describe('the removal of a weight that is sent again after a conflict (contract §14)', () => {
  const removal = { kind: 'remove-weight', orderProductId: 11, index: 0, was: 5 } as const;
  const refused = queued(removal, { status: 'refused', reason: 'Overtaken' });

  test('is based on the currently recorded weight', () => {
    expect(retried(refused, order)).toEqual(queued({ ...removal, was: 4.5, wasByCustomer: true }));
  });

  test('is sent unchanged when the weight is already gone, because the server accepts such a removal', () => {
    const [line] = order.lines;
    expect(retried(refused, { ...order, lines: line ? [{ ...line, actuals: [] }] : [] })).toEqual(queued(removal));
  });
});

test.each<Write>([
  { kind: 'weight', orderProductId: 11, index: 0, weight: 4.87, was: 5 },
  { kind: 'remove-weight', orderProductId: 11, index: 0, was: 5 },
])('a $kind entry of an order that is not on the screen is sent again unchanged (contract §14)', (write) => {
  const refused = queued(write, { status: 'refused', reason: 'Overtaken' });
  expect(retried(refused, undefined)).toEqual(queued(write));
  expect(retried(refused, { ...order, lines: [] })).toEqual(queued(write));
});

test('finding the last payment of an order does not apply the waiting weights, of which there may be thousands (reliability abuse)', () => {
  const weights = Array.from({ length: 5000 }, () => queued({ kind: 'weight', orderProductId: 11, index: 0, weight: 5, was: 4.5 }));
  let reads = 0;
  const counting = Object.defineProperty({ ...order }, 'lines', { enumerable: true, get: () => (reads++, order.lines) });
  expect(lastPaymentIdOf(counting, [...weights, queued(payment, { status: 'sent', paymentId: 31 })])).toBe(31);
  expect(reads).toBeLessThan(5);
});
