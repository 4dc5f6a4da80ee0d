import type { ReactNode } from 'react';
import { sentenceOf } from '../../api/fetch.ts';
import { ErrorState, type ErrorStateProps } from './error-state.tsx';

export interface PendingProps extends Pick<ErrorStateProps, 'isInline'> {
  read: { readonly error: Error | null; readonly refetch: () => unknown };
  /** What is shown while the read is loading, such as a skeleton. */
  waiting: ReactNode;
  errorTitle?: string;
}

/**
 * Shown instead of content while its read has no data. While the read is loading, it renders `waiting`. After a failure, it renders the
 * error with a button that reads again.
 */
export function Pending({ read: { error, refetch }, waiting, errorTitle, isInline }: PendingProps): ReactNode {
  return error ? <ErrorState title={errorTitle} isInline={isInline} text={sentenceOf(error)} onRetry={() => void refetch()} /> : waiting;
}
