import { History } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../client/ui/forms/button.tsx';
import { DialogButton } from '../../client/ui/overlays/dialog-button.tsx';
import { Pending } from '../../client/ui/feedback/pending.tsx';
import { SkeletonTable } from '../../client/ui/feedback/skeleton.tsx';
import type { Column } from '../../client/ui/table/table-column.ts';
import { Table } from '../../client/ui/table/table.tsx';
import { useTable } from '../../client/ui/table/use-table.ts';
import { useInfiniteRead } from '../../client/api/use-infinite-read.ts';
import { paymentTime } from '../../shared/dates.ts';
import { OlderChanges } from '../audit/older-changes.tsx';
import { listCatalogueChanges, type CatalogueChange } from './contract.ts';
import {
  CHANGE_HEADERS,
  CHANGES_NOUN,
  feeChangeText,
  NO_PRICE_CHANGES,
  PRICE_CHANGES,
  PRICE_CHANGES_HINT,
  termsChangeText,
} from './texts.ts';

const changeText = (change: CatalogueChange): string =>
  change.feeId === null ? termsChangeText(change.before, change.after) : feeChangeText(change.before, change.after);

const COLUMNS: Column<CatalogueChange>[] = [
  { id: 'name', header: CHANGE_HEADERS.name, value: (change) => change.name, card: 'title', filter: 'toggle' },
  { id: 'change', header: CHANGE_HEADERS.change, value: changeText },
  {
    id: 'at',
    header: CHANGE_HEADERS.at,
    value: (change) => change.updatedAt,
    text: (change) => paymentTime(change.updatedAt),
    width: '11rem',
  },
  { id: 'by', header: CHANGE_HEADERS.by, value: (change) => change.email, width: '14rem' },
];

/** Shows the history of price and fee changes: the person, the time, the old and the new value (contract §4). */
export const PriceChanges = ({ distributionId }: { distributionId: number }): ReactNode => (
  <DialogButton
    trigger={<Button icon={<History aria-hidden />}>{PRICE_CHANGES}</Button>}
    title={PRICE_CHANGES}
    description={PRICE_CHANGES_HINT}
    size="l"
    content={() => <Changes distributionId={distributionId} />}
  />
);

function Changes({ distributionId }: { distributionId: number }): ReactNode {
  const { list } = useInfiniteRead(listCatalogueChanges, { id: distributionId }, {});
  const table = useTable({ columns: COLUMNS, rows: list.data ?? [], rowKey: (change) => change.id });
  if (!list.data) return <Pending read={list} waiting={<SkeletonTable rows={4} />} />;
  return (
    <div className="-mx-4 overflow-hidden border-y border-line md:mx-0 md:rounded-card md:border-x">
      <Table table={table} label={PRICE_CHANGES} noun={CHANGES_NOUN} empty={NO_PRICE_CHANGES} />
      {list.data.length > 0 && <OlderChanges list={list} />}
    </div>
  );
}
