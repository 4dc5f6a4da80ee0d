import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { useSearchParamState, writeSearchParams } from './search-param-state.ts';

const TABS = ['distribution-info', 'fees', 'report'] as const;
type Tab = (typeof TABS)[number];

beforeEach(() => navigate('/distributor/distribution/7'));
afterEach(cleanup);

const tab = (): ReturnType<typeof renderHook<[Tab, (next: Tab) => void], unknown>> =>
  renderHook(() => useSearchParamState<Tab>('tab', 'distribution-info', TABS));

test('useSearchParamState opens the default tab, then the chosen tab, and updates the URL without a new history entry (spec §2; contract §10)', () => {
  const { result } = tab();
  const before = history.length;
  expect(result.current[0]).toBe('distribution-info');
  act(() => result.current[1]('fees'));
  expect(result.current[0]).toBe('fees');
  expect(location.search).toBe('?tab=fees');
  expect(history.length).toBe(before);
  act(() => result.current[1]('distribution-info'));
  expect(location.search).toBe('');
});

test('useSearchParamState ignores a value in the URL that is not one of the allowed values (spec §2)', () => {
  navigate('/distributor/distribution/7?tab=nonsense');
  expect(tab().result.current[0]).toBe('distribution-info');
});

test('useSearchParamState keeps both search parameters in the URL when two of them are changed in one event', () => {
  act(() => {
    writeSearchParams({ tab: 'report' });
    writeSearchParams({ sort: '-name' });
  });
  expect(location.search).toBe('?tab=report&sort=-name');
});
