import type { ReactNode } from 'react';
import { Pill } from '../../client/ui/pill.tsx';
import type { Column } from '../../client/ui/table-column.ts';
import { dollars } from '../../domain/money.ts';
import { balanceText } from '../../domain/payment.ts';
import { listedAs, listedName } from '../users/texts.ts';
import type { CustomerReportRow } from './contract.ts';
import { isPlaced } from './order-progress.tsx';

export const nameOf = (row: CustomerReportRow): string => listedName(row.first_name, row.last_name);

/** What a person is called where no column says the e-mail. */
export const calledOf = ({ first_name, last_name, email }: CustomerReportRow): string =>
  listedAs({ firstName: first_name, lastName: last_name, email });

const NOTHING: ReactNode = <span className="text-ink-soft">—</span>;

const EST: ReactNode = (
  <abbr title="estimated: not everything is weighed yet" className="text-ink-soft no-underline">
    est.
  </abbr>
);

/** The customers of a distribution (spec §2); the column of row links goes last. */
export const CUSTOMER_COLUMNS: readonly Column<CustomerReportRow>[] = [
  {
    id: 'name',
    header: 'Customer',
    value: (row) => nameOf(row) || null,
    // What the search field searches.
    text: (row) => `${nameOf(row)} ${row.first_name ?? ''} ${row.last_name ?? ''} ${row.email}`,
    cell: (row) => nameOf(row) || NOTHING,
    card: 'title',
    width: '10.5rem',
  },
  {
    id: 'email',
    header: 'Email',
    value: (row) => row.email,
    cell: (row) => <span className="text-ink-soft">{row.email}</span>,
    width: '13.5rem',
  },
  {
    id: 'items',
    header: 'Items',
    value: (row) => row.order_quantity_count,
    cell: (row) => (isPlaced(row) ? row.order_quantity_count : NOTHING),
    align: 'end',
    width: '5rem',
  },
  { id: 'weights', header: 'Weights', value: weighedShare, cell: (row) => <Weights row={row} />, width: '8.5rem' },
  {
    id: 'amount',
    header: 'Amount',
    value: (row) => row.orderAmount,
    cell: (row) => <OrderAmount row={row} />,
    align: 'end',
    width: '8.75rem',
  },
  { id: 'balance', header: 'Balance', value: (row) => row.balance, cell: (row) => <Balance row={row} />, align: 'end', width: '9rem' },
];

/** Sorts those with most left to weigh first, those with nothing to weigh last. */
function weighedShare(row: CustomerReportRow): number | null {
  return row.expected_count === 0 ? null : row.actual_count / row.expected_count;
}

function Weights({ row }: { row: CustomerReportRow }): ReactNode {
  if (!isPlaced(row)) return <Pill tone="none">No order</Pill>;
  if (row.expected_count === 0) return <Pill tone="none">None needed</Pill>;
  return (
    <Pill tone={row.has_all_actuals ? 'good' : 'wait'}>
      <span className="num">{`${row.actual_count} of ${row.expected_count}`}</span>
    </Pill>
  );
}

function OrderAmount({ row }: { row: CustomerReportRow }): ReactNode {
  if (!isPlaced(row)) return NOTHING;
  if (row.has_all_actuals) return dollars(row.orderAmount);
  return (
    <>
      {dollars(row.orderAmount)} {EST}
    </>
  );
}

function Balance({ row }: { row: CustomerReportRow }): ReactNode {
  if (row.balance === 0) return isPlaced(row) ? <span className="text-ink-soft">Paid</span> : NOTHING;
  // What can be paid now stands out.
  if (row.has_all_actuals) return <b className="font-bold">{balanceText(row.balance)}</b>;
  return (
    <>
      {balanceText(row.balance)} {EST}
    </>
  );
}
