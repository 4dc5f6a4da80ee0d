import { useMemo, type ReactNode } from 'react';
import { useSearchParamState } from '../../../client/navigation/search-param-state.ts';
import { Card } from '../../../client/ui/layout/card.tsx';
import { optionsOf, SegmentedControl } from '../../../client/ui/forms/choices.tsx';
import { CsvLinks } from '../../../client/ui/table/csv-links.tsx';
import { Table } from '../../../client/ui/table/table.tsx';
import { useUrlTable } from '../../../client/ui/table/use-table-params.ts';
import type { Distribution } from '../../distributions/contract.ts';
import type { ReportRow } from '../contract.ts';
import { BY_CUSTOMER_CSV, BY_PRODUCT_CSV, withDetailsCsv } from '../csv.ts';
import { BY_CUSTOMER, BY_PRODUCT } from './packing-columns.tsx';
import { listsByCustomer, listsByProduct, type PackingList } from './packing-lists.ts';
import { DOWNLOAD_PACKING, linesText, listsText, NO_LINES, PACKING_LISTS, PACKING_NOUN, PACKING_VIEWS, WHO_GETS_WHAT } from '../texts.ts';

/** If the packing lists have more lines than this in total, only the lists in view are rendered. */
const MAX_LINES = 1500;

const VIEWS = ['customer', 'product'] as const;
const OPTIONS = optionsOf(VIEWS, PACKING_VIEWS);

/** This section of the report shows the packing lists (contract §9). */
export function PackingSection({ distribution, rows }: { distribution: Distribution; rows: readonly ReportRow[] }): ReactNode {
  const [view, setView] = useSearchParamState('packing', 'customer', VIEWS);
  return (
    <Card
      title={WHO_GETS_WHAT}
      subtitle={rows.length > 0 ? linesText(rows.length, rows.length) : undefined}
      actions={rows.length > 0 && <SegmentedControl label={PACKING_LISTS} options={OPTIONS} value={view} onValue={setView} />}
      isFlush
    >
      <PackingLists key={view} view={view} distribution={distribution} rows={rows} />
    </Card>
  );
}

interface PackingListsProps {
  view: (typeof VIEWS)[number];
  distribution: Distribution;
  rows: readonly ReportRow[];
}

function PackingLists({ view, distribution: { id, groupOrder }, rows }: PackingListsProps): ReactNode {
  const isByCustomer = view === 'customer';
  const columns = isByCustomer ? BY_CUSTOMER : BY_PRODUCT;
  const lists = useMemo(() => (isByCustomer ? listsByCustomer : listsByProduct)(rows, groupOrder), [isByCustomer, rows, groupOrder]);
  const table = useUrlTable(view, { columns, rows: lists, rowKey: listKey });
  return (
    <>
      {lists.length > 0 && (
        <div className="no-print flex flex-wrap items-center gap-2.5 border-b border-line px-4 py-3 md:px-5">
          <p className="me-auto text-s text-ink-soft">{listsText(view, lists.length)}</p>
          <CsvLinks
            label={DOWNLOAD_PACKING}
            fileName={`distribution-${id}-packing${isByCustomer ? '' : '-by-product'}`}
            columns={withDetailsCsv(isByCustomer ? BY_CUSTOMER_CSV : BY_PRODUCT_CSV, rows)}
            table={{ rows: lists.flatMap(linesOf), shown: table.shown.flatMap(linesOf) }}
          />
        </div>
      )}
      <div className="md:[&_td]:py-3 md:[&_td]:align-top md:[&_tbody_th]:py-3 md:[&_tbody_th]:align-top">
        <Table
          table={table}
          label={PACKING_LISTS}
          noun={PACKING_NOUN}
          empty={NO_LINES}
          picture="box"
          {...(rows.length > MAX_LINES && { renderAllUpTo: 0 })}
        />
      </div>
    </>
  );
}

export const listKey = (list: PackingList): string => list.key;
const linesOf = (list: PackingList): readonly ReportRow[] => list.lines;
