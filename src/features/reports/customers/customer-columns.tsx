import { PencilLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../../client/ui/feedback/badge.tsx';
import { PHONE, useMedia } from '../../../client/hooks/use-media.ts';
import { EmailText } from '../../../client/ui/table/email-text.tsx';
import { renderCell, type Column } from '../../../client/ui/table/table-column.ts';
import { dollars } from '../../../domain/money.ts';
import { balanceText } from '../../../domain/payment.ts';
import { sortNameOrEmail, sortName, sortedByName, searchTextOf } from '../../../shared/person-name.ts';
import { contactOfText } from '../../users/texts.ts';
import type { CustomerReportRow } from '../contract.ts';
import { hasNote, hasSlot } from '../csv.ts';
import { isPlaced } from './order-progress.tsx';
import { ESTIMATED_MEANING, CUSTOMER_HEADERS, NO_ORDER, NONE_NEEDED, ofText, PAID } from '../texts.ts';
import { enteredByFamilyText } from '../../actuals/texts.ts';
import { ESTIMATED } from '../../orders/texts.ts';

export const nameOf = (row: CustomerReportRow): string => sortName(row.first_name, row.last_name);

/** Returns the name of a customer, or the e-mail address when the customer has no name. Use it where no column shows the e-mail address. */
export const displayNameOf = ({ first_name, last_name, email }: CustomerReportRow): string =>
  sortNameOrEmail({ firstName: first_name, lastName: last_name, email });

/** Sorts the customers by name, which is the default order of the table. The server returns the customers sorted by id. */
export const customersByName = (rows: readonly CustomerReportRow[]): CustomerReportRow[] =>
  sortedByName(rows, ({ first_name, last_name, email }) => ({ firstName: first_name, lastName: last_name, email }));

const NOTHING: ReactNode = <span className="text-ink-soft">—</span>;

const EST: ReactNode = (
  <abbr title={ESTIMATED_MEANING} className="text-ink-soft no-underline">
    {ESTIMATED}
  </abbr>
);

/** These columns form the table that lists the customers of a distribution (spec §2). The caller appends the column of row links. */
export const CUSTOMER_COLUMNS: readonly Column<CustomerReportRow>[] = [
  {
    id: 'name',
    header: CUSTOMER_HEADERS.name,
    value: (row) => nameOf(row) || null,
    filter: 'words',
    text: (row) => searchTextOf({ ...row, firstName: row.first_name, lastName: row.last_name }),
    cell: (row) => (nameOf(row) ? <span className="wrap-anywhere">{nameOf(row)}</span> : <Nameless email={row.email} />),
    card: 'title',
    width: '11rem',
  },
  {
    id: 'email',
    header: CUSTOMER_HEADERS.email,
    value: (row) => row.email,
    cell: (row) => <Reached row={row} />,
    card: 'line',
    isFolded: true,
    width: '13rem',
  },
  {
    id: 'items',
    header: CUSTOMER_HEADERS.items,
    value: (row) => (isPlaced(row) ? row.order_quantity_count : null),
    cell: (row) => (isPlaced(row) ? row.order_quantity_count : NOTHING),
    align: 'end',
    card: 'figure',
    isFolded: true,
    width: '4.75rem',
  },
  {
    id: 'weights',
    header: CUSTOMER_HEADERS.weights,
    value: weighedShare,
    cell: (row) => <Weights row={row} />,
    card: 'figure',
    width: '8rem',
  },
  {
    id: 'amount',
    header: CUSTOMER_HEADERS.amount,
    value: (row) => (isPlaced(row) ? row.orderAmount : null),
    cell: (row) => <OrderAmount row={row} />,
    align: 'end',
    card: 'figure',
    isFolded: true,
    width: '8.5rem',
  },
  {
    id: 'balance',
    header: CUSTOMER_HEADERS.balance,
    value: (row) => row.balance,
    cell: (row) => <Balance row={row} />,
    align: 'end',
    card: 'lead',
    width: '8.5rem',
  },
];

const SLOT: Column<CustomerReportRow> = {
  id: 'slot',
  header: CUSTOMER_HEADERS.slot,
  value: (row) => row.slot ?? null,
  cell: (row) => row.slot ?? NOTHING,
  filter: 'text',
  card: 'figure',
  width: '10rem',
};
const NOTE: Column<CustomerReportRow> = {
  id: 'note',
  header: CUSTOMER_HEADERS.note,
  value: (row) => row.note ?? null,
  filter: 'text',
  card: 'line',
  isFolded: true,
  width: '14rem',
};

/**
 * Returns a column for the pick-up time if any order has a pick-up time, and a column for the note if any order has a note (contract §16).
 */
export const detailColumns = (rows: readonly CustomerReportRow[]): readonly Column<CustomerReportRow>[] => [
  ...(hasSlot(rows) ? [SLOT] : []),
  ...(hasNote(rows) ? [NOTE] : []),
];

export const customerColumns = (onEdit: (customerId: number) => void): readonly Column<CustomerReportRow>[] =>
  CUSTOMER_COLUMNS.map((column) =>
    column.id === 'name'
      ? {
          ...column,
          cell: (row) => (
            <button
              type="button"
              aria-label={contactOfText(displayNameOf(row))}
              onClick={() => onEdit(row.customer_id)}
              className="min-h-11 min-w-11 text-start max-md:-my-2.5 max-md:block hover:underline hover:underline-offset-3 dense:min-h-8"
            >
              {renderCell(column, row)}
              <PencilLine className="ms-1.5 inline size-3.5 align-[-1px] text-ink-soft" aria-hidden />
            </button>
          ),
        }
      : column,
  );

/**
 * Renders what the customers table shows instead of a missing name. On a phone, where each row is a card, this is the e-mail address. On a
 * desktop it is a dash, because the e-mail address has its own column.
 */
function Nameless({ email }: { email: string | null }): ReactNode {
  return (
    <>
      <span className="md:sr-only">{email}</span>
      <span className="hidden text-ink-soft md:inline" aria-hidden>
        —
      </span>
    </>
  );
}

/**
 * Shows the phone number and the e-mail address of a customer. On a phone, the e-mail address is left out when it is already the card's
 * heading.
 */
function Reached({ row }: { row: CustomerReportRow }): ReactNode {
  return (
    <span className="flex flex-wrap gap-x-3 text-ink-soft md:flex-col">
      <span className={nameOf(row) === '' ? 'max-md:hidden' : 'min-w-0 break-words'}>
        <EmailText email={row.email} />
      </span>
      {row.phone !== null && <Telephone number={row.phone} />}
    </span>
  );
}

function Telephone({ number }: { number: string }): ReactNode {
  const isPhone = useMedia(PHONE);
  if (!isPhone)
    return (
      <span dir="ltr" className="text-xs leading-4">
        {number}
      </span>
    );
  return (
    <a href={`tel:${number}`} dir="ltr" className="-my-3 py-3 underline underline-offset-3">
      {number}
    </a>
  );
}

/**
 * Returns the share of an order's units that is weighed. Sorting by it puts the orders with the most left to weigh first, and orders with
 * nothing to weigh (null) last.
 */
function weighedShare(row: CustomerReportRow): number | null {
  return row.expected_count === 0 ? null : row.actual_count / row.expected_count;
}

function Weights({ row }: { row: CustomerReportRow }): ReactNode {
  if (!isPlaced(row)) return <Badge tone="none">{NO_ORDER}</Badge>;
  if (row.expected_count === 0) return <Badge tone="none">{NONE_NEEDED}</Badge>;
  return (
    <span className="inline-flex flex-col items-start gap-1">
      <Badge tone={row.has_all_actuals ? 'good' : 'wait'}>
        <span className="num">{ofText(row.actual_count, row.expected_count)}</span>
      </Badge>
      {row.unconfirmed_count > 0 && (
        <span className="text-xs font-semibold whitespace-normal text-wait">{enteredByFamilyText(row.unconfirmed_count)}</span>
      )}
    </span>
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
  if (row.balance === 0) return isPlaced(row) ? <span className="text-ink-soft">{PAID}</span> : NOTHING;
  // The balance is bold, because the order is fully weighed and the customer can pay now.
  if (row.has_all_actuals) return <b className="font-bold">{balanceText(row.balance)}</b>;
  return (
    <>
      {balanceText(row.balance)} {EST}
    </>
  );
}
