// Sends the queue of the signed-in user while the user is on another screen than the counter (contract §14).
import type { Call } from '../../../client/api/fetch.ts';
import { readUser } from '../../auth/contract.ts';
import { READ_TIMEOUT_MS } from '../requests/timeouts.ts';
import { allowCounterDb } from './counter-db.ts';
import { onTabMessage } from './tabs.ts';
import { WriteQueue } from './write-queue.ts';
import type { QueuedWrite } from './writes.ts';

/** Milliseconds between two attempts to send the queue. */
const RETRY_AFTER = 10_000;

interface QueueWatch {
  readonly call: Call;
  readonly userId: number;
  /** Called with the user's writes, each time they have changed. */
  readonly onShow: (writes: readonly QueuedWrite[]) => void;
  readonly onShowOthers: (count: number) => void;
}

/** Shows and sends the queue until the returned function is called. */
export function watchQueue({ call, userId, onShow, onShowOthers }: QueueWatch): () => void {
  const queue = new WriteQueue({ call, userId, onShow, onShowOthers, onAccepted: () => undefined, onFailed: async () => undefined });
  const update = async (): Promise<void> => {
    await queue.reload();
    if (!queue.hasWaiting()) return;
    // Another user may have signed in in another tab. Only the writes of the signed-in user are sent.
    const signedIn = await call(readUser, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    if (signedIn.id !== userId || signedIn.mustAddSecondFactor) return;
    await queue.send();
    await queue.changed();
  };
  // An error needs no handling, because the next attempt may succeed.
  const attempt = (): void => void update().catch(() => undefined);
  queue.start();
  allowCounterDb();
  attempt();
  const timer = setInterval(attempt, RETRY_AFTER);
  addEventListener('online', attempt);
  const stopListening = onTabMessage((message) => {
    if (message === 'queue') queue.reload().catch(() => undefined);
    else queue.stop();
  });
  return () => {
    queue.stop();
    clearInterval(timer);
    removeEventListener('online', attempt);
    stopListening();
  };
}
