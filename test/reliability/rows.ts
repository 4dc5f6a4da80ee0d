// Reads the rows of docs/reliability.md. `npm run prove` lists these rows.
import type { ReliabilityTest } from './reliability-test.ts';

const CELL = /(?<!\\)\|/;
const TESTS = /`[^`]+? › [^`]+`/g;

interface Row {
  readonly no: string;
  readonly promise: string;
  /** The number of tests or groups of tests in npm test that prove the row. */
  readonly tests: number;
  /** The command that runs the reliability test, or '' if the row has none. */
  readonly command: string;
  readonly measured: string;
}

export function rowsOf(page: string): Row[] {
  const lines = page.split('\n').filter((line) => /^\| (R\d+|[a-z]+) \|/.test(line));
  return lines.map((line) => {
    const [no = '', promise = '', short = '', long = '', measured = ''] = line
      .split(CELL)
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { no, promise, tests: short.match(TESTS)?.length ?? 0, command: /`([^`]+)`/.exec(long)?.[1] ?? '', measured };
  });
}

function longForm({ no, command, tests, measured }: Row, proofs: readonly ReliabilityTest[]): string {
  const proof = proofs.find(({ row }) => row === no);
  const needs = proof && proof.needs.length > 0 ? `, needs ${proof.needs.join(' and ')}` : '';
  if (proof) return `${command}: ${proof.what}, about ${proof.minutes} min a database${needs}`;
  if (command !== '') return command;
  return tests > 0 ? 'npm test alone' : measured;
}

/** Returns the text that lists all rows, each with its promise and the tests that prove it. */
export const listOf = (page: string, proofs: readonly ReliabilityTest[]): string =>
  rowsOf(page)
    .map(
      (row) =>
        `${row.no.padEnd(3)} ${row.promise}\n    npm test: ${row.tests === 1 ? '1 proof' : `${row.tests} proofs`}. ${longForm(row, proofs)}.`,
    )
    .join('\n');
