// Removes from the device the orders of distributions whose counter nobody may use any more (contract §14).
import type { Call } from '../../../client/api/fetch.ts';
import { listDistributions, type Distribution } from '../../distributions/contract.ts';
import { isSessionOver, readSnapshots, removeFamilies } from './counter-db.ts';
import { READ_TIMEOUT_MS } from '../requests/timeouts.ts';

interface ReadDistributions {
  readonly distributions: readonly Pick<Distribution, 'id' | 'acceptActuals'>[];
  /** When the client received the list, in milliseconds since 1970. */
  readonly readAt: number;
}

/**
 * Removes the orders of distributions that accept no actual quantities any more, or that the user may not see any more. Removes all orders
 * if the session must have expired.
 */
export async function removeEndedFamilies({ distributions, readAt }: ReadDistributions): Promise<void> {
  const accepting = new Set(distributions.filter(({ acceptActuals }) => acceptActuals).map(({ id }) => id));
  for (const snapshot of await readSnapshots()) {
    const { user, distribution } = snapshot;
    // Orders that a counter has read after this list was read are newer than the list, so they stay.
    const hasEnded = !accepting.has(distribution.id) && snapshot.readAt < readAt;
    if (hasEnded || isSessionOver(snapshot)) await removeFamilies(user.id, distribution.id);
  }
}

/** Called when a counter opens: checks the other distributions whose orders are on the device. */
export async function checkOtherFamilies(call: Call, openedId: number): Promise<void> {
  const others = (await readSnapshots()).filter(({ distribution }) => distribution.id !== openedId);
  if (others.length === 0) return;
  // The orders of an expired session are removed even if the server cannot be reached.
  await removeEndedFamilies({ distributions: [], readAt: -Infinity });
  const distributions = await call(listDistributions, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
  await removeEndedFamilies({ distributions, readAt: Date.now() });
}
