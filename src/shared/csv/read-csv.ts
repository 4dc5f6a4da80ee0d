// Reads all uploaded CSV files (contract §4). The same data give the same rows, whichever program wrote the file.
import { detectDialect, isBinary, isBlank, rowsOf, leadingText, textOf, type Dialect, type RawRow } from './dialect.ts';
import { unguarded } from './write-csv.ts';
import { badHeader, EMPTY_FILE, FILE_TOO_LARGE, NOT_CSV, SPREADSHEET, TOO_MANY_COLUMNS, TOO_MANY_ROWS, unevenRow } from '../texts.ts';

export interface CsvRow {
  /** The number of the line on which the row begins. The first line of the file is 1. */
  line: number;
  /** The cells by column name in lower case. A cell keeps its spaces and line breaks. */
  cells: Record<string, string>;
}
interface CsvProblem extends CsvRow {
  reason: string;
}
export interface CsvFile {
  /** The column names in the order in which they occur in the file. They are trimmed, in lower case and without duplicates. */
  header: string[];
  /** The column names that occur more than once. For each of these names, only the first column is read. */
  repeated: string[];
  rows: CsvRow[];
  problems: CsvProblem[];
  dialect: Dialect;
  /** The message that says why the whole file is refused, or null. */
  refused: string | null;
}

const MAX_CSV_ROWS = 20_000;
/** Each row is stored with all columns, so thousands of columns would fill the memory of the page, also if the rows are short. */
const MAX_CSV_COLUMNS = 200;
export const MAX_CSV_BYTES = 5 * 1024 * 1024;
const SLICE_MS = 12;

/** A computation in small steps. Each step yields the completed fraction (0 to 1). */
export type ProgressSteps<Result> = Generator<number, Result>;

/** Reads a whole file. Errors in the file are part of the result. The function never throws. */
export const readCsv = (file: Uint8Array | string): CsvFile => runSteps(csvReadSteps(file));

export function runSteps<Result>(steps: ProgressSteps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Does all steps in slices, so that the page is not blocked. `onProgress` is called with the completed fraction (0 to 1). */
export async function runStepsInSlices<Result>(
  steps: ProgressSteps<Result>,
  onProgress: (part: number) => void = () => {},
): Promise<Result> {
  let resumed = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (performance.now() - resumed < SLICE_MS) continue;
    onProgress(step.value);
    await new Promise((resume) => setTimeout(resume, 0));
    resumed = performance.now();
  }
}

export function* csvReadSteps(file: Uint8Array | string): ProgressSteps<CsvFile> {
  const { encoding, text } = file.length > MAX_CSV_BYTES ? textOf('') : textOf(file);
  const found: CsvFile = {
    header: [],
    repeated: [],
    rows: [],
    problems: [],
    dialect: { encoding, ...detectDialect(text) },
    refused: refusalOf(file, text),
  };
  if (found.refused !== null) return found;
  let columns: string[] | null = null;
  for (const row of rowsOf(text, found.dialect)) {
    yield row.end / text.length;
    if (isBlank(row)) continue;
    if (columns === null) {
      if (row.fault !== null) return { ...found, refused: badHeader(row.fault) };
      if (row.cells.length > MAX_CSV_COLUMNS) return { ...found, refused: TOO_MANY_COLUMNS };
      columns = row.cells.map((cell) => unguarded(cell).trim().toLowerCase());
      Object.assign(found, namesIn(columns));
      continue;
    }
    take(row, columns, found);
    if (found.rows.length + found.problems.length > MAX_CSV_ROWS) return { ...found, rows: [], problems: [], refused: TOO_MANY_ROWS };
  }
  return found;
}

function refusalOf(file: Uint8Array | string, text: string): string | null {
  // People often choose an .xlsx or .xls file by mistake. Such a file is recognized by its first bytes.
  const start = leadingText(file);
  if (start.startsWith('PK\u0003\u0004') || (file[0] === 0xd0 && file[1] === 0xcf && file[2] === 0x11)) return SPREADSHEET;
  if (isBinary(start)) return NOT_CSV;
  if (file.length > MAX_CSV_BYTES) return FILE_TOO_LARGE;
  return text.trim() === '' ? EMPTY_FILE : null;
}

function namesIn(columns: readonly string[]): Pick<CsvFile, 'header' | 'repeated'> {
  const named = columns.filter((column) => column !== '');
  const header = [...new Set(named)];
  return { header, repeated: header.filter((column) => named.indexOf(column) !== named.lastIndexOf(column)) };
}

function take(row: RawRow, columns: readonly string[], found: CsvFile): void {
  const { line, cells } = row;
  const reason = row.fault ?? (cells.length === columns.length ? null : unevenRow(cells.length, columns.length));
  if (reason === null) found.rows.push({ line, cells: namedCells(cells, columns) });
  else found.problems.push({ line, reason, cells: namedCells(row.fault === null ? fitted(cells, columns.length) : [], columns) });
}

function namedCells(cells: readonly string[], columns: readonly string[]): Record<string, string> {
  const named = columns.map((column, place): [string, string] => [column, unguarded(cells[place] ?? '')]);
  // Of two entries with the same name, Object.fromEntries keeps the last one. The entries are reversed so that it keeps the first column.
  return Object.fromEntries(named.filter(([column]) => column !== '').toReversed());
}

/**
 * If a row has more cells than the header, the extra cells are appended to the last cell. The file of failed rows then contains all of
 * them.
 */
const fitted = (cells: readonly string[], count: number): string[] => [...cells.slice(0, count - 1), cells.slice(count - 1).join(', ')];
