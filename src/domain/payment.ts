// Computes the balance of an order and the reasons to refuse a payment (spec §2 Pay Now dialog, §5, contract §7).
import { isBlankText } from './blank.ts';
import { basisPoints, type BasisPoints, type Cents, dollars, minus, negated, percentOf, sum } from './money.ts';
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

/** Returns the rate of the card fee that the payment dialog proposes (spec §9). */
export const defaultFeeRate = (method: PaymentMethod): BasisPoints => (method === 'Credit Card' ? CREDIT_CARD_RATE : basisPoints(0));

export const cardFee = (amount: Cents, rate: BasisPoints): Cents => percentOf(amount, rate);
export const amountWithFee = (amount: Cents, rate: BasisPoints): Cents => sum([amount, cardFee(amount, rate)]);

/** Returns the amount still due. Card fees do not lower the balance (contract §7). */
export const balanceOf = (orderAmount: Cents, payments: readonly { readonly amount: Cents }[]): Cents =>
  minus(orderAmount, sum(payments.map((payment) => payment.amount)));

export const balanceText = (balance: Cents): string => (balance < 0 ? refundDue(dollars(negated(balance))) : dollars(balance));

/** Whether a payment can be recorded: the order is fully weighed and a balance is due (spec §5). */
export const mayPay = (order: { readonly hasAllActuals: boolean; readonly balance: Cents }): boolean =>
  order.hasAllActuals && order.balance > 0;

export interface PaidAmount {
  readonly paymentMethod: PaymentMethod;
  readonly amount: Cents;
  /** The card fee, which is added to the amount and does not lower the balance (contract §7). In a reversal, both are negative. */
  readonly feeAmount: Cents;
}

/** Returns the money that changes hands: the amount of a payment with its card fee. */
export const receivedAmount = ({ amount, feeAmount }: Pick<PaidAmount, 'amount' | 'feeAmount'>): Cents => sum([amount, feeAmount]);

interface Payment extends PaidAmount {
  readonly description?: string | null | undefined;
}

type Problems = { readonly [field in 'amount' | 'feeAmount' | 'description']: string | null };

/** Returns one message per field of a payment, or null where the field is valid (spec §5). `paymentConflict` checks the order instead. */
export function paymentProblems({ paymentMethod, amount, feeAmount, description }: Payment): Problems {
  return {
    amount: amount < 1 ? PAYMENT_TOO_SMALL : null,
    feeAmount: feeProblem(paymentMethod, amount, feeAmount),
    description: paymentMethod === 'Cash' || !isBlankText(description) ? null : DESCRIPTION_WANTED,
  };
}

/** Returns the error in the card fee, or null. The fee must not be larger than the amount of the payment (our choice). */
function feeProblem(method: PaymentMethod, amount: Cents, feeAmount: Cents): string | null {
  if (feeAmount < 0) return NEGATIVE_FEE;
  if (method !== 'Credit Card' && feeAmount > 0) return FEE_WITHOUT_CARD;
  return feeAmount > Math.max(amount, 0) ? FEE_ABOVE_PAYMENT : null;
}

/** Returns the first message of `paymentProblems`, or null when all fields are valid. */
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
