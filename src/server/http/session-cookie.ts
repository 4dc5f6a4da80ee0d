// Sets and clears the cookies of the session and the device. The routes for signing in and out use it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../database/db.ts';
import type { Env } from '../operations/env.ts';
import { DEVICE_LIFETIME, deviceCookieName, rememberDevice } from '../auth/device.ts';
import { rememberSession } from '../auth/recent-sessions.ts';
import { closeSession, cookieName, endOtherSessions, hasSession, openSession, type SessionRules, type Viewer } from '../auth/session.ts';
import { factorsOf, openPendingSignIn, pendingCookieName } from '../auth/second-factor/pending-sign-in.ts';
import { hashOfCookie } from '../auth/token.ts';
import { mayHaveSecondFactor, type Factor } from '../../domain/accounts/second-factor.ts';
import { unauthenticated } from '../errors.ts';
import type { AppContext } from './pipeline/route.ts';

type SignedIn = Pick<Viewer, 'role' | 'distributorId'> & { readonly id: number };

/** Opens and closes the session of a request. Only the routes for signing in and out need it. */
export interface SessionControl {
  /** The hash of the browser's device cookie. Null without such a cookie. */
  readonly device: string | null;
  /**
   * Opens a session. Call this in the transaction that judged the sign-in, so that no password reset, password change or disabling happens
   * in between. If the new session continues an earlier sign-in, `signedInAt` is the time of that sign-in.
   */
  open(db: Db, user: SignedIn, signedInAt?: Date): Promise<void>;
  /**
   * For a user without a second factor, opens a session. For a user with a second factor, returns the factors instead, and the second step
   * of the sign-in opens the session. `byMailedLink` is true if a mailed link replaced the password in the first step.
   */
  openOrAsk(db: Db, user: SignedIn, options?: { readonly byMailedLink: boolean }): Promise<Factor[]>;
  /** The hash of the cookie of a sign-in that is waiting for its second step. Null without such a cookie. */
  readonly pending: string | null;
  /**
   * Throws if the session has ended since the request began. A change that waits for a password check would otherwise still take place after
   * a sign-out, and could open a new session. The transaction must have locked the user's row.
   */
  assertOpen(db: Db): Promise<void>;
  endOthers(db: Db, userId: number): Promise<void>;
  close(): Promise<void>;
}

export const sessionRules = (env: Env): SessionRules => ({
  customerIdleDays: env.sessionDays,
  secure: env.publicUrl.startsWith('https:'),
});

export const sessionCookieOf = (env: Env, request: FastifyRequest): string | undefined => request.cookies[cookieName(sessionRules(env))];

/** Returns the hash of the browser's device cookie, or null without such a cookie. */
export const deviceOf = (env: Env, request: FastifyRequest): string | null =>
  hashOfCookie(request.cookies[deviceCookieName(sessionRules(env).secure)]);

const cookieOptions = ({ secure }: SessionRules) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const;

export function setSessionCookie(reply: FastifyReply, env: Env, value: string, expires: Date): void {
  const rules = sessionRules(env);
  void reply.setCookie(cookieName(rules), value, { ...cookieOptions(rules), expires });
}

export function sessionControl({ db, env, now }: AppContext, request: FastifyRequest, reply: FastifyReply): SessionControl {
  const rules = sessionRules(env);
  const before = sessionCookieOf(env, request);
  const deviceName = deviceCookieName(rules.secure);
  const device = deviceOf(env, request);
  const pendingName = pendingCookieName(rules.secure);
  const pending = hashOfCookie(request.cookies[pendingName]);
  const open = async (transactionDb: Db, user: SignedIn, signedInAt?: Date): Promise<void> => {
    const at = now();
    const { cookie, expire } = await openSession(transactionDb, user, before, { now: at, rules, signedInAt });
    // Otherwise the first requests after a sign-in would wait with all requests of the network whose sessions the process does not know.
    rememberSession(cookie, {
      userId: user.id,
      role: user.role,
      tenantId: user.role === 'distributor' ? user.id : (user.distributorId ?? 0),
    });
    setSessionCookie(reply, env, cookie, expire);
    const deviceCookie = await rememberDevice(transactionDb, device, { userId: user.id, now: at });
    void reply.setCookie(deviceName, deviceCookie, { ...cookieOptions(rules), expires: new Date(at.getTime() + DEVICE_LIFETIME) });
    if (pending !== null) void reply.clearCookie(pendingName, cookieOptions(rules));
  };
  return {
    device,
    pending,
    open,
    async openOrAsk(transactionDb, user, { byMailedLink } = { byMailedLink: false }) {
      const factors = mayHaveSecondFactor(user.role) ? await factorsOf(transactionDb, user.id) : [];
      if (factors.length === 0) await open(transactionDb, user);
      else {
        const { cookie, expires } = await openPendingSignIn(transactionDb, { userId: user.id, byMailedLink, now: now() });
        void reply.setCookie(pendingName, cookie, { ...cookieOptions(rules), expires });
      }
      return factors;
    },
    async assertOpen(transactionDb) {
      if (!(await hasSession(transactionDb, before))) throw unauthenticated();
    },
    async endOthers(transactionDb, userId) {
      await endOtherSessions(transactionDb, userId, before ?? '');
    },
    async close() {
      if (before) await closeSession(db, before);
      void reply.clearCookie(cookieName(rules), cookieOptions(rules));
    },
  };
}
