import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ErrorBoundary } from '../error-boundary.tsx';
import { IDLE_PRELOAD_DELAY } from '../navigation/idle-preload-delay.ts';
import { dismissErrorsOfOtherRoutes, useToasts } from './toast.ts';

/**
 * Renders the toasts; used once, at the root. Loads the script of the toaster at the first toast, or soon after the first screen. When the
 * script cannot be loaded, toasts stay in the queue, and the next toast loads the script again.
 */
export function LazyToaster(): ReactNode {
  const { toasts } = useToasts();
  const [Toaster, setToaster] = useState<ComponentType | null>(null);
  const [path] = useLocation();
  useEffect(() => dismissErrorsOfOtherRoutes(path), [path]);
  const isMissing = Toaster === null;
  const lastRaised = toasts.at(-1)?.id;
  useEffect(() => {
    if (!isMissing) return undefined;
    const fetchIt = (): void =>
      void import('./toaster.tsx').then(({ Toaster: Fetched }) => setToaster(() => Fetched)).catch(() => undefined);
    const waiting = setTimeout(fetchIt, lastRaised === undefined ? IDLE_PRELOAD_DELAY : 0);
    addEventListener('online', fetchIt);
    return () => {
      clearTimeout(waiting);
      removeEventListener('online', fetchIt);
    };
  }, [isMissing, lastRaised]);
  return (
    Toaster && (
      <ErrorBoundary isPart>
        <Toaster />
      </ErrorBoundary>
    )
  );
}
