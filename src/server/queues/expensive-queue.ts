import { createLimiter, type JobOptions, type LimiterOptions } from './limiter.ts';
import { currentUserId, withPermit } from '../database/tenant-connections.ts';
import { MINUTE } from '../../domain/durations.ts';
import { peopleGroupOf, type RecentUser } from '../auth/recent-sessions.ts';

const limiter = createLimiter({
  concurrency: 1,
  concurrencyPerGroup: 1,
  maxQueued: 1000,
  maxQueuedPerKey: 200,
  maxWait: MINUTE,
  // A read may take long. After this number of milliseconds, a read of another distributor starts, although the first read has not ended.
  // Most reads end earlier: reading a batch of a long list takes about 50 ms, and counting the orders of 5,000 families for the control
  // room takes less than a second.
  maxHold: 2000,
  // While several reads of one distributor wait, they use at most half of the time. A single long list is read without pauses.
  pausesBetweenJobs: true,
  leastBusyFirst: true,
});

interface ExpensiveJob extends Omit<JobOptions, 'owner'> {
  readonly distributorId: number;
}

/**
 * Queues the reads and changes that keep the database busy for long, such as each batch of a report or of printed orders. The limit leaves a
 * processor and a connection for saving orders. The distributors take turns, and so do the groups of each. A read or change that waits for a
 * connection holds no permit. Never wait for this queue inside a transaction: ten waiting transactions would occupy every connection.
 */
export const expensiveQueue = <Result>(run: () => Promise<Result>, { distributorId, ...job }: ExpensiveJob): Promise<Result> =>
  limiter((releasePermit) => withPermit(releasePermit, run), { ...job, owner: String(distributorId) });

/** Says for whom a read or a change waits in the queue. */
export interface QueuePosition {
  readonly distributorId: number;
  /** The customer who reads the own data. The many customers of a distributor must not use up the places of its staff in the queue. */
  readonly customerId?: number | undefined;
  readonly signal: AbortSignal;
}

export const queuePositionOf = ({ tenantId, role, userId }: RecentUser, signal: AbortSignal): QueuePosition => ({
  distributorId: tenantId,
  customerId: role === 'customer' ? userId : undefined,
  signal,
});

/**
 * Runs one read or change in `expensiveQueue`. In this queue, distributors take turns, and so do the staff and the customers of each. The
 * staff of a distributor take turns among themselves, and so do the customers. If `position` is null, the read or change runs at once.
 */
export async function runInQueue<Result>(position: QueuePosition | null, run: () => Promise<Result>): Promise<Result> {
  if (!position) return await run();
  const { distributorId, customerId, signal } = position;
  if (customerId === undefined) {
    const staff = { group: String(distributorId), key: `${distributorId} ${currentUserId()}` };
    return await expensiveQueue(run, { distributorId, ...staff, signal });
  }
  const group = peopleGroupOf({ role: 'customer', tenantId: distributorId });
  return await expensiveQueue(run, { distributorId, key: String(customerId), group, signal });
}

/** Runs one job of each key at a time. */
const ONE_PER_KEY: LimiterOptions = { concurrency: Infinity, concurrencyPerGroup: 1, maxQueuedPerKey: 200, maxWait: MINUTE };

/**
 * Queues the previews that read all orders of a distribution. Only one preview of each distributor runs at a time, because several could
 * fill the memory. In addition, each batch of a preview waits in `expensiveQueue`.
 */
export const previewQueue = createLimiter(ONE_PER_KEY);

/**
 * Queues the reads of names for calls that add people. Only one call of each distributor reads names at a time, and each of its reads also
 * waits in `expensiveQueue`. The queue is as short as the queue of imports, because the body of each queued call occupies up to 4 MB of
 * memory.
 */
export const nameQueue = createLimiter({ ...ONE_PER_KEY, maxQueued: 20, maxQueuedPerKey: 10 });
