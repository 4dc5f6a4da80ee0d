// This pipeline stage does slow work on the body of a call, for example sanitizing the HTML of mails. It runs before the call waits in
// another queue and before its transaction begins.
import { createLimiter } from '../../queues/limiter.ts';
import { requireSession } from './authenticate.ts';
import { EXPENSIVE_CALL_LIMITS } from './expensive-calls.ts';
import type { AppContext, Route, RouteHandler } from './route.ts';

/**
 * Queues the preparation of the bodies of expensive calls. Only one preparation of each distributor runs at a time, so that a distributor
 * with slow bodies delays only its own calls.
 */
const prepareQueue = createLimiter({ ...EXPENSIVE_CALL_LIMITS, concurrency: 5 });

/** Calls the route's `prepareBody`, if it has one. */
export const withPreparedBody = (app: AppContext, { endpoint, prepareBody }: Route, handle: RouteHandler): RouteHandler =>
  prepareBody
    ? async (context, request) => {
        const prepare = async (): Promise<unknown> => {
          // While the call waited in the queue, the session may have ended or the user may have been disabled.
          if (endpoint.isExpensive) await requireSession(app, request);
          return await prepareBody(context);
        };
        const job = { key: String(context.viewer?.tenantId), signal: context.signal };
        const body = endpoint.isExpensive ? await prepareQueue(prepare, job) : await prepare();
        return await handle({ ...context, body }, request);
      }
    : handle;
