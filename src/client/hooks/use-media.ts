import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** Below spec §9's mobile breakpoint. */
export const PHONE = '(max-width: 767.98px)';
/** A tablet: without the room for a column of sums beside the products of an order, or for the lesser columns of a table. */
export const ONE_COLUMN = '(max-width: 1023.98px)';
/** Without the room for a table with a filter under each of many headers. */
export const NARROW_DESK = '(max-width: 1199.98px)';

/** No field is given the focus on a phone: the picture of the keyboard would hide the half of the screen. */
export const hasKeyboard = (): boolean => matchMedia('(pointer: fine)').matches;

export function useMedia(query: string): boolean {
  // Made once: React asks for the answer several times a drawing, and making a list takes longer than reading it.
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
