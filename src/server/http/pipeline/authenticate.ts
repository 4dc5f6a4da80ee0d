// This pipeline stage finds out who sends the request. A request without a valid session continues as signed out, and `authorize` decides
// whether to refuse it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../shared/endpoint.ts';
import type { SessionPreload } from '../../auth/session-preload.ts';
import { otherUser, unauthenticated } from '../../errors.ts';
import { hasLongBody } from '../admission-rules.ts';
import { waitForTurnOf } from '../fair-admission.ts';
import type { AppContext, RequestInput, Route } from './route.ts';
import { sessionCookieOf, sessionRules, setSessionCookie } from '../session-cookie.ts';
import { recentUserOf } from '../../auth/recent-sessions.ts';
import { authenticateSession, type AuthResult } from '../../auth/session.ts';
import { stageResult } from './stage-result.ts';
import { validationOf } from './validate-request.ts';

export const authenticated = stageResult<AuthResult | null>('authenticate');
/** When the session of a request was read, in milliseconds of performance.now(). */
const authenticatedAt = new WeakMap<FastifyRequest, number>();
/** How long a request may rely on the session that it has read, before its route runs. */
const MAX_AGE_MS = 1000;

function preloadOf({ query, args }: NonNullable<Route['sessionPreload']>, input: RequestInput<Endpoint>): SessionPreload | undefined {
  const values = args(input);
  return values === null ? undefined : { query, parameters: query.parametersOf(values) };
}

type OnFound = (request: FastifyRequest, found: AuthResult) => void;

/**
 * Finds and renews the session of a request, and runs the preload in the same statement. Calls `onFound` with a session that it has found.
 * Refuses a session of another user than the header `X-User-Id` names. The client sends this header with each save, because another user
 * may have signed in since the screen was opened, or since the counter stored the entry.
 */
async function findSession(
  { db, env, now }: AppContext,
  request: FastifyRequest,
  { preload, onFound }: { preload?: SessionPreload | undefined; onFound?: OnFound | undefined } = {},
): Promise<AuthResult | null> {
  const result = await authenticateSession(db, sessionCookieOf(env, request), { now: now(), rules: sessionRules(env), preload });
  if (result) onFound?.(request, result);
  if (result) await waitForTurnOf(request, result.viewer);
  const madeBy = request.headers['x-user-id'];
  if (result && madeBy !== undefined && madeBy !== String(result.viewer.userId)) throw otherUser();
  return result;
}

/** Reads the session together with the route's preload. If the session was renewed, the session cookie is renewed too. */
export const authenticate = (app: AppContext, { endpoint, sessionPreload }: Route, onFound?: OnFound) =>
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const validation = sessionPreload && validationOf(endpoint, request);
    // Nothing is preloaded for an invalid request. The stage `validate` refuses an invalid request after authorization.
    const preload = sessionPreload && validation?.input && preloadOf(sessionPreload, validation.input);
    authenticatedAt.set(request, performance.now());
    const result = await findSession(app, request, { preload, onFound });
    if (result?.renewedUntil) setSessionCookie(reply, app.env, sessionCookieOf(app.env, request) ?? '', result.renewedUntil);
    authenticated.set(request, result);
  };

/**
 * Whether the session of the request must be read again, because it was read long ago and may have ended meanwhile: the client has sent a
 * long body slowly, or the request has waited for other calls of the person.
 */
export const mustAuthenticateAgain = (request: FastifyRequest): boolean =>
  performance.now() - (authenticatedAt.get(request) ?? 0) > MAX_AGE_MS;

export async function requireSession(app: AppContext, request: FastifyRequest): Promise<void> {
  if (!(await findSession(app, request))) throw unauthenticated();
}

/**
 * This stage runs for routes whose session preload may need values from the body. It refuses a request without a valid session before its
 * body is read. It does nothing if the body is short and the session was valid a few minutes ago: `authenticate` then reads the session
 * together with the preload of the route in one statement, after the body was read.
 */
export const requireSessionBeforeBody = (app: AppContext) =>
  async function requireSessionBeforeBody(request: FastifyRequest): Promise<void> {
    if (!hasLongBody(request) && recentUserOf(sessionCookieOf(app.env, request))) return;
    await requireSession(app, request);
  };
