// This pipeline stage finds out who sends the request. A request without a valid session continues as signed out, and `authorize` decides
// whether to refuse it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../shared/endpoint.ts';
import type { SessionPreload } from '../../auth/session-preload.ts';
import { unauthenticated } from '../errors.ts';
import { hasLongBody } from '../json-body.ts';
import type { AppContext, RequestInput, Route } from './route.ts';
import { sessionCookieOf, sessionRules, setSessionCookie } from '../session-cookie.ts';
import { recentUserOf } from '../../auth/recent-sessions.ts';
import { authenticateSession, type AuthResult } from '../../auth/session.ts';
import { stageResult } from './stage-result.ts';
import { validationOf } from './validate-request.ts';

export const authenticated = stageResult<AuthResult | null>('authenticate');

function preloadOf({ query, args }: NonNullable<Route['sessionPreload']>, input: RequestInput<Endpoint>): SessionPreload {
  return { query, parameters: query.parametersOf(args(input)) };
}

/** Reads the session together with the route's preload. If the session was renewed, the session cookie is renewed too. */
export const authenticate = ({ db, env, now }: AppContext, { endpoint, sessionPreload }: Route) =>
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const validation = sessionPreload && validationOf(endpoint, request);
    // Nothing is preloaded for an invalid request. The stage `validate` refuses an invalid request after authorization.
    const preload = sessionPreload && validation?.input && preloadOf(sessionPreload, validation.input);
    const cookie = sessionCookieOf(env, request);
    const result = await authenticateSession(db, cookie, { now: now(), rules: sessionRules(env), preload });
    if (result?.renewedUntil) setSessionCookie(reply, env, cookie ?? '', result.renewedUntil);
    authenticated.set(request, result);
  };

/**
 * This stage runs for routes whose session preload may need values from the body. If the request has no valid session, its body is not
 * read. If the body is short and the session was valid a few minutes ago, this stage does nothing. `authenticate` then reads the session
 * together with the route's preload in one statement, after the body was read.
 */
export const requireSessionBeforeBody = ({ db, env, now }: AppContext) =>
  async function requireSessionBeforeBody(request: FastifyRequest): Promise<void> {
    const cookie = sessionCookieOf(env, request);
    if (cookie === undefined) throw unauthenticated();
    if (recentUserOf(cookie) !== null && !hasLongBody(request)) return;
    if (!(await authenticateSession(db, cookie, { now: now(), rules: sessionRules(env) }))) throw unauthenticated();
  };

/**
 * Checks the session again after a call has waited in a queue. In the meantime, the session may have ended or the user may have been
 * disabled.
 */
export async function requireSessionStill({ db, env, now }: AppContext, request: FastifyRequest): Promise<void> {
  const result = await authenticateSession(db, sessionCookieOf(env, request), { now: now(), rules: sessionRules(env) });
  if (!result) throw unauthenticated();
}
