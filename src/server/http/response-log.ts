// Logs one line per response, and one more line per failed request. Without a limit, a client that sends short requests all the time would
// fill the disk of the log with tens of gigabytes a day (docs/reliability.md, "abuse").
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE } from '../../domain/durations.ts';
import { blockOrAddressOf } from '../auth/network.ts';
import { recentUserOf } from '../auth/recent-sessions.ts';
import { createRecentCounts } from '../queues/counts.ts';
import type { Env } from '../operations/env.ts';
import { clientAddress } from './client-address.ts';
import { asHttpError } from './error-reply.ts';
import { HttpError } from '../errors.ts';
import { sessionCookieOf } from './session-cookie.ts';

/**
 * While a client has had more responses, more refusals with a status of 500 or more, or more unexpected errors than this within the last one
 * to two minutes, further ones are not logged. A station of the counter has fewer.
 */
export const MAX_LOGGED = 300;

/** Returns the signed-in person, or the network of a signed-out client: an IPv4 address or an IPv6 /48. */
function clientOf(env: Env, request: FastifyRequest): string {
  const user = recentUserOf(sessionCookieOf(env, request));
  return user ? `user ${user.userId}` : blockOrAddressOf(clientAddress(request));
}

/** Removes the fields of a database error in which PostgreSQL quotes values of rows, because an e-mail address must not reach the log. */
const withoutValues = (error: unknown): unknown =>
  error instanceof Error && 'detail' in error ? Object.assign(error, { detail: undefined, where: undefined }) : error;

/** Returns a function that logs a response, and a function that logs the error of a request whose status is 500 or more. */
export function createResponseLog(env: Env) {
  const createLines = () => createRecentCounts(MINUTE);
  const lines = { responses: createLines(), refusals: createLines(), errors: createLines() };
  /** Logs the line, unless the client has had too many of its kind. */
  const logLine = (kind: keyof typeof lines, request: FastifyRequest, log: () => void): void => {
    const client = clientOf(env, request);
    lines[kind].add(client);
    const count = lines[kind].of(client);
    if (count <= MAX_LOGGED) log();
    if (count === MAX_LOGGED) request.log.info(`further ${kind} of this client are not logged for a while`);
  };
  return {
    logFailure(error: unknown, request: FastifyRequest): void {
      if (asHttpError(error).status < 500) return;
      // A refusal of the server itself, for example because a queue is full, is logged without its stack, and does not use up the lines of
      // unexpected errors.
      if (error instanceof HttpError) logLine('refusals', request, () => request.log.warn({ reason: error.message }, 'request failed'));
      else logLine('errors', request, () => request.log.error({ err: withoutValues(error) }, 'request failed'));
    },
    logResponse(request: FastifyRequest, reply: FastifyReply): void {
      logLine('responses', request, () => {
        const ms = Math.round(reply.elapsedTime * 10) / 10;
        // The log contains the pattern of the route instead of the URL, because the URL may contain a token.
        request.log.info({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode, ms }, 'answered');
      });
    },
  };
}
