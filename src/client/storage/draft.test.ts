// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { clearDrafts, draftOf } from './draft.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test('a draft is returned only to the user who typed it, and only for the key under which it was stored', () => {
  draftOf<number[]>(5, 'order-12').keep([3, 1]);
  expect(draftOf(5, 'order-12').read()).toEqual([3, 1]);
  expect(draftOf(6, 'order-12').read()).toBeNull();
  expect(draftOf(5, 'order-13').read()).toBeNull();
});

test("sign-out removes every draft, and nothing else, from the browser's storage (contract §10)", () => {
  localStorage.setItem('feastday.theme', 'dark');
  draftOf(5, 'order-12').keep({});
  clearDrafts();
  expect(Object.keys(localStorage)).toEqual(['feastday.theme']);
});

test('drafts cause no error in a browser that refuses to store anything', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  draftOf(5, 'order-12').keep([1]);
  expect(draftOf(5, 'order-12').read()).toBeNull();
});
