// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Causes, columnNotes, FirstRows } from './file-preview.tsx';

afterEach(cleanup);

const problem = (line: number, ...reasons: string[]) => ({ line, reasons, cells: {} });
const items = (): (string | null)[] => screen.getAllByRole('listitem').map((item) => item.textContent);

test('errors are said by their cause, the most frequent first, with the first of their lines (design §2.4)', () => {
  const many = [3, 4, 5, 6, 7, 8].map((line) => problem(line, 'Name is required'));
  render(<Causes problems={[problem(2, 'Quantity must be a whole number'), ...many]} />);
  expect(items()).toEqual(['6 rows: Name is required (lines 3, 4, 5, 6, 7, …)', '1 row: Quantity must be a whole number (line 2)']);
});

test('of many causes the rest is counted', () => {
  render(<Causes problems={[problem(2, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')]} />);
  expect(items().at(-1)).toBe('and 2 more causes');
});

test('columns that are not read are named', () => {
  expect(columnNotes({ ignored: ['colour'], repeated: [] })[0]).toBe('Ignored column: colour.');
  expect(columnNotes({ ignored: ['colour', 'size'], repeated: ['name'] })).toEqual([
    'Ignored columns: colour, size.',
    'Of name, which come more than once, the first column is read.',
  ]);
});

test('of a long file the first rows are shown, and more on demand', () => {
  const rows = Array.from({ length: 9 }, (_, index) => index + 2);
  const long = 'Brisket '.repeat(40);
  render(<FirstRows rows={rows} preview={(line) => ({ line, fate: { tone: 'good', word: 'Add' }, title: long, text: '$10.00' })} />);
  expect(screen.getByRole('heading').textContent).toBe('The first 8 rows');
  expect(items()[0]).toMatch(/^Add(Brisket ){18}Briske …Line 2: \$10\.00$/);
  fireEvent.click(screen.getByRole('button', { name: 'Show 1 more row' }));
  expect(screen.getByRole('heading').textContent).toBe('The rows');
  expect(items()).toHaveLength(9);
});
