import { use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { CallError } from '../../../client/api/fetch.ts';
import { CallContext } from '../../../client/api/use-calls.ts';
import { isSignOutPending, setSignOutPending } from '../../../client/storage/pending-sign-out.ts';
import { SECOND } from '../../../domain/durations.ts';
import { signOut } from '../contract.ts';

const RETRY_AFTER = 30 * SECOND;

export interface PendingSignOut {
  /**
   * True if the user has signed out here but the server may not have ended the session. The client must not request the signed-in user
   * then.
   */
  readonly isPending: boolean;
  /** Called when the user has signed out and the server could not be reached. */
  readonly begin: () => void;
  /** Ends the session now if it must still be ended. Never throws. */
  readonly finish: () => Promise<void>;
  /** Called after a user has signed in, because the new session has then replaced the one that had to be ended. */
  readonly cancel: () => void;
}

/** If a user has signed out while the server could not be reached, ends the session as soon as the server responds. */
export function usePendingSignOut(): PendingSignOut {
  const send = use(CallContext);
  const [isPending, setIsPending] = useState(isSignOutPending);
  const finishing = useRef<Promise<void> | null>(null);
  const change = useCallback((next: boolean) => {
    setSignOutPending(next);
    setIsPending(next);
  }, []);
  const finish = useCallback(async () => {
    if (!isSignOutPending()) return;
    // Never sends two requests at once: the second one could end a session that was opened after the first one.
    finishing.current ??= send(signOut)
      .then(
        () => change(false),
        (error: unknown) => {
          // The status 401 of the server means that the session has already ended.
          if (error instanceof CallError && error.isFromServer && error.status === 401) change(false);
        },
      )
      .finally(() => {
        finishing.current = null;
      });
    await finishing.current;
  }, [send, change]);
  useEffect(() => {
    const attempt = (): void => {
      // In another tab, the user may have signed out, or the session may have been ended since.
      setIsPending(isSignOutPending());
      void finish();
    };
    attempt();
    addEventListener('storage', attempt);
    addEventListener('online', attempt);
    const timer = setInterval(attempt, RETRY_AFTER);
    return () => {
      removeEventListener('storage', attempt);
      removeEventListener('online', attempt);
      clearInterval(timer);
    };
  }, [isPending, finish]);
  return useMemo(
    () => ({ isPending, begin: () => change(true), finish, cancel: () => isSignOutPending() && change(false) }),
    [isPending, change, finish],
  );
}
