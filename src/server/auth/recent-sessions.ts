// Remembers for ten minutes which sessions this process has found valid, and their users. fair-admission.ts uses the result only to select
// a queue before the database is read. The result gives no permission.
import { hash } from 'node:crypto';
import { MINUTE } from '../../domain/durations.ts';

const TEN_MINUTES = 10 * MINUTE;
const MOST_SESSIONS = 20_000;

interface RecentSession {
  readonly userId: number;
  readonly until: number;
}
const recent = new Map<string, RecentSession>();

const keyOf = (cookie: string): string => hash('sha256', cookie, 'base64url');

export function rememberSession(cookie: string, userId: number): void {
  const key = keyOf(cookie);
  // Moves a used session to the end of the map, so that the least recently used session is removed first.
  recent.delete(key);
  recent.set(key, { userId, until: performance.now() + TEN_MINUTES });
  const [oldest] = recent.keys();
  if (recent.size > MOST_SESSIONS && oldest !== undefined) recent.delete(oldest);
}

/** Returns the user of a session. Returns null when this process has not seen the session recently, or when the cookie has no session. */
export function recentUserOf(cookie: string): number | null {
  const found = recent.get(keyOf(cookie));
  return found && found.until > performance.now() ? found.userId : null;
}
