// This pipeline stage queues expensive calls, such as imports and mailings, and expensive changes, such as orders with many lines. Of each
// kind, only one runs at a time, and the distributors take turns.
import type { FastifyRequest } from 'fastify';
import { asNoTenant, withPermit } from '../../database/tenant-connections.ts';
import { tooMany } from '../../errors.ts';
import { requireSession } from './authenticate.ts';
import type { AnyContext, AppContext, Route } from './route.ts';
import { createLimiter, type LimiterOptions } from '../../queues/limiter.ts';
import { queuePositionOf, runInQueue, expensiveQueue } from '../../queues/expensive-queue.ts';
import { MINUTE } from '../../../domain/durations.ts';

export const TOO_MANY = 'Many imports and mailings are under way just now. Try again in a minute.';

/** The limits of each queue of expensive calls. */
export const EXPENSIVE_CALL_LIMITS = {
  // No further job of a distributor starts while one runs, also if the running job has released its permit.
  concurrencyPerGroup: 1,
  // The queues are short, because the body of each queued call occupies up to 4 MB of memory.
  maxQueued: 20,
  maxQueuedPerKey: 10,
  maxWait: 2 * MINUTE,
  // PostgreSQL limits the time of each statement, but a job can run many statements. After this number of milliseconds, the next job no
  // longer waits for the running job.
  maxHold: MINUTE,
  refusal: () => tooMany(TOO_MANY),
} satisfies Partial<LimiterOptions>;

const importQueue = createLimiter({
  ...EXPENSIVE_CALL_LIMITS,
  concurrency: 1,
  // While several jobs of one distributor wait, they use at most half of the time.
  pausesBetweenJobs: true,
});

/** Runs the work of a call at once, or in a queue if the call is expensive. */
export type CallQueue = <Result>(context: AnyContext, request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>;

/**
 * Queues the work of an expensive call or change, but not the sending of its reply. A client that reads slowly therefore delays nobody. A
 * preview changes nothing, so it does not wait here. Its reads wait in `expensiveQueue`.
 */
export const queueIfExpensive =
  (app: AppContext, { endpoint, isPreview, isExpensiveChange }: Route): CallQueue =>
  async (context, request, work) => {
    const { viewer, signal } = context;
    const isChange = isExpensiveChange?.(context) === true;
    if (viewer === null || !(endpoint.isExpensive || isChange) || isPreview?.(context)) return await work();
    const run = async (): ReturnType<typeof work> => {
      // While the call waited in the queue, the session may have ended or the user may have been disabled.
      await asNoTenant(() => requireSession(app, request));
      return await work();
    };
    const distributorId = viewer.tenantId;
    if (isChange && viewer.role === 'customer') return await runInQueue(queuePositionOf(viewer, signal), run);
    if (isChange) {
      // Expensive changes of staff take turns with the lists and reports of staff, and so do the people who make such changes.
      return await expensiveQueue(run, { distributorId, group: `changes of ${distributorId}`, key: String(viewer.userId), signal });
    }
    const job = { key: String(distributorId), signal };
    // With a key of its own in `expensiveQueue`, a long import does not delay the reports and lists of its distributor.
    const position = { ...job, distributorId, key: `import of ${distributorId}` };
    return await importQueue((releasePermit) => withPermit(releasePermit, () => expensiveQueue(run, position)), job);
  };
