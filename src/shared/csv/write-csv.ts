// Writes every CSV (contract §4): UTF-8 with a byte-order mark, RFC 4180, and no cell that a spreadsheet would execute.
import Papa from 'papaparse';

export interface CsvColumn<Row> {
  header: string;
  /** Money as plain decimals: plainDollars, never dollars. */
  value(row: Row): string | number | boolean | null;
}

// What a spreadsheet treats as a formula, also after spaces and in full-width characters. Strings with a leading apostrophe are included:
// they get another apostrophe, so that removing one apostrophe always restores the original.
const FORMULA = /^'*(?:[\t\r]|\s*[=+\-@＝＋－＠])/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

// A spreadsheet that expects another separator splits cells at that character, even quoted ones, because the quotation mark is then in the
// middle of its field. A line break begins a new row. The characters that follow are guarded like the start of a cell. Quotation marks are
// included, because the file doubles them.
const INNER_FORMULA = /(?<=[,;\t\r\n])(?=(?:['"]|[^\S\t\r\n])*[=+\-@＝＋－＠])/g;
const GUARDED_INNER_FORMULA = /(?<=[,;\t\r\n])'(?=(?:['"]|[^\S\t\r\n])*[=+\-@＝＋－＠])/g;

const isFormula = (text: string): boolean => FORMULA.test(text) && !NEGATIVE_NUMBER.test(text);
const guarded = (text: string): string => `${isFormula(text) ? "'" : ''}${text}`.replace(INNER_FORMULA, "'");

/** Restores a cell: removes the apostrophes that guard formulas. */
export function unguarded(cell: string): string {
  const text = cell.replace(GUARDED_INNER_FORMULA, '');
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

// Papa Parse quotes only cells that contain its own separator; cells with other separators need quotes too, for programs that expect those.
const holdsOtherSeparator = (cell: unknown): boolean => typeof cell === 'string' && /[;\t]/.test(cell);

const cellOf = (value: string | number | boolean | null) => (typeof value === 'string' ? guarded(value) : value);

/** The whole file as a string, with its byte-order mark (contract §4). */
export function writeCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const header = columns.map((column) => guarded(column.header));
  const data = rows.map((row) => columns.map((column) => cellOf(column.value(row))));
  return `\uFEFF${Papa.unparse([header, ...data], { newline: '\r\n', quotes: holdsOtherSeparator })}\r\n`;
}
