import { expect, test } from 'vitest';
import { causesOf, failedRowsCsv } from './problems.ts';

const problem = (line: number, ...reasons: string[]) => ({ line, reasons, cells: {} });

test('causesOf groups the problems of a file by cause, the most frequent first', () => {
  const quantity = problem(2, 'Quantity must be a whole number');
  const names = [3, 4, 5].map((line) => problem(line, 'Name is required'));
  expect(causesOf([quantity, ...names])).toEqual([
    { reason: 'Name is required', problems: names },
    { reason: 'Quantity must be a whole number', problems: [quantity] },
  ]);
});

test('failedRowsCsv returns the rows that were not saved with their original text and all reasons', () => {
  const rows = [{ line: 4, reasons: ['Too short', 'Too old'], cells: { a: '=1', other: 'x' } }];
  expect(failedRowsCsv(['a', 'b'], rows)).toBe(`\uFEFFa,b,reason\r\n'=1,,"Too short; Too old"\r\n`);
});
