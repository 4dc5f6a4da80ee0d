// Parses what a spreadsheet puts on the clipboard: rows of cells that are separated by tabs. A cell with a tab or a line break is quoted.
import { rowsOf } from '../../../shared/csv/dialect.ts';
import { unguarded } from '../../../shared/csv/write-csv.ts';
import type { Product } from '../contract.ts';
import { isEditable, type TableColumn } from './columns.ts';
import type { Typed } from './edits.ts';
import type { Cell } from './grid-keys.ts';

export function pastedCells(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  if (lines === '') return [['']];
  const cells: string[][] = [];
  let start = 0;
  for (const { cells: quoted, end, fault } of rowsOf(lines, { separator: '\t', lineEnd: '\n' })) {
    const raw = lines.slice(start, end).replace(/\n$/, '');
    // If the quotation marks do not enclose a whole cell, as in '"Best" wine', they belong to the text of the cell.
    cells.push((fault === null ? quoted : raw.split('\t')).map((cell) => unguarded(cell)));
    start = end;
  }
  return cells;
}

/**
 * Assigns pasted cells to cells of the table. The first pasted cell goes to the cell `at`. The other pasted cells keep their distance from
 * the first one, in rows and columns. `ignored` is the number of pasted cells that would be below the last product, beyond the last column,
 * or in a column that cannot be edited.
 */
export function placeCells(
  cells: readonly (readonly string[])[],
  { rows, columns }: { readonly rows: readonly Product[]; readonly columns: readonly TableColumn[] },
  at: Cell,
): { typed: Typed[]; ignored: number } {
  const typed: Typed[] = [];
  let ignored = 0;
  for (const [down, line] of cells.entries()) {
    const product = rows[at.row + down];
    for (const [along, text] of line.entries()) {
      const column = columns[at.column + along];
      if (product && isEditable(column)) typed.push({ product, field: column.field, text });
      else ignored += 1;
    }
  }
  return { typed, ignored };
}
