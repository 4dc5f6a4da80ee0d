import * as z from 'zod/mini';
import { cents, parseDollars, parsePercent, parseSigned, plainDollars, plainPercent } from '../../../domain/money.ts';
import type { Cents } from '../../../domain/money.ts';
import { amountWithFee, cardFee, defaultFeeRate, PAYMENT_METHODS, paymentConflict, paymentProblems } from '../../../domain/payment.ts';
import type { PaymentMethod } from '../../../domain/payment.ts';
import { NEGATIVE_FEE } from '../../../domain/texts.ts';
import type { NewPayment } from '../contract.ts';
import { UNREADABLE } from '../texts.ts';

/** The fields of the Pay Now dialog, as typed (spec §2). */
const TypedPayment = z.object({
  paymentMethod: z.enum(PAYMENT_METHODS),
  amount: z.string(),
  feePercentage: z.string(),
  description: z.string(),
});
export type TypedPayment = z.infer<typeof TypedPayment>;
export type NewPaymentBody = z.output<typeof NewPayment>;

/** The fee percentage that the form proposes for a payment method (spec §4). */
export const feePercentageOf = (method: PaymentMethod): string => plainPercent(defaultFeeRate(method));

export const typedFor = (balance: Cents): TypedPayment => ({
  paymentMethod: 'Cash',
  amount: plainDollars(balance > 0 ? balance : cents(0)),
  feePercentage: feePercentageOf('Cash'),
  description: '',
});

/** Returns the typed fee percentage for Credit Card. The form has no field for it with other methods, so these use their default. */
const percentageIn = ({ paymentMethod, feePercentage }: TypedPayment): string =>
  paymentMethod === 'Credit Card' ? feePercentage : feePercentageOf(paymentMethod);

/** Returns the card fee and the total, which is amount × (1 + fee% / 100) (spec §2). Returns null while a field cannot be parsed. */
export function totalsIn(typed: TypedPayment): { fee: Cents; total: Cents } | null {
  const [amount, rate] = [parseDollars(typed.amount), parsePercent(percentageIn(typed))];
  return amount === null || rate === null ? null : { fee: cardFee(amount, rate), total: amountWithFee(amount, rate) };
}

function read(typed: TypedPayment, balance: Cents) {
  const { paymentMethod, description } = typed;
  const amount = parseSigned(typed.amount, parseDollars);
  const rate = parseSigned(percentageIn(typed), parsePercent);
  const payment = {
    paymentMethod,
    amount: cents(amount ?? 0),
    feeAmount: totalsIn(typed)?.fee ?? cents(0),
    description: paymentMethod === 'Cash' ? null : description.trim(),
  };
  const wrong = paymentProblems(payment);
  const problems = {
    amount: amount === null ? UNREADABLE.amount : (wrong.amount ?? paymentConflict({ hasAllActuals: true, balance }, payment.amount)),
    feePercentage: rate === null ? UNREADABLE.feePercentage : rate < 0 ? NEGATIVE_FEE : wrong.feeAmount,
    description: wrong.description,
  };
  return { payment, problems };
}

/** Returns a schema that parses the typed fields into the request body. Each problem is reported at its field. */
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
