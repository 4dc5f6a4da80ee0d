// Every CSV that is written (contract §4): UTF-8 with a byte-order mark, RFC 4180, and no cell that a spreadsheet would run.
import Papa from 'papaparse';

export interface CsvColumn<Row> {
  header: string;
  /** Money as plain decimals: plainDollars, never dollars. */
  value(row: Row): string | number | boolean | null;
}

// What a spreadsheet takes for a formula, also after blanks and in full width. Apostrophes in front count too: a text that
// already looks guarded is guarded once more, so that taking one apostrophe off always gives back what was written.
const FORMULA = /^'*(?:[\t\r]|\s*[=+\-@＝＋－＠])/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

export const guarded = (text: string): string => (FORMULA.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text);
export const unguarded = (text: string): string => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text);

const cellOf = (value: string | number | boolean | null) => (typeof value === 'string' ? guarded(value) : value);

/** The whole file as text, byte-order mark included (contract §4). */
export function writeCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const header = columns.map((column) => guarded(column.header));
  const data = rows.map((row) => columns.map((column) => cellOf(column.value(row))));
  return `\uFEFF${Papa.unparse([header, ...data], { newline: '\r\n' })}\r\n`;
}
