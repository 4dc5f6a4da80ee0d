// The cookie of a session: how it is set and cleared, and the sign-in and sign-out that only the auth routes need.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../database/db.ts';
import type { Env } from '../operations/env.ts';
import { closeSession, cookieName, openSession, type SessionRules, type Viewer } from '../auth/session.ts';

/** What only sign-in and sign-out need. */
export interface SessionDoor {
  /** In the transaction that judged the sign-in, so that no reset, disabling or change of the password slips in between. */
  open(db: Db, user: { id: number; role: Viewer['role'] }): Promise<void>;
  close(): Promise<void>;
}

export const sessionRules = (env: Env): SessionRules => ({
  customerIdleDays: env.sessionDays,
  secure: env.publicUrl.startsWith('https:'),
});

export const sessionCookieOf = (env: Env, request: FastifyRequest): string | undefined => request.cookies[cookieName(sessionRules(env))];

export function setSessionCookie(reply: FastifyReply, env: Env, value: string, expires: Date): void {
  const rules = sessionRules(env);
  void reply.setCookie(cookieName(rules), value, { path: '/', httpOnly: true, sameSite: 'lax', secure: rules.secure, expires });
}

export function sessionDoor(
  { db, env, now }: { db: Db; env: Env; now: () => Date },
  request: FastifyRequest,
  reply: FastifyReply,
): SessionDoor {
  const rules = sessionRules(env);
  const before = sessionCookieOf(env, request);
  return {
    async open(transactionDb, user) {
      const { cookie, expire } = await openSession(transactionDb, user, before, { now: now(), rules });
      setSessionCookie(reply, env, cookie, expire);
    },
    async close() {
      if (before) await closeSession(db, before);
      void reply.clearCookie(cookieName(rules), { path: '/', httpOnly: true, sameSite: 'lax', secure: rules.secure });
    },
  };
}
