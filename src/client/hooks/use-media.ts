import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** Matches screens narrower than 768 px, the mobile breakpoint of spec §9. */
export const PHONE = '(max-width: 767.98px)';
/** Matches tablets and phones, which have no room for the totals column beside the products, or for secondary table columns. */
export const ONE_COLUMN = '(max-width: 1023.98px)';
/** Matches screens on which a table has no room for a filter under each column header. */
export const NARROW_DESK = '(max-width: 1199.98px)';
/** Matches every screen. */
export const ANY_SCREEN = 'all';

/**
 * Whether the device has a keyboard. On touch devices no field is focused automatically, because the on-screen keyboard would hide half of
 * the screen.
 */
export const hasKeyboard = (): boolean => matchMedia('(pointer: fine)').matches;

export function useMedia(query: string): boolean {
  // The list is memoized because React reads it several times per render, and creating a MediaQueryList costs more than reading it.
  const list = useMemo(() => matchMedia(query), [query]);
  const subscribe = useCallback(
    (listener: () => void) => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => list.matches);
}
