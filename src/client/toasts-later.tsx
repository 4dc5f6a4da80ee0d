import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { useToasts } from './toast.tsx';
import { WHEN_THE_FIRST_IS_SHOWN } from './use-scripts-later.ts';

const Toaster = lazy(async () => ({ default: (await import('./toaster.tsx')).Toaster }));

/** Stands once, at the root. What shows the toasts is fetched for the first of them, or when the first screen has had its time. */
export function ToastsLater(): ReactNode {
  const { toasts } = useToasts();
  const [hadItsTime, setHadItsTime] = useState(false);
  useEffect(() => {
    const waiting = setTimeout(() => setHadItsTime(true), WHEN_THE_FIRST_IS_SHOWN);
    return () => clearTimeout(waiting);
  }, []);
  if (!hadItsTime && toasts.length === 0) return null;
  return (
    <ErrorBoundary>
      <Suspense>
        <Toaster />
      </Suspense>
    </ErrorBoundary>
  );
}
