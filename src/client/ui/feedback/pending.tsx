import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

interface PendingProps {
  read: { readonly error: Error | null; readonly refetch: () => unknown };
  /** What is shown until the read has failed, such as a skeleton. */
  waiting: ReactNode;
}

/** Replaces what a read has not loaded. When the read has failed, shows the error with a button that reads again. */
export function Pending({ read: { error, refetch }, waiting }: PendingProps): ReactNode {
  return error ? <ErrorState text={error.message} onRetry={() => void refetch()} /> : waiting;
}
