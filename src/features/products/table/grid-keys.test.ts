import { expect, test } from 'vitest';
import { nextCellOnKey, nextCellOnTab } from './grid-keys.ts';

const SIZE = { rows: 30, columns: 12 };
const at = (row: number, column: number) => ({ row, column });

test.each<[string, [number, number], [number, number]]>([
  ['ArrowDown', [0, 3], [1, 3]],
  ['ArrowDown', [29, 3], [29, 3]],
  ['ArrowUp', [0, 3], [0, 3]],
  ['ArrowRight', [2, 11], [2, 11]],
  ['ArrowLeft', [2, 3], [2, 2]],
  ['PageDown', [25, 0], [29, 0]],
  ['PageUp', [12, 0], [2, 0]],
  ['Home', [2, 5], [2, 0]],
  ['End', [2, 5], [2, 11]],
  ['Ctrl+Home', [2, 5], [0, 0]],
  ['Ctrl+End', [2, 5], [29, 11]],
  ['Ctrl+ArrowDown', [2, 5], [29, 5]],
  ['Ctrl+ArrowLeft', [2, 5], [2, 0]],
])('the key %s moves from the cell %j to the cell %j', (keys, from, to) => {
  const ctrlKey = keys.startsWith('Ctrl+');
  const key = keys.replace('Ctrl+', '');
  expect(nextCellOnKey({ key, ctrlKey, metaKey: false }, at(...from), SIZE, false)).toEqual(at(...to));
});

test('in a language that is written right to left, the left arrow key moves to the next column', () => {
  const key = { key: 'ArrowLeft', ctrlKey: false, metaKey: false };
  expect(nextCellOnKey(key, at(0, 1), SIZE, true)).toEqual(at(0, 2));
  expect(nextCellOnKey({ ...key, ctrlKey: true }, at(0, 1), SIZE, true)).toEqual(at(0, 11));
  expect(nextCellOnKey({ ...key, key: 'a' }, at(0, 1), SIZE, true)).toBeNull();
});

test('Tab continues in the next row, and leaves the table after the last cell; Shift+Tab does the reverse', () => {
  expect(nextCellOnTab(at(0, 11), SIZE, 1)).toEqual(at(1, 0));
  expect(nextCellOnTab(at(1, 0), SIZE, -1)).toEqual(at(0, 11));
  expect([nextCellOnTab(at(29, 11), SIZE, 1), nextCellOnTab(at(0, 0), SIZE, -1)]).toEqual([null, null]);
});
