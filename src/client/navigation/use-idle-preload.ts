import { useEffect } from 'react';
import { IDLE_PRELOAD_DELAY } from './idle-preload-delay.ts';

/** Preloads the scripts of screens and dialogs that may be opened next, so that they work offline. `scripts` must be a stable list. */
export function useIdlePreload(scripts: readonly { readonly load: () => Promise<unknown> }[]): void {
  useEffect(() => {
    // Ignores errors here: the user sees the error when the screen or dialog is opened.
    const fetchAll = (): void => scripts.forEach((script) => void script.load().catch(() => undefined));
    const waiting = setTimeout(fetchAll, IDLE_PRELOAD_DELAY);
    addEventListener('online', fetchAll);
    return () => {
      clearTimeout(waiting);
      removeEventListener('online', fetchAll);
    };
  }, [scripts]);
}
