// What a spreadsheet puts on the clipboard: rows of cells separated by tabs, quoted where a cell has a tab or a line break.
import { rowsOf } from '../../../shared/csv/dialect.ts';
import { unguarded } from '../../../shared/csv/write-csv.ts';
import type { Product } from '../contract.ts';
import { COLUMNS, isEditable } from './columns.ts';
import type { Typed } from './edits.ts';

export function pastedCells(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  if (lines === '') return [['']];
  const cells: string[][] = [];
  let start = 0;
  for (const { cells: quoted, end, fault } of rowsOf(lines, { separator: '\t', lineEnd: '\n' })) {
    const raw = lines.slice(start, end).replace(/\n$/, '');
    // A quotation mark that begins a cell but encloses nothing belongs to the text, as in: "Best" wine.
    cells.push((fault === null ? quoted : raw.split('\t')).map((cell) => unguarded(cell)));
    start = end;
  }
  return cells;
}

export interface Pasted {
  readonly typed: readonly Typed[];
  /** Cells below the last product, beyond the last column or in a column that cannot be edited. */
  readonly ignored: number;
}

/** Places cells at a cell of the table, to the end and downward. */
export function placeCells(cells: readonly (readonly string[])[], rows: readonly Product[], at: { row: number; column: number }): Pasted {
  const typed: Typed[] = [];
  let ignored = 0;
  for (const [down, line] of cells.entries()) {
    const product = rows[at.row + down];
    for (const [along, text] of line.entries()) {
      const column = COLUMNS[at.column + along];
      if (product && isEditable(column)) typed.push({ product, field: column.field, text });
      else ignored += 1;
    }
  }
  return { typed, ignored };
}
