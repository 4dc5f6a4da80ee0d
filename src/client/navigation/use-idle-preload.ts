import { useEffect } from 'react';
import { FIRST_SCREENS_TIME } from './idle-preload-delay.ts';

/** Fetches the scripts of what may be opened next, for they are needed where there is no connection. `scripts` stays the same list. */
export function useScriptsLater(scripts: readonly { readonly fetched: () => Promise<unknown> }[]): void {
  useEffect(() => {
    // What goes wrong is seen when it is shown.
    const fetchAll = (): void => scripts.forEach((script) => void script.fetched().catch(() => undefined));
    const waiting = setTimeout(fetchAll, FIRST_SCREENS_TIME);
    addEventListener('online', fetchAll);
    return () => {
      clearTimeout(waiting);
      removeEventListener('online', fetchAll);
    };
  }, [scripts]);
}
