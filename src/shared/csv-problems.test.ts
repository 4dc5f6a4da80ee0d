import { expect, test } from 'vitest';
import { causesOf, causeText, failedRowsCsv } from './csv-problems.ts';

const problem = (line: number, ...reasons: string[]) => ({ line, reasons, cells: {} });

test('problems are grouped by cause, the most frequent first, with their lines', () => {
  const few = [problem(2, 'Quantity must be a whole number'), ...[3, 4, 5, 6, 7, 8].map((line) => problem(line, 'Name is required'))];
  expect(causesOf(few).map(causeText)).toEqual([
    '6 rows: Name is required (lines 3, 4, 5, 6, 7, …)',
    '1 row: Quantity must be a whole number (line 2)',
  ]);
});

test('what was not saved comes back in its own words with all its reasons', () => {
  const rows = [{ line: 4, reasons: ['Too short', 'Too old'], cells: { a: '=1', other: 'x' } }];
  expect(failedRowsCsv(['a', 'b'], rows)).toBe("\uFEFFa,b,reason\r\n'=1,,Too short; Too old\r\n");
});
