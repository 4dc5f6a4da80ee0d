import clsx from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown, Funnel } from 'lucide-react';
import { useState } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { canSort, sortOf, withFilter, withNextSort } from './table-column.ts';
import type { Column } from './table-column.ts';
import { TableFilter } from './table-filter.tsx';
import type { TableModel } from './use-table.ts';
import { ACTIONS, filterBy } from '../../texts.ts';

const ARROWS = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

export function TableHead<Row>({ table }: { table: TableModel<Row> }): ReactNode {
  const { columns, state, onState } = table;
  const [opened, setOpened] = useState<readonly string[]>([]);
  const toggle = (id: string): void => {
    const isOpen = opened.includes(id) || state.filters[id] !== undefined;
    setOpened(isOpen ? opened.filter((other) => other !== id) : [...opened, id]);
    if (isOpen) onState(withFilter(state, id, ''));
  };
  return (
    <thead className="sticky top-0 z-10">
      <tr>
        {columns.map((column) => {
          const isOpen =
            column.filter === 'text' ||
            (column.filter === 'toggle' && (opened.includes(column.id) || state.filters[column.id] !== undefined));
          return (
            <th
              key={column.id}
              scope="col"
              aria-sort={canSort(column) ? sortOf(state, column.id) : undefined}
              style={widthOf(column)}
              className="border-b border-line bg-sunk px-3 py-1 align-top lg:px-4 first:ps-5 last:pe-5 text-xs font-semibold text-ink-soft"
            >
              <div className={clsx('flex items-center gap-1', column.align === 'end' && 'justify-end')}>
                <HeaderLabel column={column} table={table} />
                {column.filter === 'toggle' && (
                  <button
                    type="button"
                    title={filterBy(column.header)}
                    aria-pressed={isOpen}
                    onClick={() => toggle(column.id)}
                    className={clsx('grid size-11 place-items-center rounded-ctl hover:bg-line dense:size-8', isOpen && 'text-accent')}
                  >
                    <Funnel className="size-3.5" aria-hidden />
                  </button>
                )}
              </div>
              {isOpen && <TableFilter column={column} table={table} isFresh={column.filter === 'toggle'} />}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/**
 * Returns the width of a column. The column with the row's heading has a minimum width; on a narrow screen the table scrolls sideways
 * instead of breaking words.
 */
const widthOf = <Row,>({ width, card }: Column<Row>): CSSProperties | undefined =>
  width === undefined ? undefined : { width, minWidth: card === 'title' ? `min(${width}, 11rem)` : undefined };

function HeaderLabel<Row>({ column, table }: { column: Column<Row>; table: TableModel<Row> }): ReactNode {
  const { state, onState } = table;
  if (!canSort(column))
    return (
      <span className={clsx('inline-flex min-h-11 items-center dense:min-h-8', column.header === '' && 'sr-only')}>
        {column.header || ACTIONS}
      </span>
    );
  const sorted = sortOf(state, column.id);
  const Arrow = ARROWS[sorted];
  return (
    <button
      type="button"
      onClick={() => onState(withNextSort(state, column.id))}
      className={clsx(
        'group/sort -mx-1.5 inline-flex min-h-11 min-w-11 items-center gap-1 rounded-ctl px-1.5 text-start hover:text-ink dense:min-h-8 dense:min-w-0',
        sorted !== 'none' && 'text-ink',
        column.align === 'end' && 'flex-row-reverse',
      )}
    >
      {column.header}
      <Arrow
        className={clsx(
          'size-3.5 shrink-0',
          sorted === 'none' &&
            (column.filter === 'toggle' ? 'hidden' : 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60'),
        )}
        aria-hidden
      />
    </button>
  );
}
