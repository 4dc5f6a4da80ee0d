// Builds the context of a route from the results of the stages before the route.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyContext, AppContext, Route } from './route.ts';
import { idempotencyOf } from './idempotency.ts';
import { clientAddress } from '../client-address.ts';
import { releasePermits } from '../fair-admission.ts';
import { sessionControl } from '../session-cookie.ts';
import { authenticated } from './authenticate.ts';
import { authorized } from './authorize.ts';
import { openReply } from './open-reply-limit.ts';
import { rowCounter, type SaveLimiters } from './save-limit/save-limit.ts';
import { validated } from './validate-request.ts';

/**
 * Returns a signal that is aborted when the client disconnects. Fastify's own request.signal is not suitable, because it is aborted as soon
 * as the body has been read.
 */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const client = new AbortController();
  // If the client has already disconnected, there is no 'close' event any more.
  if (raw.destroyed) client.abort();
  else raw.once('close', () => raw.writableFinished || client.abort());
  return client.signal;
}

interface Handling {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly limiters: SaveLimiters;
}

export function createRouteContext(app: AppContext, route: Route, { request, reply, limiters }: Handling): AnyContext {
  const { endpoint } = route;
  const viewer = authorized.get(request);
  const input = validated.get(request);
  const now = app.now();
  const signal = clientSignal(reply);
  return {
    ...input,
    db: app.db,
    env: app.env,
    now,
    viewer,
    preloaded: authenticated.get(request)?.preloaded ?? null,
    checked: undefined,
    session: sessionControl(app, request, reply),
    address: clientAddress(request),
    log: request.log,
    signal,
    releasePermits: () => releasePermits(request),
    countRows: rowCounter(app, route, limiters, request),
    openReply: () => openReply({ viewer, signal }, reply.raw),
    idempotency: idempotencyOf(endpoint, request, { viewer, body: input.body, now }),
  };
}
