import type { ReactNode } from 'react';
import { Button } from '../../client/ui/forms/button.tsx';
import { Badge } from '../../client/ui/feedback/badge.tsx';
import { RowActions } from '../../client/ui/table/row-actions.tsx';
import { EmailText } from '../../client/ui/table/email-text.tsx';
import type { Column } from '../../client/ui/table/table-column.ts';
import { dollars } from '../../domain/money.ts';
import { reversalConflict } from '../../domain/payment.ts';
import { paymentTime } from '../../shared/dates.ts';
import { sortNameOrEmail } from '../../shared/person-name.ts';
import type { PaymentRow } from './contract.ts';
import { stateOf } from './csv.ts';
import { METHOD_LABELS, PAYMENT_HEADERS, REVERSE, reverseText, STATES } from './texts.ts';

/** Returns the payer as the table lists and sorts it: by the name, or by the e-mail address if the customer has no name. */
export const payerOf = ({ contacts, users }: PaymentRow): string => sortNameOrEmail({ ...contacts, ...users });

/** The columns of the table with the payments of a distribution (spec §2, contract §7). */
export const paymentColumns = (onReverse: (row: PaymentRow) => void): readonly Column<PaymentRow>[] => [
  {
    id: 'time',
    header: PAYMENT_HEADERS.time,
    value: ({ payments }) => payments.createdAt,
    text: ({ payments }) => paymentTime(payments.createdAt),
    cell: ({ payments }) => <span className="whitespace-nowrap">{paymentTime(payments.createdAt)}</span>,
    filter: 'text',
    width: '10.75rem',
  },
  { id: 'customer', header: PAYMENT_HEADERS.customer, value: payerOf, filter: 'text', card: 'title', width: '11.5rem' },
  {
    id: 'email',
    header: PAYMENT_HEADERS.email,
    value: ({ users }) => users.email,
    cell: ({ users }) => <EmailText email={users.email} />,
    filter: 'text',
    card: 'line',
    isFolded: true,
    width: '12.5rem',
  },
  {
    id: 'method',
    header: PAYMENT_HEADERS.method,
    value: ({ payments }) => METHOD_LABELS[payments.paymentMethod],
    filter: 'text',
    width: '7rem',
  },
  {
    id: 'amount',
    header: PAYMENT_HEADERS.amount,
    value: ({ payments }) => payments.amount,
    text: ({ payments }) => dollars(payments.amount),
    filter: 'text',
    align: 'end',
    width: '7rem',
  },
  {
    id: 'fee',
    header: PAYMENT_HEADERS.fee,
    value: ({ payments }) => payments.feeAmount || null,
    text: ({ payments }) => (payments.feeAmount === 0 ? '—' : dollars(payments.feeAmount)),
    filter: 'text',
    align: 'end',
    isFolded: true,
    width: '6.5rem',
  },
  {
    id: 'description',
    header: PAYMENT_HEADERS.description,
    value: ({ payments }) => payments.description,
    filter: 'text',
    isFolded: true,
    width: '9rem',
  },
  {
    id: 'state',
    header: PAYMENT_HEADERS.state,
    value: (row) => STATES[stateOf(row)],
    cell: (row) => <State row={row} onReverse={onReverse} />,
    filter: 'text',
    align: 'end',
    width: '8rem',
  },
];

/** Shows the Reverse button if the payment can be reversed, otherwise the state of the payment. */
function State({ row, onReverse }: { row: PaymentRow; onReverse: (row: PaymentRow) => void }): ReactNode {
  const { payments } = row;
  const mayReverse = reversalConflict(payments) === null;
  return (
    <RowActions>
      {mayReverse ? (
        <Button size="s" aria-label={reverseText(payments.amount, payerOf(row))} onClick={() => onReverse(row)}>
          {REVERSE}
        </Button>
      ) : (
        <Badge tone={payments.isReversed ? 'bad' : 'none'}>{STATES[stateOf(row)]}</Badge>
      )}
    </RowActions>
  );
}
