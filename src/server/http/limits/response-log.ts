// Logs one line per response. Without a limit, a client that sends short requests all the time would fill the disk of the log with tens of
// gigabytes a day (docs/reliability.md, "abuse").
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE } from '../../../domain/durations.ts';
import { blockOrAddressOf } from '../../auth/network.ts';
import { recentUserOf } from '../../auth/recent-sessions.ts';
import { createRecentCounts } from '../../counts.ts';
import type { Env } from '../../operations/env.ts';
import { clientAddress } from '../client-address.ts';
import { sessionCookieOf } from '../session-cookie.ts';

/**
 * While a client has had more responses than this within the last one to two minutes, further ones are not logged. A station of the counter
 * has fewer.
 */
export const MAX_LOGGED = 300;

/** Returns the signed-in person, or the network of a signed-out client: an IPv4 address or an IPv6 /48. */
function clientOf(env: Env, request: FastifyRequest): string {
  const user = recentUserOf(sessionCookieOf(env, request));
  return user ? `user ${user.userId}` : blockOrAddressOf(clientAddress(request));
}

/** Returns a function that logs a response. */
export function createResponseLog(env: Env): (request: FastifyRequest, reply: FastifyReply) => void {
  const responses = createRecentCounts(MINUTE);
  return (request, reply) => {
    const client = clientOf(env, request);
    responses.add(client);
    const count = responses.of(client);
    if (count > MAX_LOGGED) return;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    // The log contains the pattern of the route instead of the URL, because the URL may contain a token.
    request.log.info({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode, ms }, 'answered');
    if (count === MAX_LOGGED) request.log.info('further responses to this client are not logged for a while');
  };
}
