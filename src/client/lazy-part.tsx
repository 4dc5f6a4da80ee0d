import { Suspense, type ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';

interface LazyPartProps {
  /** Shown while the script of the part is loading. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Renders a part of a screen whose script is loaded on demand. If the script fails to load, an error message replaces only this part. */
export const LazyPart = ({ fallback = null, children }: LazyPartProps): ReactNode => (
  <ErrorBoundary isPart>
    <Suspense fallback={fallback}>{children}</Suspense>
  </ErrorBoundary>
);
