import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Pending } from '../../../client/ui/feedback/pending.tsx';
import { SkeletonTable } from '../../../client/ui/feedback/skeleton.tsx';
import { Table } from '../../../client/ui/table/table.tsx';
import type { Column } from '../../../client/ui/table/table-column.ts';
import { useTable } from '../../../client/ui/table/use-table.ts';
import { useInfiniteRead } from '../../../client/api/use-infinite-read.ts';
import { withDetail } from '../../../domain/product-names.ts';
import { paymentTime } from '../../../shared/dates.ts';
import { withUom } from '../../actuals/texts.ts';
import { OlderChanges } from '../../audit/older-changes.tsx';
import { orderText } from '../../audit/texts.ts';
import { byText } from '../../auth/texts.ts';
import { feeChangeText, termsChangeText } from '../../catalogue/texts.ts';
import { readHistory, type HistoryRow } from '../contract.ts';
import { HISTORY, HISTORY_HEADERS, HISTORY_NOUN, NO_HISTORY, ORDER, PAYMENT, paymentText, QUANTITY, weightOfUnitText } from '../texts.ts';

function whatOf(row: HistoryRow): string {
  if (row.kind === 'quantity') return QUANTITY;
  if (row.kind === 'weight') return weightOfUnitText(row.unit);
  if (row.kind === 'payment') return paymentText(row);
  if (row.kind === 'order') return orderText(row.before, row.after);
  return row.kind === 'price' ? termsChangeText(row.before, row.after) : feeChangeText(row.before, row.after);
}
function ofWhat({ kind, productName, nameDetail, productCode, feeName }: HistoryRow): string {
  if (kind === 'payment') return PAYMENT;
  if (kind === 'order') return ORDER;
  return [productCode, productName === null ? feeName : withDetail(productName, nameDetail)].filter((part) => part !== null).join(' ');
}

const MISSING = '—';
const amountText = ({ uom }: HistoryRow, amount: number | null): string => (amount === null ? MISSING : withUom(amount, uom));

const COLUMNS: readonly Column<HistoryRow>[] = [
  { id: 'at', header: HISTORY_HEADERS.at, value: (row) => row.at, text: (row) => paymentTime(row.at), width: '11rem' },
  {
    id: 'by',
    header: HISTORY_HEADERS.by,
    value: (row) => row.by,
    text: (row) => byText(row.by, row.byRole),
    filter: 'text',
    width: '16rem',
  },
  { id: 'of', header: HISTORY_HEADERS.of, value: ofWhat, filter: 'text', card: 'title', width: '14rem' },
  { id: 'what', header: HISTORY_HEADERS.what, value: whatOf, filter: 'text', width: '14rem' },
  {
    id: 'from',
    header: HISTORY_HEADERS.from,
    value: (row) => row.from,
    text: (row) => amountText(row, row.from),
    align: 'end',
    width: '6rem',
  },
  { id: 'to', header: HISTORY_HEADERS.to, value: (row) => row.to, text: (row) => amountText(row, row.to), align: 'end', width: '6rem' },
];

/**
 * Shows each change of a quantity or weight of the order, and each payment, with the person, the time and the value before. The history is
 * loaded when the user opens it.
 */
export function OrderHistory({ orderId }: { orderId: number }): ReactNode {
  const [isOpened, setIsOpened] = useState(false);
  return (
    <details
      className="group/history no-print mt-6 mb-20 overflow-hidden rounded-card border border-line bg-card shadow-card md:mb-0"
      onToggle={(event) => event.currentTarget.open && setIsOpened(true)}
    >
      <summary className="flex min-h-12 list-none items-center gap-2 px-4 font-semibold focus-visible:-outline-offset-2 md:px-5 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 transition-transform group-open/history:rotate-90 rtl:-scale-x-100 rtl:group-open/history:-rotate-90"
          aria-hidden
        />
        {HISTORY}
      </summary>
      <div className="border-t border-line">{isOpened && <Changes orderId={orderId} />}</div>
    </details>
  );
}

function Changes({ orderId }: { orderId: number }): ReactNode {
  const { list } = useInfiniteRead(readHistory, { orderId }, {});
  const table = useTable({ columns: COLUMNS, rows: list.data ?? [], rowKey: (row) => row.key });
  if (!list.data) return <Pending read={list} waiting={<SkeletonTable rows={4} isBare />} />;
  return (
    <>
      <Table table={table} label={HISTORY} noun={HISTORY_NOUN} empty={NO_HISTORY} />
      {list.data.length > 0 && <OlderChanges list={list} />}
    </>
  );
}
