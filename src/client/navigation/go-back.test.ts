// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { backTo, goBack } from './go-back.ts';

const ORDERS = '/agent/distribution/9?customers.name=adler';

/** Simulates the browser history of a tab. `before` lists the URLs of the earlier pages; null stands for a page of another site. */
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

test('goBack returns to the previous page after a save, even after a reload (spec §2; contract §10)', () => {
  tabOf([ORDERS]);
  goBack('/');
  expect(back).toHaveBeenCalledTimes(1);
  tabOf([ORDERS], { sameDocument: false });
  goBack('/');
  expect(now()).toBe(ORDERS);
});

test("without a previous page, goBack opens the page that the caller names: / or the user's dashboard (spec §2; contract §10)", () => {
  tabOf([]);
  goBack('/');
  expect(now()).toBe('/');
  // The previous page belongs to another site.
  tabOf([null]);
  goBack('/agent');
  expect(now()).toBe('/agent');
  expect(back).not.toHaveBeenCalled();
});

test('backTo restores the filters of a list when the user returns to it, and opens any other page without filters', () => {
  tabOf([ORDERS]);
  backTo('/agent/distribution/9');
  expect(back).toHaveBeenCalledTimes(1);
  tabOf(['/agent']);
  backTo('/agent/distribution/9');
  expect([now(), back.mock.calls.length]).toEqual(['/agent/distribution/9', 1]);
});
