// Handles the rows of an uploaded file that could not be read or saved. The functions group the rows by cause, and write them into a CSV
// file that the user can download (spec §8).
import { writeCsv } from './write-csv.ts';

export const FAILED_FILE = 'failed-to-save.csv';
/** The column of the downloaded file that contains the reasons. An import ignores this column. */
export const REASON = 'reason';

export interface Problem {
  line: number;
  reasons: readonly string[];
  /** The cells by column name, unchanged from the file. */
  cells: Readonly<Record<string, string>>;
}

/** Returns the problem of a row that could be read, but not saved. */
export const asProblem = ({ line, cells }: Pick<Problem, 'line' | 'cells'>, reason: string): Problem => ({
  line,
  cells,
  reasons: [reason],
});

export interface Cause {
  reason: string;
  problems: Problem[];
}

/** Groups the problems by their cause. The most frequent cause comes first. */
export function causesOf(problems: readonly Problem[]): Cause[] {
  const found = new Map<string, Cause>();
  for (const problem of problems) {
    for (const reason of problem.reasons) {
      const cause = found.get(reason);
      if (cause) cause.problems.push(problem);
      else found.set(reason, { reason, problems: [problem] });
    }
  }
  return [...found.values()].toSorted((a, b) => b.problems.length - a.problems.length);
}

/** Returns a CSV file of the rows that were not saved. It has the given columns, and a column with the reasons for each row. */
export const failedRowsCsv = (columns: readonly string[], problems: readonly Problem[]): string =>
  writeCsv(
    [
      ...columns.map((header) => ({ header, value: ({ cells }: Problem) => cells[header] ?? null })),
      { header: REASON, value: ({ reasons }: Problem) => reasons.join('; ') },
    ],
    problems,
  );
