// These pipeline stages run some calls of one person one after the other, because they lock rows for which other people wait, or are saved
// together with the orders of other people. Such a call waits before its session preload and its transaction, so it uses no database
// connection while it waits, and then reads current data.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooManyAtOnce } from '../admission-rules.ts';
import { clientGone } from '../../errors.ts';
import { knownUserOf } from '../fair-admission.ts';
import { createLimiter } from '../../queues/limiter.ts';
import { sessionCookieOf } from '../session-cookie.ts';
import { clientSignal } from './route-context.ts';
import type { AppContext, Route, RouteHandler } from './route.ts';
import { validationOf } from './validate-request.ts';

const personQueue = createLimiter({
  concurrency: Infinity,
  concurrencyPerGroup: 1,
  maxQueuedPerKey: 20,
  // The maximum wait in milliseconds, the same as for a database connection.
  maxWait: 10_000,
  refusal: tooManyAtOnce,
});

/** For each request whose handler has not started: the function with which it lets the next call of the person run. */
const slots = new WeakMap<FastifyRequest, () => void>();

/**
 * If the route has the option `oneAtATime`, waits until the person's other calls with the same value of this option have ended. The body is
 * validated before, so that only the validated body occupies memory meanwhile.
 */
export const acquirePersonSlot = ({ env }: AppContext, { endpoint, oneAtATime }: Route) =>
  async function acquirePersonSlot(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!oneAtATime) return;
    validationOf(endpoint, request);
    const free = await personQueue.acquire({
      key: `${oneAtATime} of ${knownUserOf(env, request)?.userId ?? sessionCookieOf(env, request)}`,
      signal: clientSignal(reply),
    });
    slots.set(request, free);
    // A later stage may refuse the request, so that its handler never starts.
    const freeUnused = (): void => {
      slots.get(request)?.();
      slots.delete(request);
    };
    if (reply.raw.destroyed) freeUnused();
    else reply.raw.once('close', freeUnused);
  };

/** Frees the slot when the handler ends, also if the client has disconnected meanwhile. */
export const withPersonSlot = ({ oneAtATime }: Route, handle: RouteHandler): RouteHandler =>
  oneAtATime
    ? async (context, request) => {
        const free = slots.get(request);
        if (!free) throw clientGone();
        slots.delete(request);
        try {
          return await handle(context, request);
        } finally {
          free();
        }
      }
    : handle;
