// The rows of an uploaded file that could not be read or saved: grouped by cause, and returned as a file (spec §8, design §2.4).
import { writeCsv } from './write-csv.ts';

export const FAILED_FILE = 'failed-to-save.csv';
/** The column of the returned file that an import ignores. */
export const REASON = 'reason';

export interface Problem {
  line: number;
  reasons: readonly string[];
  /** The cells as the file has them, by column. */
  cells: Readonly<Record<string, string>>;
}

export interface Cause {
  reason: string;
  problems: Problem[];
}

/** Groups problems by their cause, the most frequent first. */
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

/** A CSV of the unsaved rows: the columns that an import reads, and the reason. */
export const failedRowsCsv = (columns: readonly string[], problems: readonly Problem[]): string =>
  writeCsv(
    [
      ...columns.map((header) => ({ header, value: ({ cells }: Problem) => cells[header] ?? null })),
      { header: REASON, value: ({ reasons }: Problem) => reasons.join('; ') },
    ],
    problems,
  );
