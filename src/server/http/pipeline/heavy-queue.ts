// Pipeline stage: imports and mailings run one at a time, for each distributor in turn.
import type { Endpoint } from '../../../shared/endpoint.ts';
import { HttpError } from '../errors.ts';
import { requireSessionStill } from './authenticate.ts';
import type { AppContext, RouteHandler } from './route.ts';
import { createLimiter, reportQueue } from '../limiter.ts';

export const TOO_MANY = 'Many imports and mailings are under way just now. Try again in a minute.';

const importQueue = createLimiter({
  concurrency: 1,
  // Each one holds its body of up to 4 MB in memory.
  maxQueued: 20,
  maxQueuedPerKey: 10,
  maxWait: 120_000,
  // PostgreSQL limits the time of each statement, but the next job need not wait for all statements of a job.
  maxHold: 60_000,
  refusal: () => new HttpError(429, TOO_MANY),
});

/** Limits an expensive job without sending its reply, so that a client that reads slowly delays nobody. */
export const withHeavyLimit = (app: AppContext, { isHeavy }: Endpoint, handle: RouteHandler): RouteHandler =>
  isHeavy
    ? (context, request) => {
        const job = { key: String(context.viewer?.tenantId), signal: context.signal };
        const run = async (): Promise<unknown> => {
          await requireSessionStill(app, request);
          return await handle(context, request);
        };
        return importQueue(() => reportQueue(run, job), job);
      }
    : handle;
