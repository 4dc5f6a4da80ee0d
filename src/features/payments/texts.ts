// Every literal text of payments (spec §2, §5, §8; contract §7, §10).
export const PAY_NOW = 'Pay Now';

/** Where a payment is taken, and what is said once it is recorded (contract §10). */
export const PAID = { customers: 'Payment recorded successfully', order: 'Payment successful' } as const;

export const PAYMENT_DISABLED = { title: 'Payment is disabled', description: 'Are all the weights entered?' };
export const NOT_WEIGHED_YET = 'A payment can be recorded once all the weights are entered.';
export const NOTHING_DUE = 'Nothing is due.';

export const UNREADABLE = {
  amount: 'Type an amount in dollars, such as 5.00',
  feePercentage: 'Type a percentage, such as 2 or 2.5',
} as const;

export const NO_PAYMENTS = 'No payments yet. What you record on the Customers tab stands here.';
export const PAYMENT_REVERSED = 'Payment reversed';
export const REVERSE = 'Reverse…';

/** What became of a row, as the table and the file say it. */
export const STATES = { recorded: 'Recorded', reversed: 'Reversed', reversal: 'Reversal' } as const;
export const REASON_MISSING = 'Say why it is reversed';
