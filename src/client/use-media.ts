import { useCallback, useSyncExternalStore } from 'react';

/** Below spec §9's mobile breakpoint. */
export const PHONE = '(max-width: 767.98px)';

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
