import type { Column } from '../../client/ui/table-column.ts';
import { dollars, plainDollars, type Cents } from '../../domain/money.ts';
import { balanceText } from '../../domain/payment.ts';
import type { Takings } from '../../domain/takings.ts';
import type { CsvColumn } from '../../shared/csv-write.ts';
import type { CustomerReportRow } from './contract.ts';
import { paidOf } from './csv.ts';
import { calledOf, nameOf } from './customer-columns.tsx';
import { Person } from './person.tsx';

const whetherWeighed = (row: CustomerReportRow): string => (row.has_all_actuals ? 'Final' : 'Estimated');

function money<Row>(id: string, header: string, value: (row: Row) => Cents): Column<Row> {
  return { id, header, value, text: (row) => dollars(value(row)), align: 'end', width: '8.5rem' };
}

/** Money in: what came by which method. */
export const TAKINGS_COLUMNS: readonly Column<Takings>[] = [
  { id: 'method', header: 'Method', value: (row) => row.paymentMethod, card: 'title', width: '9rem' },
  { id: 'payments', header: 'Payments', value: (row) => row.payments, align: 'end', width: '7.5rem' },
  money('taken', 'Taken', (row) => row.taken),
  money('reversed', 'Reversed', (row) => row.reversed),
  money('amount', 'Paid on orders', (row) => row.amount),
  money('fee', 'Card fees', (row) => row.feeAmount),
  money('received', 'Received', (row) => row.received),
];

export const TAKINGS_CSV: readonly CsvColumn<Takings>[] = [
  { header: 'Method', value: (row) => row.paymentMethod },
  { header: 'Payments', value: (row) => row.payments },
  { header: 'Taken', value: (row) => plainDollars(row.taken) },
  { header: 'Reversed', value: (row) => plainDollars(row.reversed) },
  { header: 'Paid on orders', value: (row) => plainDollars(row.amount) },
  { header: 'Card fees', value: (row) => plainDollars(row.feeAmount) },
  { header: 'Received', value: (row) => plainDollars(row.received) },
];

/** Money due: whose balance is not zero. */
export const DUE_COLUMNS: readonly Column<CustomerReportRow>[] = [
  {
    id: 'customer',
    header: 'Customer',
    value: (row) => calledOf(row),
    text: (row) => `${nameOf(row)} ${row.email}`,
    cell: (row) => <Person name={nameOf(row)} email={row.email} />,
    filter: 'text',
    card: 'title',
    width: '15rem',
  },
  { id: 'order', header: 'Order', value: (row) => row.order_id, align: 'end', width: '6rem' },
  { id: 'state', header: 'Amount is', value: whetherWeighed, filter: 'text', width: '8rem' },
  money('amount', 'Amount', (row) => row.orderAmount),
  money('paid', 'Paid', paidOf),
  {
    id: 'balance',
    header: 'Balance',
    value: (row) => row.balance,
    text: (row) => balanceText(row.balance),
    align: 'end',
    width: '10rem',
  },
];

export const DUE_CSV: readonly CsvColumn<CustomerReportRow>[] = [
  { header: 'Last name', value: (row) => row.last_name },
  { header: 'First name', value: (row) => row.first_name },
  { header: 'Email', value: (row) => row.email },
  { header: 'Order', value: (row) => row.order_id },
  { header: 'Amount is', value: whetherWeighed },
  { header: 'Amount', value: (row) => plainDollars(row.orderAmount) },
  { header: 'Paid', value: (row) => plainDollars(paidOf(row)) },
  { header: 'Balance', value: (row) => plainDollars(row.balance) },
];
