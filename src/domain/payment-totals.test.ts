import { expect, test } from 'vitest';
import { cents } from './money.ts';
import { openBalancesOf, totalsByMethod } from './payment-totals.ts';
import type { PaymentMethod } from './payment.ts';

const payment = (paymentMethod: PaymentMethod, amount: number, feeAmount = 0, reversesId: number | null = null) => ({
  paymentMethod,
  amount: cents(amount),
  feeAmount: cents(feeAmount),
  reversesId,
});

test('the total of a payment method subtracts the amount and card fee of a reversal, and still counts the reversed payment (contract §9)', () => {
  const payments = [
    payment('Check', 2500),
    payment('Credit Card', 10_000, 200),
    payment('Credit Card', 5000, 100),
    payment('Credit Card', -5000, -100, 3),
    payment('Cash', 4529),
    payment('Cash', -4529, 0, 5),
  ];
  expect(totalsByMethod(payments)).toEqual([
    { paymentMethod: 'Cash', payments: 1, taken: 4529, reversed: -4529, amount: 0, feeAmount: 0, received: 0 },
    { paymentMethod: 'Credit Card', payments: 2, taken: 15_000, reversed: -5000, amount: 10_000, feeAmount: 200, received: 10_200 },
    { paymentMethod: 'Check', payments: 1, taken: 2500, reversed: 0, amount: 2500, feeAmount: 0, received: 2500 },
  ]);
  expect(totalsByMethod([])).toEqual([]);
});

test("openBalancesOf reports refunds due separately, so that they do not lower the sum of the other customers' balances", () => {
  const order = (balance: number, has_all_actuals: boolean) => ({ balance: cents(balance), has_all_actuals });
  const orders = [order(4529, true), order(11_123, false), order(-310, true), order(0, true), order(-40, false), order(1, true)];
  expect(openBalancesOf(orders)).toEqual({ weighed: 4530, estimated: 11_123, due: 15_653, refunds: 350 });
  expect(openBalancesOf([])).toEqual({ weighed: 0, estimated: 0, due: 0, refunds: 0 });
});
