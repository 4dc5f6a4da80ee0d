import { useEffect } from 'react';

/** Milliseconds; until then the connection is the first screen's. */
export const WHEN_THE_FIRST_IS_SHOWN = 2000;

/** Fetches the scripts of what may be opened next, for they are needed where there is no connection. `scripts` stays the same list. */
export function useScriptsLater(scripts: readonly { readonly fetched: () => Promise<unknown> }[]): void {
  useEffect(() => {
    // What goes wrong is seen when it is shown.
    const fetchAll = (): void => scripts.forEach((script) => void script.fetched().catch(() => undefined));
    const waiting = setTimeout(fetchAll, WHEN_THE_FIRST_IS_SHOWN);
    addEventListener('online', fetchAll);
    return () => {
      clearTimeout(waiting);
      removeEventListener('online', fetchAll);
    };
  }, [scripts]);
}
