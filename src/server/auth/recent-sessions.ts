// Keeps in memory for ten minutes which sessions this process has found valid, and their users. Before the server reads the database, it
// uses this to choose the queue of a request and to count a save toward the limits of its user and tenant. Permissions never depend on it.
import { MINUTE } from '../../domain/durations.ts';
import type { Viewer } from './session.ts';
import { hashOfToken } from './token.ts';

const TEN_MINUTES = 10 * MINUTE;
const MAX_SESSIONS = 20_000;

export type RecentUser = Pick<Viewer, 'userId' | 'role' | 'tenantId'>;
const recent = new Map<string, RecentUser & { readonly until: number }>();

export function rememberSession(cookie: string, { userId, role, tenantId }: RecentUser): void {
  const key = hashOfToken(cookie);
  // Moves a used session to the end of the map, so that the least recently used session is removed first.
  recent.delete(key);
  recent.set(key, { userId, role, tenantId, until: performance.now() + TEN_MINUTES });
  const [oldest] = recent.keys();
  if (recent.size > MAX_SESSIONS && oldest !== undefined) recent.delete(oldest);
}

/** Forgets a cookie that no longer belongs to a session, so that requests with it do not count toward the save limit of its former user. */
export const forgetSession = (cookie: string): void => void recent.delete(hashOfToken(cookie));

/** Returns the user of a session. Returns null when this process has not seen the session recently, or when the cookie has no session. */
export function recentUserOf(cookie: string | undefined): RecentUser | null {
  const found = cookie === undefined ? undefined : recent.get(hashOfToken(cookie));
  return found && found.until > performance.now() ? found : null;
}
