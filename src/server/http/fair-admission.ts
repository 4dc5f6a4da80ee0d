// Limits how many requests of one client run at once. A client is a signed-in person, or all signed-out people of a network together.
// Further requests wait before their body is read, so that no client can occupy the event loop and the database alone (docs/reliability.md,
// "abuse").
import { setImmediate as nextIteration, setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../auth/network.ts';
import { recentUserOf } from '../auth/recent-sessions.ts';
import type { Env } from '../operations/env.ts';
import { clientAddress } from './client-address.ts';
import { HttpError } from './errors.ts';
import { createLimiter, type Limiter, type LimiterOptions } from './limiter.ts';
import { sessionCookieOf } from './session-cookie.ts';
import { afterBody } from './timeouts.ts';

const TOO_MANY_AT_ONCE = 'Too many requests at once. Please wait a moment and try again.';
const RETRY_AFTER_SECONDS = 5;
/** The milliseconds by which the reply to a refused request is delayed, so that a client that retries immediately causes little work. */
const REFUSED_AFTER_MS = 1000;

const refusal = (): HttpError => new HttpError(429, TOO_MANY_AT_ONCE, {}, RETRY_AFTER_SECONDS);
/**
 * After this many milliseconds, a running request no longer counts toward the limit, because it may be waiting in another queue. A request
 * whose body has not arrived yet counts until its body has arrived: otherwise, a client could leave any number of bodies unfinished.
 */
const MAX_HOLD_MS = 1000;

interface AdmissionRule {
  readonly limits: LimiterOptions;
  /**
   * The number of milliseconds between the end of a request and the start of the next queued request of the same client. This pause limits
   * the requests per second of a client that sends a flood of requests.
   */
  readonly rest: number;
}
const ruleOf = (concurrency: number, maxQueued: number, rest: number): AdmissionRule => ({
  limits: { concurrency, maxQueued, refusal },
  rest,
});

/** A person may run six requests at once, because a browser opens six connections to a server. */
const PERSON = ruleOf(6, 500, 100);
/** The queue of a network is long, because a thousand families in a hall may share one IPv4 address. */
const NETWORK = ruleOf(8, 5000, 40);
/**
 * The rule for requests whose session cookie this process has not verified recently, for example after a restart. One SQL statement
 * verifies many of these cookies.
 */
const UNKNOWN_SESSIONS = ruleOf(32, 5000, 40);

/** The paths that are not limited, because monitoring must work during a flood. */
const MONITORING = new Set(['/api/live', '/api/health', '/metrics']);
/** Requests for the client's static files are not limited. A browser requests many of these files at once, and they cause little work. */
const FILES = '/assets/';

export interface AdmissionConfig {
  /** Whether the route refuses a request without a valid session before it does any work. */
  readonly needsSession?: boolean;
}

interface Client {
  readonly limiter: Limiter;
  requests: number;
}

function clientOf(env: Env, request: FastifyRequest): { key: string; rule: AdmissionRule } {
  const cookie = sessionCookieOf(env, request);
  const userId = cookie === undefined ? null : recentUserOf(cookie);
  if (userId !== null) return { key: `user ${userId}`, rule: PERSON };
  const network = networkOf(clientAddress(request));
  const { needsSession } = request.routeOptions.config as AdmissionConfig;
  if (cookie !== undefined && needsSession) return { key: `sessions of ${network}`, rule: UNKNOWN_SESSIONS };
  return { key: network, rule: NETWORK };
}

export function admitFairly(app: FastifyInstance, env: Env): void {
  const clients = new Map<string, Client>();
  const releases = new WeakMap<FastifyRequest, () => void>();

  /**
   * Resolves when the request may run. The request counts as running until the function in `releases` that belongs to the request is
   * called.
   */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { key, rule } = clientOf(env, request);
    const client = clients.get(key) ?? { limiter: createLimiter(rule.limits), requests: 0 };
    clients.set(key, client);
    client.requests++;
    const isAboveLimit = (): boolean => client.requests > rule.limits.concurrency;
    const forget = (): void => {
      client.requests--;
      if (client.requests === 0) clients.delete(key);
    };
    const gone = new AbortController();
    let leave = (): void => gone.abort();
    releases.set(request, () => leave());
    reply.raw.once('close', () => leave());
    const mayWait = isAboveLimit();
    const release = await client.limiter.acquire({ signal: gone.signal }).catch((error: unknown) => {
      forget();
      throw error;
    });
    let isHeld = true;
    const end = (): void => {
      clearTimeout(hold);
      if (!isHeld) return;
      isHeld = false;
      release();
      forget();
    };
    const hold = setTimeout(() => afterBody(request, end), MAX_HOLD_MS).unref();
    // abort() creates an error with a stack trace, which would take 3 % of the processor time of a running request for nothing.
    leave = () => {
      leave = () => undefined;
      if (isAboveLimit()) setTimeout(end, rule.rest).unref();
      else end();
    };
    if (gone.signal.aborted) leave();
    // Only one queued request starts per iteration of the event loop. If more of them started, all short requests of a long queue would run
    // in one iteration and delay the requests of other clients.
    if (mayWait) await nextIteration();
  };

  app.addHook('onRequest', async (request, reply) => {
    if (MONITORING.has(request.routeOptions.url ?? '') || request.url.startsWith(FILES)) return;
    try {
      await admit(request, reply);
    } catch (error) {
      if (error instanceof HttpError && error.status === 429) await pause(REFUSED_AFTER_MS);
      throw error;
    }
  });
  // A request stops counting before its reply is sent, so that a client that reads slowly does not delay its own other requests.
  app.addHook('onSend', (request, _reply, payload, done) => {
    releases.get(request)?.();
    done(null, payload);
  });
}
