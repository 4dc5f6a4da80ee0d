// Keeps in memory for ten minutes which sessions this process has opened or found valid, and their users. Before the server reads the
// database, it uses this to choose the queue of a request and to count a save toward the limits of its user and tenant. Permissions never
// depend on it.
import { MINUTE } from '../../domain/durations.ts';
import { createRecentOfUsers } from '../queues/recent-of-users.ts';
import type { Viewer } from './session.ts';
import { hashOfToken } from './token.ts';

const TEN_MINUTES = 10 * MINUTE;
const MAX_SESSIONS = 20_000;
const MAX_SESSIONS_OF_USER = 50;

export type RecentUser = Pick<Viewer, 'userId' | 'role' | 'tenantId'>;

/** Returns the group with which a person takes turns: the customers of a tenant are one group, and its staff are another one. */
export const peopleGroupOf = ({ role, tenantId }: Pick<RecentUser, 'role' | 'tenantId'>): string =>
  `${role === 'customer' ? 'customers' : 'staff'} of ${tenantId}`;

const recent = createRecentOfUsers<RecentUser & { readonly until: number }>({ most: MAX_SESSIONS, mostOfUser: MAX_SESSIONS_OF_USER });

export const rememberSession = (cookie: string, { userId, role, tenantId }: RecentUser): void =>
  recent.remember(hashOfToken(cookie), { userId, role, tenantId, until: performance.now() + TEN_MINUTES });

/** Forgets a cookie that no longer belongs to a session, so that requests with it do not count toward the save limit of its former user. */
export const forgetSession = (cookie: string): void => recent.forget(hashOfToken(cookie));

/** Returns the user of a session. Returns null when this process has not seen the session recently, or when the cookie has no session. */
export function recentUserOf(cookie: string | undefined): RecentUser | null {
  const found = cookie === undefined ? undefined : recent.get(hashOfToken(cookie));
  return found && found.until > performance.now() ? found : null;
}
