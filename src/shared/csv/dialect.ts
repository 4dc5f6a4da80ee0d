// Detects a CSV file's encoding, line ends and separator (contract §4).
import Papa from 'papaparse';
import { ROW_TOO_LONG, UNCLOSED_QUOTE } from '../texts.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export interface Dialect {
  encoding: Encoding;
  separator: string;
  lineEnd: string;
}
export interface RawRow {
  /** The number of the line on which the row begins. The first line of the file is 1. */
  line: number;
  cells: string[];
  /** The position in the file's text at which the row ends. */
  end: number;
  /** The reason why the row cannot be read, or null. After a row with a fault, reading continues on the next line. */
  fault: string | null;
}

const SEPARATORS = [',', ';', '\t'];
const ROWS_TO_JUDGE_BY = 10;
const BYTE_ORDER_MARK = '\uFEFF';
const USUAL_ROW = 1_024;
const MAX_ROW_LENGTH = 32_768;
const SIGNATURE_LENGTH = 1_024;
// Matches control characters that do not belong in a text file. It allows C1 control characters, because the encoding Windows-1250 uses
// their codes for letters.
const CONTROLS = /[^\P{Cc}\t\n\v\f\r\x80-\x9f]/gu;
const BINARY_CONTROLS = 4;

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

export function textOf(file: Uint8Array | string): { encoding: Encoding; text: string } {
  if (typeof file === 'string') return { encoding: 'utf-8', text: file };
  const encoding = encodingOf(file);
  return { encoding, text: new TextDecoder(encoding).decode(file) };
}

/** Decodes the beginning of the file. A byte-order mark stays in the result. */
export function leadingText(file: Uint8Array | string): string {
  const start = file.slice(0, SIGNATURE_LENGTH);
  if (typeof start === 'string') return start;
  return new TextDecoder(encodingOf(start), { ignoreBOM: true }).decode(start);
}

/**
 * Returns whether a file that begins with `start` is binary, such as an image, a PDF or an archive. A file with a byte-order mark is always
 * a text file. Any other file is binary if it begins like a PDF, or if its start contains four or more unexpected control characters.
 */
export function isBinary(start: string): boolean {
  if (start.startsWith(BYTE_ORDER_MARK)) return false;
  return start.startsWith('%PDF-') || (start.match(CONTROLS)?.length ?? 0) >= BINARY_CONTROLS;
}

export function detectDialect(text: string): Omit<Dialect, 'encoding'> {
  const unquoted = text.slice(0, MAX_ROW_LENGTH).replace(/"[^"]*"/g, '');
  const lineEnd = /\r+\n|\n|\r/.exec(unquoted)?.[0] ?? '\n';
  const judged = SEPARATORS.map((separator) => {
    const [header = 0, ...widths] = firstWidths(text, { separator, lineEnd });
    return { separator, header, fitting: widths.filter((width) => width === header).length };
  });
  const [best] = judged.toSorted((a, b) => b.header - a.header || b.fitting - a.fitting);
  return { separator: best?.separator ?? ',', lineEnd };
}

function firstWidths(text: string, dialect: Omit<Dialect, 'encoding'>): number[] {
  const widths: number[] = [];
  for (const row of rowsOf(text, dialect)) {
    if (!isBlank(row)) widths.push(row.cells.length);
    if (widths.length === ROWS_TO_JUDGE_BY) break;
  }
  return widths;
}

export const isBlank = (row: RawRow): boolean => row.fault === null && row.cells.every((cell) => cell.trim() === '');

/** Yields one row at a time, so that a long file can be read with pauses. Reading continues after a row that cannot be parsed. */
export function* rowsOf(text: string, { separator, lineEnd }: Omit<Dialect, 'encoding'>): Generator<RawRow> {
  const newline = lineEnd === '\r' ? '\r' : '\n';
  let line = 1;
  let start = 0;
  while (start < text.length) {
    if (text[start] === BYTE_ORDER_MARK) start += 1;
    const row = rowAt(start, { text, separator, newline });
    yield { line, ...row };
    line += text.slice(start, row.end).match(/\r\n|\r|\n/g)?.length ?? 0;
    start = row.end;
  }
}

type Cut = { text: string; separator: string; newline: '\n' | '\r' };

// Parses the row that begins at `start`. papaparse gets only a few whole lines at first. With the rest of the file, it would read to the
// end of the file after an unclosed quotation mark.
function rowAt(start: number, cut: Cut, reach = USUAL_ROW): Omit<RawRow, 'line'> {
  const { text, separator, newline } = cut;
  const limit = start + reach;
  const lines = text.slice(start, limit < text.length ? text.lastIndexOf(newline, limit - 1) + 1 : text.length);
  const { data, errors, meta } = Papa.parse<string[]>(lines, { delimiter: separator, newline, preview: 1, fastMode: false });
  const end = start + meta.cursor;
  if (lines !== '' && errors.length === 0) {
    return { cells: withoutCarriageReturn(data[0] ?? [], text.slice(start, end), separator), end, fault: null };
  }
  const mayGoOn = errors.every((error) => error.code !== 'InvalidQuotes');
  if (mayGoOn && reach < MAX_ROW_LENGTH && limit < text.length) return rowAt(start, cut, MAX_ROW_LENGTH);
  return { cells: data[0] ?? [], end: nextLine(text, start), fault: lines === '' ? ROW_TOO_LONG : UNCLOSED_QUOTE };
}

function nextLine(text: string, from: number): number {
  const lineBreak = /\r\n|\r|\n/g;
  lineBreak.lastIndex = from;
  return lineBreak.test(text) ? lineBreak.lastIndex : text.length;
}

// Removes the CR at the end of the last cell. Some files mix CRLF and LF, so the parser splits rows at LF and leaves the CR of a CRLF in
// the last cell. A CR inside quotation marks belongs to the cell and stays. Only the raw row shows whether the cell is quoted.
function withoutCarriageReturn(cells: string[], raw: string, separator: string): string[] {
  const last = cells.at(-1) ?? '';
  if (!last.endsWith('\r')) return cells;
  const unquoted = raw === `${last}\n` || raw.endsWith(`${separator}${last}\n`);
  return unquoted ? cells.with(-1, last.replace(/\r+$/, '')) : cells;
}
