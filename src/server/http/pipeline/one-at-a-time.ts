// These pipeline stages run some calls of one person one after the other, because they lock rows for which other people wait, or are saved
// together with the orders of other people. Such a call waits before its session preload and its transaction, so it uses no database
// connection while it waits, and then reads current data.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recentUserOf } from '../../auth/recent-sessions.ts';
import { tooManyAtOnce } from '../admission-rules.ts';
import { clientGone } from '../errors.ts';
import { createLimiter } from '../limiter.ts';
import { sessionCookieOf } from '../session-cookie.ts';
import { clientSignal } from './route-context.ts';
import type { AppContext, Route, RouteHandler } from './route.ts';

const personQueue = createLimiter({
  concurrency: Infinity,
  mayStart: (_person, _running, ofPerson) => ofPerson === 0,
  maxQueuedPerKey: 20,
  // The maximum wait in milliseconds, the same as for a database connection.
  maxWait: 10_000,
  refusal: tooManyAtOnce,
});

/** The functions that end the turns of the requests whose handlers have not started. */
const turns = new WeakMap<FastifyRequest, () => void>();

/** Waits until no other such call of the person is running, if the route has the option `isOneAtATime`. */
export const waitForTurn = ({ env }: AppContext, { isOneAtATime }: Route) =>
  async function waitForTurn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!isOneAtATime) return;
    const cookie = sessionCookieOf(env, request);
    const key = String(recentUserOf(cookie)?.userId ?? cookie);
    turns.set(request, await personQueue.acquire({ key, signal: clientSignal(reply) }));
    // A later stage may refuse the request, so that its handler never starts.
    reply.raw.once('close', () => {
      turns.get(request)?.();
      turns.delete(request);
    });
  };

/** Ends the turn when the handler ends, also if the client has disconnected meanwhile. */
export const inTurn = ({ isOneAtATime }: Route, handle: RouteHandler): RouteHandler =>
  isOneAtATime
    ? async (context, request) => {
        const endTurn = turns.get(request);
        if (!endTurn) throw clientGone();
        turns.delete(request);
        try {
          return await handle(context, request);
        } finally {
          endTurn();
        }
      }
    : handle;
