// Registers the routes of the API. The requests of every route pass the same pipeline stages in the same sequence (docs/architecture.md,
// "Request lifecycle").
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { peopleGroupOf } from '../../auth/recent-sessions.ts';
import { asMember, forCurrentMember, publicMember } from '../../database/tenant-connections.ts';
import { bodyConfigOf, type BodyConfig } from '../json-body.ts';
import { hasLists, isBatches } from '../json-stream.ts';
import { withOpenReplyLimit } from './open-reply-limit.ts';
import { queueIfExpensive } from './expensive-calls.ts';
import { acquirePersonSlot, withPersonSlot } from './one-at-a-time.ts';
import type { AppContext, Route, RouteHandler } from './route.ts';
import { replayFinishedCall, withIdempotencyKey } from './idempotency.ts';
import { authenticate, mustAuthenticateAgain, requireSessionBeforeBody } from './authenticate.ts';
import { hasLongBody, type AdmissionConfig } from '../admission-rules.ts';
import { authorize } from './authorize.ts';
import { createRouteContext } from './route-context.ts';
import { countPreloadedLines, createSaveLimiters, limitRowsOfDay, limitSaves, type SaveLimiters } from './save-limit/save-limit.ts';
import { withPreparedBody } from './prepare-body.ts';
import { serializeReply } from './serialize-reply.ts';
import { validate } from './validate-request.ts';

/** This stage reads the session and checks the role and the permissions again, if the request has waited for long since then. */
const authenticateAgain = (app: AppContext, route: Route) => {
  const [readSession, checkRole] = [authenticate(app, route), authorize(route)];
  return async function authenticateAgain(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!mustAuthenticateAgain(request)) return;
    await readSession(request, reply);
    await checkRole(request);
  };
};

/** The returned stage runs only for requests with long bodies. */
const ifLongBody = (stage: (request: FastifyRequest) => Promise<void>) =>
  async function ifLongBody(request: FastifyRequest): Promise<void> {
    if (hasLongBody(request)) await stage(request);
  };

function hooksOf(app: AppContext, route: Route, limiters: SaveLimiters): Pick<RouteOptions, 'onRequest' | 'preHandler'> {
  const limit = limitSaves(app, route, limiters);
  const identity = [authenticate(app, route, countPreloadedLines(app, route, limiters)), authorize(route), limit];
  const input = [validate(route), limitRowsOfDay(app, route, limiters)];
  const slot = acquirePersonSlot(app, route);
  const needsBody = route.sessionPreload && route.endpoint.body;
  return needsBody
    ? { onRequest: [limit, requireSessionBeforeBody(app), ifLongBody(limit)], preHandler: [limit, slot, ...identity, ...input] }
    : { onRequest: identity, preHandler: [limit, slot, authenticateAgain(app, route), ...input] };
}

/** Long lists are read while they are sent, after the route has returned. Their connections count toward the tenant's limit too. */
function withListsForMember(result: unknown): unknown {
  if (isBatches(result)) return forCurrentMember(result);
  if (!hasLists(result)) return result;
  return Object.fromEntries(Object.entries(result).map(([name, member]) => [name, isBatches(member) ? forCurrentMember(member) : member]));
}

/**
 * Runs the route for the viewer, so that its connections count toward the tenant's limit. All signed-out clients together have the limit of
 * one tenant. Sign-ins that wait for a locked row, for example, therefore leave connections for the tenants.
 */
const forMember =
  (handle: RouteHandler): RouteHandler =>
  (context, request) => {
    const { viewer, address, signal } = context;
    // The staff and the customers of a tenant take turns, so that staff do not wait for all customers.
    const member = viewer ? { ...viewer, group: peopleGroupOf(viewer) } : publicMember(address);
    return asMember({ ...member, signal }, async () => withListsForMember(await handle(context, request)));
  };

export function registerRoutes(server: FastifyInstance, routes: readonly Route[], app: AppContext): void {
  const limiters = createSaveLimiters(app.env.savesPerMinute);
  for (const route of routes) {
    const { endpoint } = route;
    const run = forMember(withIdempotencyKey(route, queueIfExpensive(app, route)));
    const handle = withPersonSlot(route, replayFinishedCall(route, withPreparedBody(app, route, run)));
    server.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.bodyLimit ? { bodyLimit: endpoint.bodyLimit } : {}),
      config: { needsSession: !endpoint.roles.includes('public'), ...bodyConfigOf(endpoint) } satisfies AdmissionConfig & BodyConfig,
      ...hooksOf(app, route, limiters),
      handler: serializeReply(endpoint, async (request, reply) => {
        const context = createRouteContext(app, route, { request, reply, limiters });
        const call = (): Promise<unknown> => handle(context, request);
        return await (route.keepsListsInMemory ? withOpenReplyLimit(context, reply.raw, call) : call());
      }),
    });
  }
}
