// Computes the amounts that a till should contain, and their difference from the counted amounts (contract §15). A till contains the
// payments that its user received, with their card fees, minus reversals. The cash also includes the float, the money in the till at the
// start.
import { minus, sum, type Cents } from '../money.ts';
import type { PaidAmount, PaymentMethod } from '../payment.ts';

export const TILL_METHODS = ['cash', 'check', 'card', 'other'] as const;
export type TillMethod = (typeof TILL_METHODS)[number];
export type TillSums = Readonly<Record<TillMethod, Cents>>;

const METHOD_OF: Readonly<Record<PaymentMethod, TillMethod>> = { Cash: 'cash', Check: 'check', 'Credit Card': 'card', Other: 'other' };

const sumsOf = (amountOf: (method: TillMethod) => Cents): TillSums => ({
  cash: amountOf('cash'),
  check: amountOf('check'),
  card: amountOf('card'),
  other: amountOf('other'),
});

export function receivedBy(payments: readonly PaidAmount[]): TillSums {
  const byMethod = Map.groupBy(payments, ({ paymentMethod }) => METHOD_OF[paymentMethod]);
  return sumsOf((method) => sum((byMethod.get(method) ?? []).flatMap(({ amount, feeAmount }) => [amount, feeAmount])));
}

export const expectedIn = (float: Cents, received: TillSums): TillSums => ({ ...received, cash: sum([float, received.cash]) });

/** Returns the counted amounts minus the expected amounts, by payment method. A difference is negative when money is missing. */
export const differenceOf = (counted: TillSums, expected: TillSums): TillSums =>
  sumsOf((method) => minus(counted[method], expected[method]));

export const sumOfTills = (all: readonly TillSums[]): TillSums => sumsOf((method) => sum(all.map((sums) => sums[method])));
export const totalOf = (sums: TillSums): Cents => sum(TILL_METHODS.map((method) => sums[method]));

/** Returns the amounts that a till received, without the float. */
export const withoutFloat = (expected: TillSums, float: Cents): TillSums => ({ ...expected, cash: minus(expected.cash, float) });
