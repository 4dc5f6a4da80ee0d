import clsx from 'clsx';
import type { ReactNode } from 'react';
import { renderCell } from './table-column.ts';
import type { Column } from './table-column.ts';

/**
 * Returns the columns for a narrow screen. The cells of columns with `isFolded` are shown in the column of the row's heading, below the
 * heading; empty cells are omitted.
 */
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
