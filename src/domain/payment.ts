// What a payment carries, what is left to pay, and when paying is refused (spec §2 Pay Now dialog, §5, contract §7).
import { basisPoints, type BasisPoints, cents, type Cents, dollars, minus, percentOf, sum } from './money.ts';

export const PAYMENT_METHODS = ['Cash', 'Credit Card', 'Check', 'Other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

const CREDIT_CARD_RATE = basisPoints(200);

/** The card fee that the dialog starts with (spec §9). */
export const defaultFeeRate = (method: PaymentMethod): BasisPoints => (method === 'Credit Card' ? CREDIT_CARD_RATE : basisPoints(0));

export const cardFee = (amount: Cents, rate: BasisPoints): Cents => percentOf(amount, rate);
export const amountWithFee = (amount: Cents, rate: BasisPoints): Cents => sum([amount, cardFee(amount, rate)]);

/** What is still due; the card fee is on top of a payment and does not lower it (contract §7). */
export const balanceOf = (orderAmount: Cents, payments: readonly { readonly amount: Cents }[]): Cents =>
  minus(orderAmount, sum(payments.map((payment) => payment.amount)));

export const balanceText = (balance: Cents): string => (balance < 0 ? `Refund due ${dollars(minus(cents(0), balance))}` : dollars(balance));

/** Whether the record-payment button is enabled (spec §5). */
export const mayPay = (order: { readonly hasAllActuals: boolean; readonly balance: Cents }): boolean =>
  order.hasAllActuals && order.balance > 0;

interface Payment {
  readonly paymentMethod: PaymentMethod;
  readonly amount: Cents;
  readonly feeAmount: Cents;
  readonly description?: string | null | undefined;
}

/** What is wrong with a payment in itself, or null (spec §5). */
export function paymentProblem({ paymentMethod, amount, feeAmount, description }: Payment): string | null {
  if (amount < 1) return 'Payment amount must be at least $0.01';
  if (feeAmount < 0) return 'Fee percentage must be non-negative';
  if (paymentMethod !== 'Credit Card' && feeAmount > 0) return 'Only a Credit Card payment carries a fee.';
  return paymentMethod === 'Cash' || description?.trim() ? null : 'A description is required unless the method is Cash.';
}

/** Why the state of the order forbids a payment, or null (contract §7). */
export function paymentConflict(order: { readonly hasAllActuals: boolean; readonly balance: Cents }, amount: Cents): string | null {
  if (!order.hasAllActuals) return 'Are all the weights entered?';
  return amount > order.balance ? `The payment is above the balance: ${balanceText(order.balance)}.` : null;
}
