// Imports and mailings: one of them at a time, of each distributor in turn.
import type { Endpoint } from '../../shared/endpoint.ts';
import { HttpError } from './errors.ts';
import { createLimiter, reportQueue, type JobOptions } from './limiter.ts';

export const TOO_MANY = 'Many imports and mailings are under way just now. Try again in a minute.';

const importQueue = createLimiter({
  concurrency: 1,
  // Each of them holds its body of up to 4 MB in memory.
  maxQueued: 20,
  maxQueuedPerKey: 10,
  maxWait: 120_000,
  // PostgreSQL ends each of its statements itself; the next import does not wait for all of them.
  maxHold: 60_000,
  refusal: () => new HttpError(429, TOO_MANY),
});

interface HeavyOptions extends JobOptions {
  /** Throws when the caller may no longer do it. */
  readonly judge: () => Promise<void>;
}

/** A heavy job waits for its turn for the work alone: a client that reads its reply slowly holds up nobody. */
export function withHeavyLimit<Result>({ isHeavy }: Endpoint, options: HeavyOptions, job: () => Promise<Result>): Promise<Result> {
  const judged = async (): Promise<Result> => {
    await options.judge();
    return await job();
  };
  return isHeavy ? importQueue(() => reportQueue(judged, options), options) : job();
}
