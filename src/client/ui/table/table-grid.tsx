import { useVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { memo, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { COLLAPSE, collapseText, EXPAND, expandText } from '../../texts.ts';
import { Button } from '../forms/button.tsx';
import { cellClasses, renderCell } from './table-column.ts';
import type { Column } from './table-column.ts';
import { TableHead } from './table-head.tsx';
import { storage } from '../../storage/storage.ts';
import type { TableModel } from './use-table.ts';
import { useScrollToFollowedRow } from './use-followed-row.ts';

// A table higher than 400 px scrolls (spec §9). A row is about 50 px high.
const HEIGHT = 400;
const ROW = 50;
/** The maximum height of a table that the user has expanded: the window without the top bar and the heading above the table. */
const EXPANDED = 'max(400px, 100dvh - 8rem)';
/** A table with at most this many rows needs no button to expand it. */
const FEW = 5;

export interface LayoutProps<Row> {
  table: TableModel<Row>;
  label: string;
  isVirtual: boolean;
  /** True for a table on a wall screen. All rows are then rendered, because nobody can scroll there. */
  isWhole?: boolean;
}

export function TableGrid<Row>({ table, label, isVirtual, isWhole = false }: LayoutProps<Row>): ReactNode {
  const { columns, shown, rowKey } = table;
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [isExpanded, setIsExpanded] = useExpanded(label);
  return (
    <>
      {!isWhole && table.rows.length > FEW && (
        <div className="no-print flex justify-end border-b border-line px-2 py-1">
          <Button
            variant="quiet"
            size="s"
            icon={isExpanded ? <ChevronsDownUp aria-hidden /> : <ChevronsUpDown aria-hidden />}
            aria-label={isExpanded ? collapseText(label) : expandText(label)}
            onClick={() => setIsExpanded(!isExpanded)}
          >
            {isExpanded ? COLLAPSE : EXPAND}
          </Button>
        </div>
      )}
      <section
        ref={setScroller}
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users can scroll the table only if it can get the focus
        tabIndex={0}
        // The scroll container is the positioning parent of visually hidden elements. If the page were their parent, hidden elements of
        // rows out of view would make the page longer.
        className="relative overflow-auto focus-visible:-outline-offset-2 print:max-h-none! print:overflow-visible"
        style={{ maxHeight: isWhole ? undefined : isExpanded ? EXPANDED : HEIGHT }}
      >
        <table
          aria-label={label}
          aria-rowcount={isVirtual ? shown.length + 1 : undefined}
          className={clsx('w-full border-separate border-spacing-0 text-s', isVirtual && 'table-fixed')}
        >
          <TableHead table={table} />
          {isVirtual ? (
            <VirtualBody table={table} scroller={scroller} />
          ) : (
            <tbody>
              {shown.map((row) => (
                <GridRow key={rowKey(row)} row={row} columns={columns as readonly Column<unknown>[]} />
              ))}
            </tbody>
          )}
        </table>
      </section>
    </>
  );
}

/** Whether the user has expanded a table beyond its usual height. localStorage keeps this choice for each table label. */
function useExpanded(label: string): [isExpanded: boolean, setIsExpanded: (next: boolean) => void] {
  const key = `feastday.expanded.${label}`;
  const [isExpanded, setIsExpanded] = useState(() => storage.read(key) !== null);
  const change = (next: boolean): void => {
    setIsExpanded(next);
    storage.write(key, next ? '1' : null);
  };
  return [isExpanded, change];
}

function VirtualBody<Row>({ table, scroller }: { table: TableModel<Row>; scroller: HTMLElement | null }): ReactNode {
  const { columns, shown, rowKey } = table;
  // oxlint-disable-next-line react/incompatible-library -- this project does not use the React Compiler, which would memoize the result
  const virtual = useVirtualizer({ count: shown.length, getScrollElement: () => scroller, estimateSize: () => ROW, overscan: 8 });
  useScrollToFollowedRow(table, (index) => virtual.scrollToIndex(index, { align: 'center' }), scroller !== null);
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody>
      {above > 0 && <Gap height={above} />}
      {items.map(({ index }) => {
        const row = shown[index];
        if (row === undefined) return null;
        return (
          <GridRow key={rowKey(row)} ref={virtual.measureElement} index={index} row={row} columns={columns as readonly Column<unknown>[]} />
        );
      })}
      {below > 0 && <Gap height={below} />}
    </tbody>
  );
}

const Gap = ({ height }: { height: number }): ReactNode => <tr aria-hidden style={{ height }} />;

interface GridRowProps {
  row: unknown;
  columns: readonly Column<unknown>[];
  index?: number;
  ref?: Ref<HTMLTableRowElement>;
}

const GridRow = memo(function GridRow({ row, columns, index, ref }: GridRowProps): ReactNode {
  return (
    <tr ref={ref} data-index={index} aria-rowindex={index === undefined ? undefined : index + 2} className="group hover:bg-sunk/60">
      {columns.map((column) => {
        const content = renderCell(column, row);
        const look = clsx(
          'h-[50px] border-b border-line px-3 py-1.5 lg:px-4 group-last:border-b-0 first:ps-5 last:pe-5',
          cellClasses(column),
        );
        return column.card === 'title' ? (
          <th key={column.id} scope="row" className={clsx(look, 'font-semibold')}>
            {content}
          </th>
        ) : (
          <td key={column.id} className={look}>
            {content}
          </td>
        );
      })}
    </tr>
  );
});
