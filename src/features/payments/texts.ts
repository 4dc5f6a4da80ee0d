// Every literal text of payments (spec §2, §5, §8; contract §7, §10).
import { dollars, sum, type Cents } from '../../domain/money.ts';
import { counted } from '../../shared/counted.ts';

export const PAY_NOW = 'Pay Now';

/** Where a payment is taken, and what is said once it is recorded (contract §10). */
export const PAID = { customers: 'Payment recorded successfully', order: 'Payment successful' } as const;

export const PAYMENT_DISABLED = { title: 'Payment is disabled', description: 'Are all the weights entered?' };
export const NOT_WEIGHED_YET = 'A payment can be recorded once all the weights are entered.';
/** After a payment without an answer, once the balance is another one. */
export const ANSWER_LOST =
  'The answer to your payment was lost, and the balance has changed since: it is probably recorded. Look at the payments before you pay again.';
export const NOTHING_DUE = 'Nothing is due.';

export const UNREADABLE = {
  amount: 'Type an amount in dollars, such as 5.00',
  feePercentage: 'Type a percentage, such as 2 or 2.5',
} as const;

export const NO_PAYMENTS = 'No payments yet. What you record on the Customers tab stands here.';
export const PAYMENT_REVERSED = 'Payment reversed';
/** What reversing gives back: the card fee with it. */
export const givenBackText = (amount: Cents, feeAmount: Cents): string =>
  feeAmount === 0
    ? `${dollars(amount)} is given back.`
    : `${dollars(sum([amount, feeAmount]))} is given back: ${dollars(amount)} and its card fee of ${dollars(feeAmount)}.`;
export const REVERSE = 'Reverse…';

/** What became of a row, as the table and the file say it. */
export const STATES = { recorded: 'Recorded', reversed: 'Reversed', reversal: 'Reversal' } as const;
export const REASON_MISSING = 'Say why it is reversed';

interface Listed {
  readonly payments: { readonly reversesId: number | null };
}
const reversalsIn = (rows: readonly Listed[]): number => rows.filter(({ payments }) => payments.reversesId !== null).length;

/** '74 payments, 2 reversals', or which of them are shown: '1 of 2 payments, 0 of 1 reversal'. */
export function countText(shown: readonly Listed[], rows: readonly Listed[]): string {
  const [reversals, shownReversals] = [reversalsIn(rows), reversalsIn(shown)];
  const of = (part: number): string => (shown.length < rows.length ? `${part} of ` : '');
  const payments = `${of(shown.length - shownReversals)}${counted(rows.length - reversals, 'payment')}`;
  return reversals === 0 ? payments : `${payments}, ${of(shownReversals)}${counted(reversals, 'reversal')}`;
}
