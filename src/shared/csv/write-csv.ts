// Writes every CSV file (contract §4): in UTF-8 with a byte-order mark, according to RFC 4180, and without cells that a spreadsheet would
// execute.
import Papa from 'papaparse';

export interface CsvColumn<Row> {
  header: string;
  /** Returns the value of a cell. Amounts of money are plain decimals: use plainDollars, never dollars. */
  value(row: Row): string | number | boolean | null;
}

// Matches a cell that a spreadsheet treats as a formula, also after spaces and with full-width characters. It also matches a string with a
// leading apostrophe. Such a string gets another apostrophe, so that removing one apostrophe always restores the original.
const FORMULA = /^'*(?:[\t\r]|\s*[=+\-@＝＋－＠])/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

// Matches the places inside a cell where another program may begin a new cell. A spreadsheet that expects another separator splits even
// quoted cells at that character, because the quotation mark is then in the middle of its field. A line break begins a new row. The
// characters that follow are guarded like the start of a cell, also after quotation marks, because the file doubles them.
const INNER_FORMULA = /(?<=[,;\t\r\n])(?=(?:['"]|[^\S\t\r\n])*[=+\-@＝＋－＠])/g;
const GUARDED_INNER_FORMULA = /(?<=[,;\t\r\n])'(?=(?:['"]|[^\S\t\r\n])*[=+\-@＝＋－＠])/g;

const isFormula = (text: string): boolean => FORMULA.test(text) && !NEGATIVE_NUMBER.test(text);
const guarded = (text: string): string => `${isFormula(text) ? "'" : ''}${text}`.replace(INNER_FORMULA, "'");

/** Restores the original text of a cell by removing the apostrophes that guard formulas. */
export function unguarded(cell: string): string {
  const text = cell.replace(GUARDED_INNER_FORMULA, '');
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

// Whether a cell contains a separator that other programs expect. Papa Parse quotes only cells with its own separator.
const holdsOtherSeparator = (cell: unknown): boolean => typeof cell === 'string' && /[;\t]/.test(cell);

const cellOf = (value: string | number | boolean | null) => (typeof value === 'string' ? guarded(value) : value);

/** Returns the whole file as a string that begins with a byte-order mark (contract §4). */
export function writeCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const header = columns.map((column) => guarded(column.header));
  const data = rows.map((row) => columns.map((column) => cellOf(column.value(row))));
  return `\uFEFF${Papa.unparse([header, ...data], { newline: '\r\n', quotes: holdsOtherSeparator })}\r\n`;
}
