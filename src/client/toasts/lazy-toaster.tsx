import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ErrorBoundary } from '../error-boundary.tsx';
import { IDLE_PRELOAD_DELAY } from '../navigation/idle-preload-delay.ts';
import { dismissErrorsOfOtherRoutes, useToasts } from './toast.ts';

/** While toasts are in the queue, a script that could not be loaded is loaded again after this many milliseconds. */
const RETRY_DELAY = 3000;

/**
 * Renders the toasts; used once, at the root. Loads the script of the toaster at the first toast, or soon after the first screen. When the
 * script cannot be loaded, toasts stay in the queue, and the script is loaded again every few seconds.
 */
export function LazyToaster(): ReactNode {
  const { toasts } = useToasts();
  const [Toaster, setToaster] = useState<ComponentType | null>(null);
  const [path] = useLocation();
  useEffect(() => dismissErrorsOfOtherRoutes(path), [path]);
  const isMissing = Toaster === null;
  const lastRaised = toasts.at(-1)?.id;
  const isQueued = lastRaised !== undefined;
  useEffect(() => {
    if (!isMissing) return undefined;
    const fetchIt = (): void =>
      void import('./toaster.tsx').then(({ Toaster: Fetched }) => setToaster(() => Fetched)).catch(() => undefined);
    const first = setTimeout(fetchIt, isQueued ? 0 : IDLE_PRELOAD_DELAY);
    const again = isQueued ? setInterval(fetchIt, RETRY_DELAY) : undefined;
    addEventListener('online', fetchIt);
    return () => {
      clearTimeout(first);
      clearInterval(again);
      removeEventListener('online', fetchIt);
    };
  }, [isMissing, isQueued, lastRaised]);
  return (
    Toaster && (
      <ErrorBoundary isPart>
        <Toaster />
      </ErrorBoundary>
    )
  );
}
