import { useCallback, useSyncExternalStore } from 'react';

/** Below spec §9's mobile breakpoint. */
export const PHONE = '(max-width: 767.98px)';
/** Without the room for a column of sums beside the products of an order. */
export const ONE_COLUMN = '(max-width: 1023.98px)';

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
