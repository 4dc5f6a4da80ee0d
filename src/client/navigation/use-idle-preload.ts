import { useEffect } from 'react';
import { IDLE_PRELOAD_DELAY } from './idle-preload-delay.ts';

/**
 * Preloads the scripts of screens and dialogs that may be opened next, so that they work offline. `scripts` must be the same array at every
 * render.
 */
export function useIdlePreload(scripts: readonly { readonly load: () => Promise<unknown> }[]): void {
  useEffect(() => {
    // Ignores a failure to load; the user sees the error on opening the screen or dialog.
    const fetchAll = (): void => scripts.forEach((script) => void script.load().catch(() => undefined));
    const waiting = setTimeout(fetchAll, IDLE_PRELOAD_DELAY);
    addEventListener('online', fetchAll);
    return () => {
      clearTimeout(waiting);
      removeEventListener('online', fetchAll);
    };
  }, [scripts]);
}
