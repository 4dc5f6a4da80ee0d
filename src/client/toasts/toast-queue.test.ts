import { expect, test } from 'vitest';
import { durationOf, nextText, withoutAction, withoutErrorsOfOtherRoutes, withoutToast, withToast, withUpdate } from './toast-queue.ts';
import type { ToastItem } from './toast-queue.ts';

const path = '/customer';
const saved: ToastItem = { id: 1, path, title: 'Success', description: 'Order placed successfully' };
const added: ToastItem = { id: 2, path, title: 'Fee added successfully' };
const closed: ToastItem = { id: 3, path, title: 'Error', description: '409: Ordering is closed', variant: 'destructive' };
const gone: ToastItem = { id: 4, path, title: 'Error', description: '404: Not found', variant: 'destructive' };

const paying: ToastItem = { ...closed, id: 5, description: '409: Paid already', actionKey: 'pay 5' };

const after = (...items: ToastItem[]): number[] => items.reduce<ToastItem[]>(withToast, []).map(({ id }) => id);

test.each([
  ['a success takes the place of a success', [saved, added], [2]],
  ['an error takes the place of a success', [saved, closed], [3]],
  ['a success never replaces an error, but is queued beside it', [closed, saved], [3, 1]],
  ['of the successes beside an error the newest is kept', [closed, saved, added], [3, 2]],
  ['a second error waits behind the first', [closed, gone], [3, 4]],
  ['a repeated error takes its own place', [closed, gone, { ...closed, id: 9 }], [9, 4]],
  ['another error of the same action takes the place of the first', [paying, gone, { ...gone, id: 9, actionKey: 'pay 5' }], [9]],
  ['a success of the same action replaces its error', [paying, gone, { ...saved, actionKey: 'pay 5' }], [4, 1]],
  ['an error of another action stays', [paying, { ...saved, actionKey: 'pay 6' }], [5, 1]],
])('when a toast is added to the queue: %s (spec §9; contract §10)', (_, items, ids) => {
  expect(after(...items)).toEqual(ids);
});

test.each([
  [[], ''],
  [[saved], 'Next: Order placed successfully'],
  [[added], 'Next: Fee added successfully'],
  [[gone, saved], 'Next: 404: Not found, and 1 more'],
])('an error toast names the next toast that waits behind it (contract §10): %#', (waiting, text) => {
  expect(nextText(waiting)).toBe(text);
});

test('the toast queue shows the next toast when the user closes the error toast', () => {
  expect(withoutToast([closed, saved], 3)).toEqual([saved]);
});

test('the toast queue removes an error toast only when the action that failed succeeds', () => {
  expect(withoutAction([paying, closed, saved], 'pay 5')).toEqual([closed, saved]);
  expect(withoutAction([paying, closed, saved], 'pay 6')).toEqual([paying, closed, saved]);
  expect(withoutAction([closed], undefined)).toEqual([closed]);
});

test('the toast queue removes an error toast when the user leaves the route on which the toast appeared, and keeps a success toast', () => {
  expect(
    withoutErrorsOfOtherRoutes([closed, { ...gone, path: '/customer/order/3' }, saved], '/customer/order/3').map(({ id }) => id),
  ).toEqual([4, 1]);
});

test('the toast queue updates a progress toast in place, and does not show it again after the user has closed it', () => {
  expect(withUpdate([added], 2, { title: 'Saving 2/7 Brisket' })).toEqual([{ id: 2, path, title: 'Saving 2/7 Brisket' }]);
  expect(withUpdate([added], 8, { title: 'Saving 2/7 Brisket' })).toEqual([added]);
});

test('the toast queue closes a default toast after 5,000 ms, and never closes a destructive one automatically (spec §9)', () => {
  expect(durationOf(saved)).toBe(5000);
  expect(durationOf(closed)).toBe(Infinity);
  expect(durationOf({ ...saved, duration: 10_000 })).toBe(10_000);
});
