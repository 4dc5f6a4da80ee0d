// Which sessions this process has found valid in the last minutes, and whose they are: a hint before the database is asked, never a permission.
import { hash } from 'node:crypto';

const TEN_MINUTES = 10 * 60_000;
const MOST_SESSIONS = 20_000;

interface RecentSession {
  readonly userId: number;
  readonly until: number;
}
const recent = new Map<string, RecentSession>();

const keyOf = (cookie: string): string => hash('sha256', cookie, 'base64url');

export function rememberSession(cookie: string, userId: number): void {
  const key = keyOf(cookie);
  // The session used last goes to the end, so that the oldest is forgotten first.
  recent.delete(key);
  recent.set(key, { userId, until: performance.now() + TEN_MINUTES });
  const [oldest] = recent.keys();
  if (recent.size > MOST_SESSIONS && oldest !== undefined) recent.delete(oldest);
}

/** Null for a session that this process has not seen lately, and for a cookie without a session. */
export function recentUserOf(cookie: string): number | null {
  const found = recent.get(keyOf(cookie));
  return found && found.until > performance.now() ? found.userId : null;
}
