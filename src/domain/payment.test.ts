import { expect, test } from 'vitest';
import { basisPoints, cents } from './money.ts';
import {
  amountWithFee,
  balanceOf,
  balanceText,
  cardFee,
  defaultFeeRate,
  mayPay,
  PAYMENT_METHODS,
  paymentConflict,
  paymentProblem,
  reversalConflict,
} from './payment.ts';

test('the payment methods are Cash, Credit Card, Check and Other (spec §3)', () => {
  expect(PAYMENT_METHODS).toEqual(['Cash', 'Credit Card', 'Check', 'Other']);
});

test('the proposed fee is two percent for credit cards, and 0 for other methods (spec §4, §9)', () => {
  expect(PAYMENT_METHODS.map(defaultFeeRate)).toEqual([0, 200, 0, 0]);
});

test.each([
  [10_000, 200, 200, 10_200],
  [1025, 200, 21, 1046],
  [1024, 200, 20, 1044],
  [1000, 250, 25, 1025],
  [10_000, 0, 0, 10_000],
])('for a payment of %d cents at %d basis points, the card fee is %d cents (contract §7)', (amount, rate, fee, together) => {
  expect(cardFee(cents(amount), basisPoints(rate))).toBe(fee);
  expect(amountWithFee(cents(amount), basisPoints(rate))).toBe(together);
});

test.each([
  [10_000, [], 10_000, '$100.00'],
  [10_000, [2500, 2500], 5000, '$50.00'],
  [10_000, [10_000], 0, '$0.00'],
  [10_000, [10_310], -310, 'Refund due $3.10'],
  [10_000, [10_000, -10_000], 10_000, '$100.00'],
])('an order of %d cents with the payments %j has a balance of %d cents (contract §7)', (amount, paid, balance, text) => {
  const left = balanceOf(
    cents(amount),
    paid.map((n) => ({ amount: cents(n) })),
  );
  expect(left).toBe(balance);
  expect(balanceText(left)).toBe(text);
});

test('an order can be paid once it is fully weighed and has a balance (spec §5)', () => {
  expect(mayPay({ hasAllActuals: true, balance: cents(1) })).toBe(true);
  expect(mayPay({ hasAllActuals: false, balance: cents(1) })).toBe(false);
  expect(mayPay({ hasAllActuals: true, balance: cents(0) })).toBe(false);
});

const check = { paymentMethod: 'Check', amount: cents(1), feeAmount: cents(0), description: 'No. 12' } as const;

test.each([
  [check, null],
  [{ ...check, paymentMethod: 'Cash', description: null }, null],
  [{ ...check, paymentMethod: 'Credit Card', feeAmount: cents(1) }, null],
  [{ ...check, paymentMethod: 'Credit Card', feeAmount: cents(2) }, 'The fee is at most as much as the payment.'],
  [{ ...check, amount: cents(0) }, 'Payment amount must be at least $0.01'],
  [{ ...check, amount: cents(-5) }, 'Payment amount must be at least $0.01'],
  [{ ...check, paymentMethod: 'Credit Card', feeAmount: cents(-1) }, 'Fee percentage must be non-negative'],
  [{ ...check, feeAmount: cents(1) }, 'Only a Credit Card payment carries a fee.'],
  [{ ...check, description: undefined }, 'A description is required unless the method is Cash.'],
  [{ ...check, description: ' ' }, 'A description is required unless the method is Cash.'],
  [{ ...check, description: '\u200b\u2060' }, 'A description is required unless the method is Cash.'],
] as const)(
  'for the payment %j, paymentProblem returns the reason %j for a refusal, where null means accepted (spec §9)',
  (payment, problem) => expect(paymentProblem(payment)).toBe(problem),
);

test.each([
  [true, 500, 500, null],
  [true, 500, 501, 'The payment is above the balance: $5.00.'],
  [true, -310, 1, 'The payment is above the balance: Refund due $3.10.'],
  [false, 500, 500, 'Are all the weights entered?'],
])(
  'when hasAllActuals is %s and the balance is %d cents, paymentConflict refuses a payment of %d cents with the reason %j, where null means accepted',
  (hasAllActuals, balance, amount, problem) =>
    expect(paymentConflict({ hasAllActuals, balance: cents(balance) }, cents(amount))).toBe(problem),
);

test.each([
  [{ reversesId: null, isReversed: false }, null],
  [{ reversesId: null, isReversed: true }, 'This payment is reversed already.'],
  [{ reversesId: 7, isReversed: false }, 'A reversal cannot be reversed.'],
])('reversalConflict refuses the reversal of the payment %j with the reason %j, where null means accepted', (payment, problem) =>
  expect(reversalConflict(payment)).toBe(problem),
);
