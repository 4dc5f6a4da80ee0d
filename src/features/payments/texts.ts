// The UI texts of payments (spec §2, §5, §8; contract §7, §10).
import { dollars, sum, type Cents } from '../../domain/money.ts';
import { balanceText, type PaymentMethod } from '../../domain/payment.ts';
import { NOT_ALL_WEIGHED } from '../../domain/texts.ts';
import { counted, numberText } from '../../shared/counted.ts';
import { NOT_DOLLARS } from '../../shared/texts.ts';
import { enteredByFamilyText } from '../actuals/texts.ts';

export const PAY_NOW = 'Pay Now';

/** Shown after a payment was recorded from the customers table or from a page of the order (contract §10). */
export const PAID = { customers: 'Payment recorded successfully', order: 'Payment successful' } as const;

export const PAYMENT_DISABLED = { title: 'Payment is disabled', description: NOT_ALL_WEIGHED };
export const NOT_WEIGHED_YET = 'A payment can be recorded once all the weights are entered.';
/** Shown in the payment dialog if the customer entered weights that staff have not confirmed. */
export const unconfirmedText = (weights: number): string =>
  `${enteredByFamilyText(weights)} and not confirmed by the distributor yet: look at ${weights === 1 ? 'it' : 'them'} before you take the money.`;
/** Shown if the response to a payment was lost and the balance has changed afterwards. */
export const ANSWER_LOST =
  'The answer to your payment was lost, and the balance has changed since: it is probably recorded. Look at the payments before you pay again.';

export const UNREADABLE = {
  amount: NOT_DOLLARS,
  feePercentage: 'Type a percentage, such as 2 or 2.5',
} as const;

export const NO_PAYMENTS = 'No payments yet. What you record on the Customers tab appears here.';
export const PAYMENT_REVERSED = 'Payment reversed';
/** Tells how much money a reversal gives back, including the card fee. */
export const givenBackText = (amount: Cents, feeAmount: Cents): string =>
  feeAmount === 0
    ? `${dollars(amount)} is given back.`
    : `${dollars(sum([amount, feeAmount]))} is given back: ${dollars(amount)} and its card fee of ${dollars(feeAmount)}.`;
export const REVERSE = 'Reverse…';

/** The states of a payment in the table and in the CSV file. */
export const STATES = { recorded: 'Recorded', reversed: 'Reversed', reversal: 'Reversal' } as const;
export const REASON_MISSING = 'Say why it is reversed';

interface Listed {
  readonly payments: { readonly reversesId: number | null };
}
const reversalsIn = (rows: readonly Listed[]): number => rows.filter(({ payments }) => payments.reversesId !== null).length;

/** Returns, for example, '74 payments, 2 reversals', or '1 of 2 payments, 0 of 1 reversal' when the table is filtered. */
export function countText(shown: readonly Listed[], rows: readonly Listed[]): string {
  const [reversals, shownReversals] = [reversalsIn(rows), reversalsIn(shown)];
  const of = (part: number): string => (shown.length < rows.length ? `${part} of ` : '');
  const payments = `${of(shown.length - shownReversals)}${counted(rows.length - reversals, 'payment')}`;
  return reversals === 0 ? payments : `${payments}, ${of(shownReversals)}${counted(reversals, 'reversal')}`;
}

// The texts of the Pay Now dialog.
export const METHOD_LABELS: Record<PaymentMethod, string> = { Cash: 'Cash', 'Credit Card': 'Credit Card', Check: 'Check', Other: 'Other' };
/** Hints for the description field, by payment method. */
export const METHOD_HINTS: Record<PaymentMethod, string> = {
  Cash: '',
  'Credit Card': 'such as the last four digits of the card',
  Check: 'such as the number of the check',
  Other: 'how it was paid',
};
export const PAYMENT_METHOD = 'Payment method';
export const AMOUNT = 'Amount';
export const IN_DOLLARS = 'in dollars';
export const FEE_PERCENTAGE = 'Fee percentage';
export const IN_PERCENT_ON_TOP = 'in percent, on top';
export const DESCRIPTION = 'Description';
export const TOTAL = 'Total';
export const withCardFeeText = (fee: Cents): string => `with a card fee of ${dollars(fee)}`;
interface Owed {
  readonly customer: string;
  readonly balance: Cents;
  readonly isReady: boolean;
}
/** Returns, for example, 'Abramov, Rivka · Balance $20.00 est.' */
export function owedText({ customer, balance, isReady }: Owed): string {
  const owed = balance < 0 ? balanceText(balance) : `Balance ${balanceText(balance)}`;
  return `${customer} · ${owed}${isReady ? '' : ' est.'}`;
}
/** The label of the button in a row of the customers table. */
export const PAY = 'Pay';
/** Why the button in a row is disabled. */
export const NOT_PAYABLE = { settled: 'Nothing due', refund: 'Refund due', unweighed: 'Not all weighed' } as const;
export const recordPaymentText = (customer: string): string => `Record payment of ${customer}`;

// The texts of the payments tab.
export const PAYMENTS = 'Payments';
export const PAYMENTS_NOUN = 'payments';
export const PAYMENT_HEADERS = {
  time: 'Time',
  customer: 'Customer',
  email: 'Email',
  method: 'Method',
  amount: 'Amount',
  fee: 'Card fee',
  description: 'Description',
  state: 'State',
} as const;
export const TOTALS_BY_METHOD = 'Totals by method';
export const TOGETHER = 'Together';
export const cardFeesText = (fees: Cents): string => `+ ${dollars(fees)} card fees`;

// The texts of the dialog that reverses a payment.
export const reverseText = (amount: Cents, payer: string): string => `Reverse the payment of ${dollars(amount)} by ${payer}`;
export const REVERSE_TITLE = 'Reverse the payment';
interface Reversed {
  readonly amount: Cents;
  readonly feeAmount: Cents;
  readonly paymentMethod: PaymentMethod;
}
export const reversingText = ({ amount, feeAmount, paymentMethod }: Reversed, payer: string): string =>
  `${METHOD_LABELS[paymentMethod]} payment of ${dollars(amount)} by ${payer}. ${givenBackText(amount, feeAmount)} It stays in the list, and a second row takes it back. This cannot be undone.`;
export const noLongerCountsText = (amount: Cents, payer: string): string => `${dollars(amount)} by ${payer} no longer counts.`;
export const REASON = 'Reason';
export const REASON_HINT = 'such as: typed for the wrong family';
export const reverseAmountText = (back: Cents): string => `Reverse ${dollars(back)}`;

/** The server's error messages about payments, and the names of fields with which error messages begin. */
export const tooManyPayments = (most: number): string => `An order has at most ${numberText(most)} payments.`;
export const tooManyPaymentsForAgents = (most: number): string =>
  `This order has ${numberText(most)} payments. Only the distributor can record more.`;
export const PAYMENT_AMOUNT = 'Payment amount';
export const FEE = 'Fee';
