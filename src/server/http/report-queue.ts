import { createLimiter } from './limiter.ts';
import { MINUTE } from '../../domain/durations.ts';

/**
 * Queues the reads that keep the database busy for long, such as each batch of a report or of printed orders. The limit leaves a processor
 * and a connection for saving orders. Never wait for this queue inside a transaction: ten waiting transactions would occupy every
 * connection.
 */
export const reportQueue = createLimiter({
  concurrency: 1,
  maxQueued: 1000,
  maxQueuedPerKey: 200,
  maxWait: MINUTE,
  // A read may wait for a connection of its tenant while slow changes of this tenant occupy all of them. After this number of milliseconds,
  // other reads start although the waiting read has not ended.
  maxHold: 5000,
});

export interface ListRead {
  readonly distributorId: number;
  readonly signal: AbortSignal;
}

/** Runs one read of a list in the report queue. In this queue, distributors take turns. */
export const readInQueue = <Rows>({ distributorId, signal }: ListRead, read: () => Promise<Rows>): Promise<Rows> =>
  reportQueue(read, { key: String(distributorId), signal });

/**
 * Queues the previews that read all orders of a distribution. Only one preview of each distributor runs at a time, because several could
 * fill the memory. In addition, each batch of a preview waits in `reportQueue`.
 */
export const previewQueue = createLimiter({
  concurrency: Infinity,
  mayStart: (_key, _running, ofKey) => ofKey === 0,
  maxQueuedPerKey: 200,
  maxWait: MINUTE,
});
