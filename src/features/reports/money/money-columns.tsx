import type { Column } from '../../../client/ui/table/table-column.ts';
import { dollars, type Cents } from '../../../domain/money.ts';
import { balanceText } from '../../../domain/payment.ts';
import type { PaymentTotals } from '../../../domain/payment-totals.ts';
import type { CustomerReportRow } from '../contract.ts';
import { paidOf } from '../csv.ts';
import { displayNameOf, nameOf } from '../customers/customer-columns.tsx';
import { Person } from '../page/person.tsx';
import { TAKINGS_HEADERS, DUE_HEADERS, FINAL, ESTIMATE } from '../texts.ts';
import { METHOD_LABELS } from '../../payments/texts.ts';

const whetherWeighed = (row: CustomerReportRow): string => (row.has_all_actuals ? FINAL : ESTIMATE);

function money<Row>(id: string, header: string, value: (row: Row) => Cents): Column<Row> {
  return { id, header, value, text: (row) => dollars(value(row)), align: 'end', width: '8.5rem' };
}

export const PAYMENT_TOTALS_COLUMNS: readonly Column<PaymentTotals>[] = [
  { id: 'method', header: TAKINGS_HEADERS.method, value: (row) => METHOD_LABELS[row.paymentMethod], card: 'title', width: '9rem' },
  { id: 'payments', header: TAKINGS_HEADERS.payments, value: (row) => row.payments, align: 'end', width: '7.5rem' },
  money('taken', TAKINGS_HEADERS.taken, (row) => row.taken),
  money('reversed', TAKINGS_HEADERS.reversed, (row) => row.reversed),
  money('amount', TAKINGS_HEADERS.amount, (row) => row.amount),
  money('fee', TAKINGS_HEADERS.fee, (row) => row.feeAmount),
  money('received', TAKINGS_HEADERS.received, (row) => row.received),
];

export const OPEN_BALANCES_COLUMNS: readonly Column<CustomerReportRow>[] = [
  {
    id: 'customer',
    header: DUE_HEADERS.customer,
    value: (row) => displayNameOf(row),
    text: (row) => `${nameOf(row)} ${row.email}`,
    cell: (row) => <Person name={nameOf(row)} email={row.email} />,
    filter: 'text',
    card: 'title',
    width: '15rem',
  },
  { id: 'order', header: DUE_HEADERS.order, value: (row) => row.order_id, align: 'end', width: '6rem' },
  { id: 'state', header: DUE_HEADERS.state, value: whetherWeighed, filter: 'text', width: '8rem' },
  money('amount', DUE_HEADERS.amount, (row) => row.orderAmount),
  money('paid', DUE_HEADERS.paid, paidOf),
  {
    id: 'balance',
    header: DUE_HEADERS.balance,
    value: (row) => row.balance,
    text: (row) => balanceText(row.balance),
    align: 'end',
    width: '10rem',
  },
];
