// Of one person, and of all strangers of one network, a few requests run at once; further ones wait before their body is read. So nobody's
// requests, however many, take the event loop and the database from the others (reliability, "abuse").
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../auth/network.ts';
import { recentUserOf } from '../auth/recent-sessions.ts';
import type { Env } from '../operations/env.ts';
import { clientAddress } from './client-address.ts';
import { HttpError } from './errors.ts';
import { createLimiter, type Limiter, type LimiterOptions } from './limiter.ts';
import { sessionCookieOf } from './session-cookie.ts';

export const TOO_MANY_AT_ONCE = 'Too many requests at once. Please wait a moment and try again.';
const RETRY_AFTER_SECONDS = 5;
/** A refused request is answered late, so that a client that repeats it at once costs little. */
const REFUSED_AFTER_MS = 1000;

const refusal = (): HttpError => new HttpError(429, TOO_MANY_AT_ONCE, {}, RETRY_AFTER_SECONDS);
/** A request that waits elsewhere, in the queue of reports or for a slow upload, does not hold up the next one for longer. */
const maxHold = 1000;

interface AdmissionRule {
  readonly limits: LimiterOptions;
  /** Milliseconds that a finished request keeps its place while others of the client wait: what a flood gets done in a second is bounded. */
  readonly rest: number;
}
const ruleOf = (concurrency: number, maxQueued: number, rest: number): AdmissionRule => ({
  limits: { concurrency, maxQueued, maxHold, refusal },
  rest,
});

/** A browser opens six connections to a server. */
const PERSON = ruleOf(6, 500, 100);
/** A hall of a thousand families shares one IPv4 address. */
const NETWORK = ruleOf(8, 5000, 40);
/** Sessions that this process has not seen lately, as after a restart: one statement judges many of them. */
const UNKNOWN_SESSIONS = ruleOf(32, 5000, 40);

/** Monitoring is answered whatever happens. */
const MONITORING = new Set(['/api/live', '/api/health', '/metrics']);
/** Files of the client: a browser opens many at once, and they cost little. */
const FILES = '/assets/';

/** In the `config` of a route. */
export interface AdmissionConfig {
  /** Without a valid session the route refuses a request before it does any work. */
  readonly needsSession?: boolean;
}

interface Client {
  readonly limit: Limiter;
  requests: number;
}

export function admitFairly(app: FastifyInstance, env: Env): void {
  const clients = new Map<string, Client>();
  const releases = new WeakMap<FastifyRequest, () => void>();

  const clientOf = (request: FastifyRequest): { key: string; rule: AdmissionRule } => {
    const cookie = sessionCookieOf(env, request);
    const userId = cookie === undefined ? null : recentUserOf(cookie);
    if (userId !== null) return { key: `user ${userId}`, rule: PERSON };
    const network = networkOf(clientAddress(request));
    const { needsSession } = request.routeOptions.config as AdmissionConfig;
    if (cookie !== undefined && needsSession) return { key: `sessions of ${network}`, rule: UNKNOWN_SESSIONS };
    return { key: network, rule: NETWORK };
  };

  /** Resolves when the request may run; it runs until `releases` is called for it. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { key, rule } = clientOf(request);
    const client = clients.get(key) ?? { limit: createLimiter(rule.limits), requests: 0 };
    clients.set(key, client);
    const admitted = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const gone = new AbortController();
    const release = (): void => {
      if (client.requests > rule.limits.concurrency) setTimeout(() => finished.resolve(), rule.rest).unref();
      else finished.resolve();
      gone.abort();
    };
    releases.set(request, release);
    reply.raw.once('close', release);
    client.requests++;
    let hasWaited = false;
    const job = (): Promise<void> => {
      // Each in a turn of the event loop of its own: a long queue of short requests would run in one, and others' requests after it.
      if (hasWaited) setImmediate(() => admitted.resolve());
      else admitted.resolve();
      return finished.promise;
    };
    const place = async (): Promise<void> => {
      try {
        await client.limit(job, { signal: gone.signal });
      } catch (error) {
        admitted.reject(error);
      }
      client.requests--;
      if (client.requests === 0) clients.delete(key);
    };
    void place();
    hasWaited = true;
    await admitted.promise;
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
  // What is left is to send the reply: a client that reads slowly holds up nobody.
  app.addHook('onSend', (request, _reply, payload, done) => {
    releases.get(request)?.();
    done(null, payload);
  });
}
