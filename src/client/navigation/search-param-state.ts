import { useCallback } from 'react';
import { navigate, useSearch } from 'wouter/use-browser-location';

/** Merges query parameters into the URL without a new history entry; '' removes a parameter. */
export function writeSearchParams(changes: Readonly<Record<string, string>>): void {
  // The current query is read at the time of writing, so that two changes in one event are both kept.
  const query = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(changes)) {
    if (value === '') query.delete(key);
    else query.set(key, value);
  }
  const search = query.size === 0 ? '' : `?${query}`;
  if (search !== location.search) navigate(location.pathname + search + location.hash, { replace: true, state: history.state as unknown });
}

/** The delay of a write in milliseconds, because browsers refuse more than a hundred URL changes in half a minute. */
const WRITE_DELAY_MS = 300;

const delayed = new Set<() => void>();

/** Delays a write. Navigation to another path executes it immediately. The returned function cancels the write. */
export function delaySearchParamWrite(write: () => void): () => void {
  const cancel = (): void => {
    clearTimeout(timer);
    delayed.delete(run);
  };
  const run = (): void => {
    cancel();
    write();
  };
  const timer = setTimeout(run, WRITE_DELAY_MS);
  delayed.add(run);
  return cancel;
}

export const flushSearchParamWrites = (): void => delayed.forEach((run) => run());

/**
 * Returns state that is kept in the URL and therefore survives a reload. The state is the value of one query parameter, or `fallback` if
 * the parameter is missing or its value is not in `allowed`.
 */
export function useSearchParamState<T extends string = string>(
  key: string,
  fallback: NoInfer<T>,
  allowed?: readonly T[],
): [T, (next: T) => void] {
  const given = new URLSearchParams(useSearch()).get(key);
  const value = given !== null && (allowed === undefined || allowed.includes(given as T)) ? (given as T) : fallback;
  const set = useCallback((next: T) => writeSearchParams({ [key]: next === fallback ? '' : next }), [key, fallback]);
  return [value, set];
}
