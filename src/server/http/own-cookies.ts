// Reads the product's own cookies without parsing those of other applications: a parsed header of 16 kB with 1,700 cookies takes ten times
// as much memory, and a request keeps it while it is queued (docs/reliability.md, "abuse").
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { THEME_COOKIE } from '../../shared/theme.ts';
import { deviceCookieName } from '../auth/device.ts';
import { pendingCookieName } from '../auth/second-factor/pending-sign-in.ts';
import { cookieName } from '../auth/session.ts';
import type { Env } from '../operations/env.ts';
import { sessionRules } from './session-cookie.ts';

/**
 * Returns a function that cuts the first cookie of each name out of a Cookie header. A browser may send several kilobytes of cookies that
 * other applications of the same domain have set, so a long header is not refused.
 */
function cutterOf(names: readonly string[]): (header: string) => string {
  const patterns = names.map((name) => new RegExp(`(?<=(?:^|;)[ \\t]*)${name}=[^;]*`));
  return (header) => patterns.flatMap((pattern) => pattern.exec(header)?.[0] ?? []).join('; ');
}

/** Provides `request.cookies` with the product's own cookies, and the functions that set cookies. */
export async function serveOwnCookies(app: FastifyInstance, env: Env): Promise<void> {
  const rules = sessionRules(env);
  const cutOwn = cutterOf([cookieName(rules), deviceCookieName(rules.secure), pendingCookieName(rules.secure), THEME_COOKIE]);
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    if (headers.cookie !== undefined) headers.cookie = cutOwn(headers.cookie);
    done();
  });
  await app.register(cookie);
}
