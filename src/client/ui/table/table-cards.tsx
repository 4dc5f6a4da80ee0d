import { useWindowVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { renderCell } from './table-column.ts';
import type { Column } from './table-column.ts';
import type { LayoutProps } from './table-grid.tsx';
import type { TableModel } from './use-table.ts';
import { useScrollToFollowedRow } from './use-followed-row.ts';

const CARD = 190;

export function TableCards<Row>({ table, label, isVirtual }: LayoutProps<Row>): ReactNode {
  const { columns, shown, rowKey } = table;
  if (isVirtual) return <VirtualCards table={table} label={label} />;
  return (
    <ul aria-label={label}>
      {shown.map((row) => (
        <RowCard key={rowKey(row)} row={row} columns={columns as readonly Column<unknown>[]} />
      ))}
    </ul>
  );
}

function VirtualCards<Row>({ table, label }: { table: TableModel<Row>; label: string }): ReactNode {
  const { columns, shown, rowKey } = table;
  const list = useRef<HTMLUListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => setScrollMargin(list.current?.offsetTop ?? 0), []);
  // oxlint-disable-next-line react/incompatible-library -- this project does not use the React Compiler, which would memoize the result
  const virtual = useWindowVirtualizer({ count: shown.length, estimateSize: () => CARD, overscan: 6, scrollMargin });
  useScrollToFollowedRow(table, (index) => virtual.scrollToIndex(index, { align: 'center' }));
  const items = virtual.getVirtualItems();
  const above = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const below = virtual.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <ul ref={list} aria-label={label} className="[overflow-anchor:none]" style={{ paddingTop: above, paddingBottom: below }}>
      {items.map(({ index }) => {
        const row = shown[index];
        if (row === undefined) return null;
        return (
          <RowCard
            key={rowKey(row)}
            ref={virtual.measureElement}
            index={index}
            count={shown.length}
            row={row}
            columns={columns as readonly Column<unknown>[]}
          />
        );
      })}
    </ul>
  );
}

interface RowCardProps {
  row: unknown;
  columns: readonly Column<unknown>[];
  index?: number;
  count?: number;
  ref?: Ref<HTMLLIElement>;
}

const RowCard = memo(function RowCard({ row, columns, index, count, ref }: RowCardProps): ReactNode {
  const at = (position: Column<unknown>['card']): Column<unknown>[] => columns.filter(({ card = 'fact' }) => card === position);
  const [title] = at('title');
  const [corner] = at('corner');
  return (
    <li
      ref={ref}
      data-index={index}
      aria-posinset={index === undefined ? undefined : index + 1}
      aria-setsize={count}
      className="overflow-clip border-b border-line px-4 py-3.5 last:border-b-0"
    >
      <div className="flex items-baseline justify-between gap-3">
        {title && <div className="min-w-0 font-semibold">{renderCell(title, row)}</div>}
        {at('lead').map((column) => (
          <dl key={column.id} className="num flex max-w-[60%] flex-wrap items-baseline justify-end gap-x-2 text-s">
            <dt className="text-xs text-ink-soft">{column.header}</dt>
            <dd>{renderCell(column, row)}</dd>
          </dl>
        ))}
        {corner && <div className="-my-2 -me-3 shrink-0 self-start">{renderCell(corner, row)}</div>}
      </div>
      {at('line').map((column) => (
        <div key={column.id} className="text-s break-words">
          {renderCell(column, row)}
        </div>
      ))}
      <dl className="mt-1.5 flex flex-wrap gap-x-6 gap-y-1.5 text-s empty:hidden [&>:not(:first-child)]:min-w-26">
        {at('figure').map((column) => (
          <div key={column.id}>
            <dt className="text-xs text-ink-soft">{column.header}</dt>
            <dd className={clsx(column.align === 'end' && 'num')}>{renderCell(column, row)}</dd>
          </div>
        ))}
      </dl>
      <dl className="mt-1 grid gap-1 text-s empty:hidden">
        {at('fact').map((column) => (
          <div key={column.id} className="flex items-baseline justify-between gap-4">
            <dt className="shrink-0 text-ink-soft">{column.header}</dt>
            <dd className={clsx('min-w-0 text-end', column.align === 'end' && 'num')}>
              {renderCell(column, row) || <span className="text-ink-soft">—</span>}
            </dd>
          </div>
        ))}
      </dl>
      {at('actions').map((column) => (
        <div key={column.id} className="mt-2">
          {renderCell(column, row)}
        </div>
      ))}
    </li>
  );
});
