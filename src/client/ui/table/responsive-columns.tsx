import clsx from 'clsx';
import type { ReactNode } from 'react';
import { renderCell } from './table-column.ts';
import type { Column } from './table-column.ts';

/** Returns the columns for a narrow screen. Columns without room move below the row's heading, if they have a value in that row. */
export function responsiveColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const folded = columns.filter(({ isFolded }) => isFolded === true);
  const fold = (title: Column<Row>): Column<Row> => ({ ...title, cell: (row) => <Folded title={title} folded={folded} row={row} /> });
  return columns.filter((column) => !folded.includes(column)).map((column) => (column.card === 'title' ? fold(column) : column));
}

function Folded<Row>({ title, folded, row }: { title: Column<Row>; folded: readonly Column<Row>[]; row: Row }): ReactNode {
  return (
    <>
      {renderCell(title, row)}
      <dl className="flex flex-wrap gap-x-3 text-xs font-normal wrap-anywhere text-ink-soft">
        {folded
          .filter((column) => (column.value(row) ?? '') !== '')
          .map((column) => (
            <div key={column.id} className={clsx('flex gap-1', column.card === 'line' && 'w-full')}>
              <dt className={column.card === 'line' ? 'sr-only' : 'shrink-0'}>{column.header}</dt>
              <dd>{renderCell(column, row)}</dd>
            </div>
          ))}
      </dl>
    </>
  );
}
