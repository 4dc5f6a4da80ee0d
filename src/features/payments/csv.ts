// The columns of the CSV file with the payments of a distribution (spec §9: distribution-{id}-payments).
import { plainDollars } from '../../domain/money.ts';
import type { CsvColumn } from '../../shared/csv/write-csv.ts';
import { fileTime } from '../../shared/dates.ts';
import type { PaymentRow } from './contract.ts';
import { STATES } from './texts.ts';

export const stateOf = ({ payments }: PaymentRow): keyof typeof STATES =>
  payments.reversesId !== null ? 'reversal' : payments.isReversed ? 'reversed' : 'recorded';

export const PAYMENTS_CSV: readonly CsvColumn<PaymentRow>[] = [
  { header: 'Payment', value: ({ payments }) => payments.id },
  { header: 'Time', value: ({ payments }) => fileTime(payments.createdAt) },
  { header: 'First name', value: ({ contacts }) => contacts.firstName },
  { header: 'Last name', value: ({ contacts }) => contacts.lastName },
  { header: 'Email', value: ({ users }) => users.email },
  { header: 'Order', value: ({ payments }) => payments.orderId },
  { header: 'Method', value: ({ payments }) => payments.paymentMethod },
  { header: 'Amount', value: ({ payments }) => plainDollars(payments.amount) },
  { header: 'Card fee', value: ({ payments }) => plainDollars(payments.feeAmount) },
  { header: 'Description', value: ({ payments }) => payments.description },
  { header: 'State', value: (row) => STATES[stateOf(row)] },
];
