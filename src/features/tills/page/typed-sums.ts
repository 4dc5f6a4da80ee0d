import * as z from 'zod/mini';
import type { TillMethod, TillSums } from '../../../domain/counter/till.ts';
import { cents, parseDollars, parseSigned, type Cents } from '../../../domain/money.ts';
import { NOT_DOLLARS } from '../../../shared/texts.ts';
import { NEGATIVE_CASH, NEGATIVE_FLOAT } from '../texts.ts';

/**
 * Returns a form field in which the user types an amount in dollars. The field's value is in cents. The sum of a payment method is
 * negative if more money was refunded than received. `problemOf` returns the error message for an amount that the field refuses, or null.
 */
const typedDollars = (problemOf: (amount: Cents) => string | null = () => null) =>
  z.pipe(
    z.string(),
    z.transform((text, context): Cents => {
      const typed = parseSigned(text, parseDollars);
      const amount = cents(typed ?? 0);
      const message = typed === null ? NOT_DOLLARS : problemOf(amount);
      if (message !== null) context.issues.push({ code: 'custom', message, input: text });
      return amount;
    }),
  );

const notNegative = (message: string) => typedDollars((amount) => (amount < 0 ? message : null));

export const TypedFloat = z.object({ float: notNegative(NEGATIVE_FLOAT) });
export const TypedSums = z.object({ cash: notNegative(NEGATIVE_CASH), check: typedDollars(), card: typedDollars(), other: typedDollars() });

/**
 * Returns the initial values of the form. The user must type the cash and the sum of each payment method with payments. If the form
 * contained 0.00, a sum that nobody has counted would count as missing money.
 */
export const initialSums = ({ check, card, other }: TillSums): Record<TillMethod, string> => ({
  cash: '',
  check: initialSum(check),
  card: initialSum(card),
  other: initialSum(other),
});
const initialSum = (expected: Cents): string => (expected === 0 ? '0.00' : '');
