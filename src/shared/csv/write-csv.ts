// Writes all CSV files that users download (contract §4): in UTF-8 with a byte-order mark, according to RFC 4180. No cell can run as a
// formula in a spreadsheet.
import Papa from 'papaparse';

export interface CsvColumn<Row> {
  header: string;
  /** Returns the value of a cell. An amount of money must be a plain decimal number: format it with plainDollars, never with dollars. */
  value(row: Row): string | number | boolean | null;
}

// Matches a cell that a spreadsheet treats as a formula, even if spaces precede it or its sign is a full-width character. The pattern also
// matches a formula with leading apostrophes: such a cell gets another apostrophe, so that removing one apostrophe always restores the
// original.
const FORMULA = /^'*(?:[\t\r]|\s*[=+\-@＝＋－＠])/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

// Matches the places inside a cell where another program may begin a new cell. A program that expects another separator splits the text at
// that separator, even inside quotation marks. A line break may begin a new row. If a formula follows one of these places, an apostrophe is
// inserted there, as at the start of a cell. Quotation marks before the formula are skipped, because the file doubles them.
const INNER_FORMULA = /(?<=[,;\t\r\n])(?=(?:['"]|[^\S\t\r\n])*[=+\-@＝＋－＠])/g;
const GUARDED_INNER_FORMULA = /(?<=[,;\t\r\n])'(?=(?:['"]|[^\S\t\r\n])*[=+\-@＝＋－＠])/g;

const isFormula = (text: string): boolean => FORMULA.test(text) && !NEGATIVE_NUMBER.test(text);
const guarded = (text: string): string => `${isFormula(text) ? "'" : ''}${text}`.replace(INNER_FORMULA, "'");

/** Restores the original text of a cell by removing the apostrophes that writeCsv has added before formulas. */
export function unguarded(cell: string): string {
  const text = cell.replace(GUARDED_INNER_FORMULA, '');
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

// Returns whether a cell contains a semicolon or tab, which other programs may take for a separator. Papa Parse quotes only cells with its
// own separator, the comma.
const holdsOtherSeparator = (cell: unknown): boolean => typeof cell === 'string' && /[;\t]/.test(cell);

const cellOf = (value: string | number | boolean | null) => (typeof value === 'string' ? guarded(value) : value);

/** Returns the whole file as a string that begins with a byte-order mark (contract §4). */
export function writeCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const header = columns.map((column) => guarded(column.header));
  const data = rows.map((row) => columns.map((column) => cellOf(column.value(row))));
  return `\uFEFF${Papa.unparse([header, ...data], { newline: '\r\n', quotes: holdsOtherSeparator })}\r\n`;
}
