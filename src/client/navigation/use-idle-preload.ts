import { useEffect } from 'react';
import { IDLE_PRELOAD_DELAY } from './idle-preload-delay.ts';

/** Fetches the scripts of what may be opened next, for they are needed where there is no connection. `scripts` stays the same list. */
export function useIdlePreload(scripts: readonly { readonly load: () => Promise<unknown> }[]): void {
  useEffect(() => {
    // What goes wrong is seen when it is shown.
    const fetchAll = (): void => scripts.forEach((script) => void script.load().catch(() => undefined));
    const waiting = setTimeout(fetchAll, IDLE_PRELOAD_DELAY);
    addEventListener('online', fetchAll);
    return () => {
      clearTimeout(waiting);
      removeEventListener('online', fetchAll);
    };
  }, [scripts]);
}
