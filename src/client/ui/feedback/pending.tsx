import type { ReactNode } from 'react';
import { sentenceOf } from '../../api/fetch.ts';
import { ErrorState } from './error-state.tsx';

export interface PendingProps {
  read: { readonly error: Error | null; readonly refetch: () => unknown };
  /** What is shown while the read is loading, such as a skeleton. */
  waiting: ReactNode;
}

/**
 * Shown instead of content while its read has no data. While the read is loading, it renders `waiting`. After a failure, it renders the
 * error with a button that reads again.
 */
export function Pending({ read: { error, refetch }, waiting }: PendingProps): ReactNode {
  return error ? <ErrorState text={sentenceOf(error)} onRetry={() => void refetch()} /> : waiting;
}
