// Keeps in memory for ten minutes which sessions this process has opened or found valid, and their users. Before the server reads the
// database, it uses this to choose the queue of a request and to count a save toward the limits of its user and tenant. Permissions never
// depend on it.
import { MINUTE } from '../../domain/durations.ts';
import type { Viewer } from './session.ts';
import { hashOfToken } from './token.ts';

const TEN_MINUTES = 10 * MINUTE;
const MAX_SESSIONS = 20_000;
/** A further session of a user replaces the least recently used session of the same user, and not that of another user. */
const MAX_SESSIONS_OF_USER = 50;

export type RecentUser = Pick<Viewer, 'userId' | 'role' | 'tenantId'>;

/** Returns the group with which a person takes turns: the customers of a tenant are one group, and its staff are another one. */
export const peopleGroupOf = ({ role, tenantId }: Pick<RecentUser, 'role' | 'tenantId'>): string =>
  `${role === 'customer' ? 'customers' : 'staff'} of ${tenantId}`;

// In both maps, and in the sets, the least recently used session comes first.
const recent = new Map<string, RecentUser & { readonly until: number }>();
const keysOfUsers = new Map<number, Set<string>>();

function forgetKey(key: string | undefined): void {
  const user = key === undefined ? undefined : recent.get(key);
  if (key === undefined || !user) return;
  recent.delete(key);
  const keys = keysOfUsers.get(user.userId);
  keys?.delete(key);
  if (keys?.size === 0) keysOfUsers.delete(user.userId);
}

export function rememberSession(cookie: string, { userId, role, tenantId }: RecentUser): void {
  const key = hashOfToken(cookie);
  // Moves a used session to the end.
  forgetKey(key);
  recent.set(key, { userId, role, tenantId, until: performance.now() + TEN_MINUTES });
  const keys = keysOfUsers.get(userId) ?? new Set();
  keysOfUsers.set(userId, keys.add(key));
  if (keys.size > MAX_SESSIONS_OF_USER) forgetKey(keys.values().next().value);
  if (recent.size > MAX_SESSIONS) forgetKey(recent.keys().next().value);
}

/** Forgets a cookie that no longer belongs to a session, so that requests with it do not count toward the save limit of its former user. */
export const forgetSession = (cookie: string): void => forgetKey(hashOfToken(cookie));

/** Returns the user of a session. Returns null when this process has not seen the session recently, or when the cookie has no session. */
export function recentUserOf(cookie: string | undefined): RecentUser | null {
  const found = cookie === undefined ? undefined : recent.get(hashOfToken(cookie));
  return found && found.until > performance.now() ? found : null;
}
