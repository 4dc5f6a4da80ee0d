import { expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import type { PaymentRow } from './contract.ts';
import { methodTotals } from './method-totals.tsx';

let made = 0;
const row = (paymentMethod: PaymentMethod, amount: number, feeAmount = 0): PaymentRow => ({
  payments: {
    id: (made += 1),
    orderId: 1,
    amount: cents(amount),
    feeAmount: cents(feeAmount),
    paymentMethod,
    description: null,
    createdAt: '2027-04-22T15:00:00Z',
    reversesId: null,
    isReversed: false,
  },
  contacts: { firstName: null, lastName: null },
  users: { email: 'rivka@mail.test' },
});

test('methodTotals adds up the payments of each method minus the reversals of that method, and the payments of all methods together', () => {
  const rows = [
    row('Check', 5000),
    row('Credit Card', 2000, 40),
    row('Credit Card', -2000, -40),
    row('Credit Card', 1000, 20),
    row('Check', 1),
  ];
  expect(methodTotals(rows)).toEqual([
    { label: 'Credit Card', amount: 1000, feeAmount: 20 },
    { label: 'Check', amount: 5001, feeAmount: 0 },
    { label: 'Together', amount: 6001, feeAmount: 20 },
  ]);
});

test('methodTotals shows no separate total for a single method, and no totals without payments', () => {
  expect(methodTotals([row('Cash', 700)])).toEqual([{ label: 'Cash', amount: 700, feeAmount: 0 }]);
  expect(methodTotals([])).toEqual([]);
});
