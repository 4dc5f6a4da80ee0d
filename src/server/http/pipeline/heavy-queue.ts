// Pipeline stage: imports and mailings run one at a time; distributors take turns.
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
  // PostgreSQL limits each statement; the next job does not wait for all of them.
  maxHold: 60_000,
  refusal: () => new HttpError(429, TOO_MANY),
});

/** Limits an expensive job without its reply: a client that reads slowly delays nobody. */
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
