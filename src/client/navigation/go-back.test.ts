// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { backTo, goBack } from './go-back.ts';

const ORDERS = '/agent/distribution/9?customers.name=adler';

/** What the browser tells of the pages before this one in the tab; `null` of a page that is not this app's. */
function tabOf(before: readonly (string | null)[], { sameDocument = true } = {}): void {
  const pages = [...before, location.pathname + location.search];
  const entries = pages.map((path, index) => ({ index, sameDocument, getState: () => path }));
  vi.stubGlobal('navigation', { currentEntry: entries.at(-1), entries: () => entries });
}

const back = vi.spyOn(history, 'back').mockImplementation(() => undefined);
beforeEach(() => {
  back.mockClear();
  navigate('/agent/orders/5/actual-quantities', { replace: true });
});
afterEach(() => vi.unstubAllGlobals());
const now = (): string => location.pathname + location.search;

test('after saving somebody returns to the page before, also when a reload came between (spec §2; contract §10)', () => {
  tabOf([ORDERS]);
  goBack('/');
  expect(back).toHaveBeenCalledTimes(1);
  tabOf([ORDERS], { sameDocument: false });
  goBack('/');
  expect(now()).toBe(ORDERS);
});

test('without a page before it is the given one: /, or the own dashboard (spec §2; contract §10)', () => {
  tabOf([]);
  goBack('/');
  expect(now()).toBe('/');
  // The page before is not of this app.
  tabOf([null]);
  goBack('/agent');
  expect(now()).toBe('/agent');
  expect(back).not.toHaveBeenCalled();
});

test('a list is gone back to as it was left, and any other page before it is not', () => {
  tabOf([ORDERS]);
  backTo('/agent/distribution/9');
  expect(back).toHaveBeenCalledTimes(1);
  tabOf(['/agent']);
  backTo('/agent/distribution/9');
  expect([now(), back.mock.calls.length]).toEqual(['/agent/distribution/9', 1]);
});
