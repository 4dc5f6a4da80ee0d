// On the distributor's Products tab, this card lists the waiting customers of each product (contract §12).
import { useMemo, type ReactNode } from 'react';
import { useRead } from '../../client/api/use-calls.ts';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { Card } from '../../client/ui/layout/card.tsx';
import type { Column } from '../../client/ui/table/table-column.ts';
import { Table } from '../../client/ui/table/table.tsx';
import { useTable } from '../../client/ui/table/use-table.ts';
import { sortNameOrEmail } from '../../shared/person-name.ts';
import { zonedTime } from '../../shared/zoned-time.ts';
import { listWaiting, type WaitingEntry } from './contract.ts';
import { HEADERS, heldUntilText, NOBODY_WAITS, NOT_HELD, WAITING_HINT, WAITING_LIST, WAITING_NOT_LOADED, WAITING_NOUN } from './texts.ts';

const customerOf = ({ customer }: WaitingEntry): string => (customer ? sortNameOrEmail(customer) : '');

const columnsFor = (timeZone: string | null): readonly Column<WaitingEntry>[] => [
  { id: 'product', header: HEADERS.product, value: (entry) => entry.productName, card: 'title', isSortable: false, width: '16rem' },
  { id: 'customer', header: HEADERS.customer, value: customerOf, isSortable: false, width: '14rem' },
  { id: 'quantity', header: HEADERS.quantity, value: (entry) => entry.quantity, align: 'end', isSortable: false, width: '6rem' },
  {
    id: 'held',
    header: HEADERS.held,
    value: ({ heldQuantity, heldUntil }) => (heldUntil === null ? NOT_HELD : heldUntilText(heldQuantity, zonedTime(heldUntil, timeZone))),
    isSortable: false,
    width: '14rem',
  },
  { id: 'since', header: HEADERS.since, value: (entry) => zonedTime(entry.createdAt, timeZone), isSortable: false, width: '12rem' },
];

/** Lists the waiting customers. Renders nothing when nobody waits. */
export function WaitingCard({ distributionId, timeZone }: { distributionId: number; timeZone: string | null }): ReactNode {
  const read = useRead(listWaiting, { id: distributionId });
  const { data: entries = [] } = read;
  const columns = useMemo(() => columnsFor(timeZone), [timeZone]);
  const table = useTable({ columns, rows: entries, rowKey: (entry) => `${entry.productId} ${entry.customer?.id ?? 0}` });
  if (!read.data) return <Pending read={read} waiting={null} errorTitle={WAITING_NOT_LOADED} isInline />;
  if (entries.length === 0) return null;
  return (
    <Card title={WAITING_LIST} subtitle={WAITING_HINT} isFlush className="mt-5">
      <Table table={table} label={WAITING_LIST} noun={WAITING_NOUN} picture="list" empty={NOBODY_WAITS} />
    </Card>
  );
}
