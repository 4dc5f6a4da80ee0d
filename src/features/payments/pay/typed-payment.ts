import * as z from 'zod/mini';
import { cents, parseDollars, parsePercent, plainDollars, plainPercent } from '../../../domain/money.ts';
import type { Cents } from '../../../domain/money.ts';
import { amountWithFee, cardFee, defaultFeeRate, PAYMENT_METHODS, paymentConflict, paymentProblems } from '../../../domain/payment.ts';
import type { PaymentMethod } from '../../../domain/payment.ts';
import type { NewPayment } from '../contract.ts';
import { UNREADABLE } from '../texts.ts';

/** The fields of the Pay Now dialog (spec §2). */
const TypedPayment = z.object({
  paymentMethod: z.enum(PAYMENT_METHODS),
  amount: z.string(),
  feePercentage: z.string(),
  description: z.string(),
});
export type TypedPayment = z.infer<typeof TypedPayment>;
export type NewPaymentBody = z.output<typeof NewPayment>;

/** The fee percentage that a method suggests (spec §4). */
export const feePercentageOf = (method: PaymentMethod): string => plainPercent(defaultFeeRate(method));

export const typedFor = (balance: Cents): TypedPayment => ({
  paymentMethod: 'Cash',
  amount: plainDollars(balance > 0 ? balance : cents(0)),
  feePercentage: feePercentageOf('Cash'),
  description: '',
});

/** This field exists for Credit Card only. */
const percentageIn = ({ paymentMethod, feePercentage }: TypedPayment): string =>
  paymentMethod === 'Credit Card' ? feePercentage : feePercentageOf(paymentMethod);

/** The card fee and amount × (1 + fee% / 100) (spec §2); null while the fields are unreadable. */
export function totalsIn(typed: TypedPayment): { fee: Cents; total: Cents } | null {
  const [amount, rate] = [parseDollars(typed.amount), parsePercent(percentageIn(typed))];
  return amount === null || rate === null ? null : { fee: cardFee(amount, rate), total: amountWithFee(amount, rate) };
}

/** Parses a minus sign, so that the rule against negative amounts applies. */
function signed(text: string, parse: (digits: string) => number | null): number | null {
  const [, sign, digits = ''] = /^\s*(-?)(.*)$/s.exec(text) ?? [];
  const value = parse(digits);
  return value !== null && sign === '-' ? -value : value;
}

function read(typed: TypedPayment, balance: Cents) {
  const { paymentMethod, description } = typed;
  const amount = signed(typed.amount, parseDollars);
  const rate = signed(percentageIn(typed), parsePercent);
  const feeAmount = rate !== null && rate < 0 ? cents(rate) : (totalsIn(typed)?.fee ?? cents(0));
  const payment = {
    paymentMethod,
    amount: cents(amount ?? 0),
    feeAmount,
    description: paymentMethod === 'Cash' ? null : description.trim(),
  };
  const wrong = paymentProblems(payment);
  const problems = {
    amount: amount === null ? UNREADABLE.amount : (wrong.amount ?? paymentConflict({ hasAllActuals: true, balance }, payment.amount)),
    feePercentage: rate === null ? UNREADABLE.feePercentage : wrong.feeAmount,
    description: wrong.description,
  };
  return { payment, problems };
}

/** Parses the typed text into the call's body, with each problem beside its field. */
export const paymentIn = (balance: Cents) =>
  z.pipe(
    TypedPayment,
    z.transform((typed, context): NewPaymentBody => {
      const { payment, problems } = read(typed, balance);
      for (const [field, message] of Object.entries(problems)) {
        if (message !== null) context.issues.push({ code: 'custom', path: [field], message, input: typed });
      }
      return payment;
    }),
  );
