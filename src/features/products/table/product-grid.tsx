import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { Fragment, useRef, useState, type ReactNode } from 'react';
import { ACTIONS } from '../../../client/texts.ts';
import type { Product } from '../contract.ts';
import { ProductMenu, type ProductActions } from '../list/product-menu.tsx';
import { EDITING_TABLE } from '../texts.ts';
import type { TableColumn } from './columns.ts';
import { GridCell } from './grid-cell.tsx';
import { cellActions, gridEvents, type GridState } from './grid-events.ts';
import { useActiveCell, type ActiveCell } from './use-active-cell.ts';
import type { ProductEdits } from './use-product-edits.ts';

/** The height in pixels of a row without notes, on desktops. */
const ROW = 37;
/** A table with more rows than this renders only the visible rows. */
const RENDER_ALL_UP_TO = 100;
/** The width of the actions column in rem. */
const ACTIONS_WIDTH = 4;
const widthOf = (columns: readonly TableColumn[]): number => columns.reduce((sum, { width }) => sum + width, ACTIONS_WIDTH);

export type GridFocus = Pick<ActiveCell, 'focus' | 'focusAgain'>;

interface ProductGridProps {
  rows: readonly Product[];
  columns: readonly TableColumn[];
  edits: ProductEdits;
  menu: ProductActions;
  /** The grid sets this ref to its functions that focus a cell. */
  focusRef: { current: GridFocus | null };
}

/** Renders the cells of the editable table, which has the ARIA role grid. In long tables only the visible rows are rendered. */
export function ProductGrid({ rows, columns, edits, menu, focusRef }: ProductGridProps): ReactNode {
  const grid = useRef<HTMLTableElement>(null);
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [message, tell] = useState('');
  const activeRow = useRef(0);
  // oxlint-disable-next-line react/incompatible-library -- the project does not use the React Compiler
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW,
    overscan: 8,
    // The active row is always rendered, because its active cell is the table's stop in the tab order.
    rangeExtractor: (range: Range) => [...new Set([activeRow.current, ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b),
  });
  const active = useActiveCell({ grid, rows, columns: columns.length, onReveal: (row) => virtual.scrollToIndex(row, { align: 'auto' }) });
  activeRow.current = active.cell.row;
  focusRef.current = active;
  const state: GridState = { rows, columns, active, edits, tell };
  const actions = cellActions(state);
  const isVirtual = rows.length > RENDER_ALL_UP_TO;
  const items = isVirtual ? virtual.getVirtualItems().filter(({ index }) => index < rows.length) : [];
  const rendered = isVirtual ? items.map(({ index }) => index) : [...rows.keys()];
  const gapBefore = (position: number): number =>
    isVirtual ? (items[position]?.start ?? virtual.getTotalSize()) - (items[position - 1]?.end ?? 0) : 0;
  return (
    <>
      <div
        ref={setScroller}
        className="relative max-h-[max(20rem,100dvh-17rem)] scroll-ps-48 scroll-pt-10 overflow-auto border-b border-line "
      >
        <table
          ref={grid}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the table is an ARIA grid
          role="grid"
          aria-label={EDITING_TABLE}
          aria-rowcount={rows.length + 1}
          className="table-fixed border-separate border-spacing-0 text-s"
          style={{ width: `max(100%, ${widthOf(columns)}rem)` }}
          {...gridEvents(state)}
        >
          <GridHead columns={columns} />
          <tbody>
            {rendered.map((index, position) => {
              const product = rows[index];
              if (!product) return null;
              return (
                <Fragment key={product.id}>
                  <Gap height={gapBefore(position)} />
                  <tr ref={virtual.measureElement} data-index={index} aria-rowindex={index + 2}>
                    {columns.map((column, columnIndex) => (
                      <GridCell
                        key={column.header}
                        product={product}
                        column={column}
                        index={columnIndex}
                        row={edits.edits.get(product.id)}
                        isActive={index === active.cell.row && columnIndex === active.cell.column}
                        mode={index === active.cell.row && columnIndex === active.cell.column ? active.mode : null}
                        actions={actions}
                      />
                    ))}
                    <td data-column={columns.length} className="border-b border-line bg-card px-1 text-center align-top">
                      <ProductMenu
                        product={product}
                        tabIndex={index === active.cell.row && active.cell.column === columns.length ? 0 : -1}
                        {...menu}
                      />
                    </td>
                  </tr>
                </Fragment>
              );
            })}
            <Gap height={gapBefore(rendered.length)} />
          </tbody>
        </table>
      </div>
      <output className="block min-h-8 px-4 py-1.5 text-s text-ink-soft md:px-5">{message}</output>
    </>
  );
}

function GridHead({ columns }: { columns: readonly TableColumn[] }): ReactNode {
  return (
    <thead className="sticky top-0 z-20">
      <tr>
        {columns.map(({ header, width, isNumber }, index) => (
          <th
            key={header}
            scope="col"
            style={{ width: `${width}rem` }}
            className={`border-e border-b border-line bg-sunk px-2.5 py-2 text-xs font-semibold text-ink-soft ${isNumber === true ? 'text-end' : 'text-start'} ${index === 0 ? 'sticky start-0 z-10' : ''}`}
          >
            {header}
          </th>
        ))}
        <th
          scope="col"
          style={{ width: `${ACTIONS_WIDTH}rem` }}
          className="border-b border-line bg-sunk px-2.5 py-2 text-xs font-semibold text-ink-soft"
        >
          {ACTIONS}
        </th>
      </tr>
    </thead>
  );
}

const Gap = ({ height }: { height: number }): ReactNode => (height > 0 ? <tr aria-hidden style={{ height }} /> : null);
