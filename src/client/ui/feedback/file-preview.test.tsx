import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ErrorCauses, columnNotes, FirstRows } from './file-preview.tsx';

afterEach(cleanup);

const problem = (line: number, ...reasons: string[]) => ({ line, reasons, cells: {} });
const items = (): (string | null)[] => screen.getAllByRole('listitem').map((item) => item.textContent);

test('the preview of an import file groups the errors of a file by cause, the most frequent first, each with the first line numbers', () => {
  const many = [3, 4, 5, 6, 7, 8].map((line) => problem(line, 'Name is required'));
  render(<ErrorCauses problems={[problem(2, 'Quantity must be a whole number'), ...many]} />);
  expect(items()).toEqual(['6 rows: Name is required (lines 3, 4, 5, 6, 7, …)', '1 row: Quantity must be a whole number (line 2)']);
});

test('the preview of an import file shows the first six causes of errors, and all causes on demand (contract §4)', () => {
  render(<ErrorCauses problems={[problem(2, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')]} />);
  expect(items()).toHaveLength(6);
  fireEvent.click(screen.getByRole('button', { name: 'Show 2 more causes' }));
  expect(items().at(-1)).toBe('1 row: h (line 2)');
  expect(screen.queryByRole('button')).toBeNull();
});

test('the preview of an import file lists the rows with an error when the user opens the cause of the error, and shows the first 100 rows immediately (contract §4)', async () => {
  const rows = Array.from({ length: 102 }, (_, index) => ({ ...problem(index + 2, 'a'), cells: { name: `Pie ${index}`, uom: ' ' } }));
  render(<ErrorCauses problems={[...rows, problem(200, 'b')]} />);
  const [first, second] = document.querySelectorAll('details');
  if (!first || !second) throw new Error('a cause cannot be opened');
  const rowsIn = (details: Element): (string | null)[] => [...details.querySelectorAll('li')].map((item) => item.textContent);
  for (const details of [first, second]) details.open = true;
  await waitFor(() => expect(rowsIn(second)).toEqual(['Line 200: its cells cannot be read']));
  expect(rowsIn(first)).toHaveLength(100);
  expect(rowsIn(first)[0]).toBe('Line 2: name Pie 0');
  fireEvent.click(screen.getByRole('button', { name: 'Show 2 more rows' }));
  expect(rowsIn(first)).toHaveLength(102);
});

test('the preview of an import file names the columns of the file that the import does not read', () => {
  expect(columnNotes({ ignored: ['colour'], repeated: [] })[0]).toBe('Ignored column: colour.');
  expect(columnNotes({ ignored: ['colour', 'size'], repeated: ['name'] })).toEqual([
    'Ignored columns: colour, size.',
    'Of name, which come more than once, the first column is read.',
  ]);
});

test('the preview of an import file shows the first rows of a long file, and more rows on demand', () => {
  const rows = Array.from({ length: 9 }, (_, index) => index + 2);
  const long = 'Brisket '.repeat(40);
  render(<FirstRows rows={rows} preview={(line) => ({ line, fate: { tone: 'good', word: 'Add' }, title: long, text: '$10.00' })} />);
  expect(screen.getByRole('heading').textContent).toBe('The first 8 rows');
  expect(items()[0]).toMatch(/^Add(Brisket ){18}Briske …Line 2: \$10\.00$/);
  fireEvent.click(screen.getByRole('button', { name: 'Show 1 more row' }));
  expect(screen.getByRole('heading').textContent).toBe('The rows');
  expect(items()).toHaveLength(9);
});
