// Defines the parts of a payment, the balance, and the reasons to refuse a payment (spec §2 Pay Now dialog, §5, contract §7).
import { isBlankText } from './blank.ts';
import { basisPoints, type BasisPoints, cents, type Cents, dollars, minus, percentOf, sum } from './money.ts';
import {
  aboveBalance,
  DESCRIPTION_WANTED,
  FEE_ABOVE_PAYMENT,
  FEE_WITHOUT_CARD,
  NEGATIVE_FEE,
  NOT_ALL_WEIGHED,
  PAYMENT_TOO_SMALL,
  refundDue,
  REVERSAL_STANDS,
  REVERSED_ALREADY,
} from './texts.ts';

export const PAYMENT_METHODS = ['Cash', 'Credit Card', 'Check', 'Other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

const CREDIT_CARD_RATE = basisPoints(200);

/** The card fee rate that the dialog proposes (spec §9). */
export const defaultFeeRate = (method: PaymentMethod): BasisPoints => (method === 'Credit Card' ? CREDIT_CARD_RATE : basisPoints(0));

export const cardFee = (amount: Cents, rate: BasisPoints): Cents => percentOf(amount, rate);
export const amountWithFee = (amount: Cents, rate: BasisPoints): Cents => sum([amount, cardFee(amount, rate)]);

/** Returns the amount still due. Card fees do not lower the balance (contract §7). */
export const balanceOf = (orderAmount: Cents, payments: readonly { readonly amount: Cents }[]): Cents =>
  minus(orderAmount, sum(payments.map((payment) => payment.amount)));

export const balanceText = (balance: Cents): string => (balance < 0 ? refundDue(dollars(minus(cents(0), balance))) : dollars(balance));

/** Whether the record-payment button is enabled (spec §5). */
export const mayPay = (order: { readonly hasAllActuals: boolean; readonly balance: Cents }): boolean =>
  order.hasAllActuals && order.balance > 0;

interface Payment {
  readonly paymentMethod: PaymentMethod;
  readonly amount: Cents;
  readonly feeAmount: Cents;
  readonly description?: string | null | undefined;
}

type Problems = { readonly [field in 'amount' | 'feeAmount' | 'description']: string | null };

/** Returns the errors in the fields of a payment (spec §5); `paymentConflict` checks the state of the order. */
export function paymentProblems({ paymentMethod, amount, feeAmount, description }: Payment): Problems {
  return {
    amount: amount < 1 ? PAYMENT_TOO_SMALL : null,
    feeAmount: feeProblem(paymentMethod, amount, feeAmount),
    description: paymentMethod === 'Cash' || !isBlankText(description) ? null : DESCRIPTION_WANTED,
  };
}

/** The card fee is at most the payment itself (our choice). */
function feeProblem(method: PaymentMethod, amount: Cents, feeAmount: Cents): string | null {
  if (feeAmount < 0) return NEGATIVE_FEE;
  if (method !== 'Credit Card' && feeAmount > 0) return FEE_WITHOUT_CARD;
  return feeAmount > Math.max(amount, 0) ? FEE_ABOVE_PAYMENT : null;
}

/** Returns the first problem of the payment's fields, or null. */
export const paymentProblem = (payment: Payment): string | null =>
  Object.values(paymentProblems(payment)).find((problem) => problem !== null) ?? null;

/** Returns the reason why the order's state forbids a payment, or null (contract §7). */
export function paymentConflict(order: { readonly hasAllActuals: boolean; readonly balance: Cents }, amount: Cents): string | null {
  if (!order.hasAllActuals) return NOT_ALL_WEIGHED;
  return amount > order.balance ? aboveBalance(balanceText(order.balance)) : null;
}

/**
 * Returns the reason why a payment cannot be reversed, or null. A reversal cannot be reversed, and a payment is reversed once at most
 * (contract §7).
 */
export function reversalConflict(payment: { readonly reversesId: number | null; readonly isReversed: boolean }): string | null {
  if (payment.reversesId !== null) return REVERSAL_STANDS;
  return payment.isReversed ? REVERSED_ALREADY : null;
}
