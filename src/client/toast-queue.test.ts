import { expect, test } from 'vitest';
import { durationOf, nextText, withoutToast, withToast, withUpdate } from './toast-queue.ts';
import type { ToastItem } from './toast-queue.ts';

const saved: ToastItem = { id: 1, title: 'Success', description: 'Order placed successfully' };
const added: ToastItem = { id: 2, title: 'Fee added successfully' };
const closed: ToastItem = { id: 3, title: 'Error', description: '409: Ordering is closed', variant: 'destructive' };
const gone: ToastItem = { id: 4, title: 'Error', description: '404: Not found', variant: 'destructive' };

const after = (...items: ToastItem[]): number[] => items.reduce<ToastItem[]>(withToast, []).map(({ id }) => id);

test.each([
  ['a success takes the place of a success', [saved, added], [2]],
  ['an error takes the place of a success', [saved, closed], [3]],
  ['a success waits behind an error', [closed, saved], [3, 1]],
  ['of waiting successes the newest is kept', [closed, saved, added], [3, 2]],
  ['a second error waits behind the first and before a success', [closed, saved, gone], [3, 4, 1]],
  ['an error said again takes its own place', [closed, saved, { ...closed, id: 9 }], [9, 1]],
])('%s (spec §9; contract §10)', (_, items, ids) => {
  expect(after(...items)).toEqual(ids);
});

test.each([
  [[], ''],
  [[saved], 'Next: Order placed successfully'],
  [[added], 'Next: Fee added successfully'],
  [[gone, saved], 'Next: 404: Not found, and 1 more'],
])('what waits behind an error is readable before it is closed (contract §10): %#', (waiting, text) => {
  expect(nextText(waiting)).toBe(text);
});

test('closing the error shows what waited behind it', () => {
  expect(withoutToast([closed, saved], 3)).toEqual([saved]);
});

test('a progress is changed in place, and one that is gone is not brought back', () => {
  expect(withUpdate([added], 2, { title: 'Saving 2/7 Brisket' })).toEqual([{ id: 2, title: 'Saving 2/7 Brisket' }]);
  expect(withUpdate([added], 8, { title: 'Saving 2/7 Brisket' })).toEqual([added]);
});

test('a default toast closes after 5,000 ms, a destructive one never by itself (spec §9)', () => {
  expect(durationOf(saved)).toBe(5000);
  expect(durationOf(closed)).toBe(Infinity);
  expect(durationOf({ ...saved, duration: 10_000 })).toBe(10_000);
});
