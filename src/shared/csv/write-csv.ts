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

// A spreadsheet set to another separator splits a cell at it, quoted or not, because the quote is then in the middle of its field; after
// a line break it begins a row. What follows is guarded like the start of a cell. Quotes count, because they are doubled in the file.
const INNER_FORMULA = /(?<=[,;\t\r\n])(?=(?:['"]|[^\S\t\r\n])*[=+\-@＝＋－＠])/g;
const GUARDED_INNER_FORMULA = /(?<=[,;\t\r\n])'(?=(?:['"]|[^\S\t\r\n])*[=+\-@＝＋－＠])/g;

const isFormula = (text: string): boolean => FORMULA.test(text) && !NEGATIVE_NUMBER.test(text);
const guarded = (text: string): string => `${isFormula(text) ? "'" : ''}${text}`.replace(INNER_FORMULA, "'");

/** A cell as it was before it was written: the apostrophes that guard formulas are taken off. */
export function unguarded(cell: string): string {
  const text = cell.replace(GUARDED_INNER_FORMULA, '');
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

// Papa Parse quotes what holds its own separator; a file that is read with another one needs these quoted too.
const holdsOtherSeparator = (cell: unknown): boolean => typeof cell === 'string' && /[;\t]/.test(cell);

const cellOf = (value: string | number | boolean | null) => (typeof value === 'string' ? guarded(value) : value);

/** The whole file as text, byte-order mark included (contract §4). */
export function writeCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const header = columns.map((column) => guarded(column.header));
  const data = rows.map((row) => columns.map((column) => cellOf(column.value(row))));
  return `\uFEFF${Papa.unparse([header, ...data], { newline: '\r\n', quotes: holdsOtherSeparator })}\r\n`;
}
