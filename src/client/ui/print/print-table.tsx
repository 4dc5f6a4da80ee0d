import clsx from 'clsx';
import type { ReactNode } from 'react';
import { cellClasses, renderCell } from '../table/table-column.ts';
import type { Column } from '../table/table-column.ts';

export interface PrintTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}

/** Renders a table for paper. It contains all rows, repeats the header on each page, and never splits a row between two pages. */
export function PrintTable<Row>({ label, columns, rows, rowKey }: PrintTableProps<Row>): ReactNode {
  return (
    <table aria-label={label} className="w-full border-collapse text-xs">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={clsx('border-b border-line-strong px-1.5 py-1 align-bottom', cellClasses(column))}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column) => (
              <td key={column.id} className={clsx('border-b border-line px-1.5 py-1 align-top', cellClasses(column))}>
                {renderCell(column, row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
