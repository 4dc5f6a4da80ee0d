// Finds the viewer of a session cookie. The cookie contains 256 random bits, and the database stores only their hash. A session ends when
// it was not used for its idle time, or when it reaches its maximum age.
import { forgetSession, rememberSession } from './recent-sessions.ts';
import type { Role } from '../../domain/accounts/roles.ts';
import { STAFF_IDLE_HOURS } from '../../domain/accounts/session-limits.ts';
import { SESSION_ONLY, type SessionPreload } from './session-preload.ts';
import { run, runSingle, type Db } from '../database/db.ts';
import type { Row } from '../database/schema.ts';
import { batchPerDb } from '../database/batcher.ts';
import { DAY, HOUR } from '../../domain/durations.ts';
import { hashOfCookie, hashOfToken, newToken } from './token.ts';

export interface Viewer {
  readonly userId: number;
  readonly email: string;
  readonly role: Role;
  /** The user id of the distributor of a customer or an agent (spec §3). */
  readonly distributorId: number | null;
  /**
   * The id of the tenant whose data this user may see. For a distributor, agent or customer it is the user id of the distributor; for an
   * admin it is 0.
   */
  readonly tenantId: number;
  /** Whether this user is an agent whom the distributor allows to take payments (contract §14). */
  readonly mayTakePayments: boolean;
  /** Whether this user is an agent who must have a second factor and has none (contract §19). */
  readonly mustAddSecondFactor: boolean;
  /** Whether this customer joined through a join link. Such customers may change fewer rows a day (daily-row-limit.ts). */
  readonly hasJoined: boolean;
  /** The time when the session was opened, as an ISO timestamp. */
  readonly signedInAt: string;
}

export interface SessionRules {
  readonly customerIdleDays: number;
  readonly secure: boolean;
}

/** A session is renewed only when less than this share of its idle time remains, so that most requests write nothing to the database. */
const REFRESH_SHARE = 0.95;

export const cookieName = (rules: SessionRules): string => (rules.secure ? '__Host-sid' : 'sid');

function limits(role: Role, rules: SessionRules): { idle: number; absolute: number } {
  if (role === 'customer') return { idle: Math.min(rules.customerIdleDays, 30) * DAY, absolute: 30 * DAY };
  if (role === 'admin') return { idle: 2 * HOUR, absolute: 12 * HOUR };
  return { idle: Math.min(STAFF_IDLE_HOURS * HOUR, rules.customerIdleDays * DAY), absolute: 7 * DAY };
}

interface SessionRow extends Viewer {
  /** The time when the session expires, in milliseconds since 1970. */
  readonly expire: number;
  /**
   * The number of milliseconds from the last use to `expire`. Null if an earlier version of the server opened the session, because it did
   * not store this value.
   */
  readonly idle: number | null;
  readonly preloaded: unknown;
}
interface SessionRead {
  readonly sid: string;
  readonly now: Date;
  readonly preload: SessionPreload | undefined;
}

/** Reads sessions that all preload the same query, or no query. The results are in the sequence of `reads`. */
async function readSessions(db: Db, reads: readonly SessionRead[]): Promise<(SessionRow | null)[]> {
  const [first] = reads;
  if (!first) return [];
  const { single, batch } = first.preload?.query.statements ?? SESSION_ONLY;
  const rowsOfValues = reads.map(({ sid, now, preload }) => [sid, now.toISOString(), ...(preload?.parameters ?? [])]);
  const [valuesOfFirst = []] = rowsOfValues;
  const columns = valuesOfFirst.map((_, column) => rowsOfValues.map((values) => values[column]));
  const isAlone = reads.length === 1;
  const rows = await run<SessionRow & { readonly index: number }>(db, isAlone ? single : batch, isAlone ? valuesOfFirst : columns);
  const byIndex = new Map(rows.map(({ index, ...row }) => [index, row]));
  return reads.map((_, index) => byIndex.get(index + 1) ?? null);
}

const readSession = batchPerDb(readSessions);

/**
 * Sessions are read in one statement only if they preload the same query for the same distribution. Otherwise the expensive data of one
 * tenant would delay the requests of others. The first parameter of each query is the id of the distribution.
 */
const batchKeyOf = ({ query, parameters }: SessionPreload): string => `${query.name} ${parameters[0] ?? ''}`;

export interface AuthResult {
  readonly viewer: Viewer;
  /** The new expiry time of the cookie. Null if the session was not renewed. */
  readonly renewedUntil: Date | null;
  /** The row that the session preload returned. Null if it found no row. */
  readonly preloaded: unknown;
}

async function findSession(
  db: Db,
  cookie: string | undefined,
  now: Date,
  preload?: SessionPreload,
): Promise<(SessionRow & { readonly sid: string }) | null> {
  const sid = hashOfCookie(cookie);
  if (sid === null) return null;
  const row = await readSession(db, preload ? batchKeyOf(preload) : '', { sid, now, preload });
  return row ? { ...row, sid } : null;
}

// Does not renew a session whose row another transaction has locked, for example while its user is being disabled. The request would
// otherwise wait with a database connection that belongs to no tenant, and ten such requests would stop all tenants.
const RENEW = `UPDATE session_store SET expire = $2, sess = jsonb_set(sess, '{idle}', to_jsonb($3::float8))
  WHERE sid = (SELECT sid FROM session_store WHERE sid = $1 FOR NO KEY UPDATE SKIP LOCKED) RETURNING sid`;

/** Finds the session of a cookie and renews it. Returns null when the cookie has no valid session. */
export async function authenticateSession(
  db: Db,
  cookie: string | undefined,
  { now, rules, preload }: { now: Date; rules: SessionRules; preload?: SessionPreload | undefined },
): Promise<AuthResult | null> {
  const row = await findSession(db, cookie, now, preload);
  if (!row) {
    if (cookie !== undefined) forgetSession(cookie);
    return null;
  }
  const { sid, expire, idle: storedIdle, preloaded, ...viewer } = row;
  const { idle, absolute } = limits(viewer.role, rules);
  const end = Date.parse(viewer.signedInAt) + absolute;
  // The time of the last use is compared with the current limits, because the operator may have lowered SESSION_DAYS since the row was
  // written.
  const lastUse = storedIdle === null ? now.getTime() : expire - storedIdle;
  if (lastUse + idle <= now.getTime() || end <= now.getTime()) return null;
  if (cookie !== undefined) rememberSession(cookie, viewer);
  const until = Math.min(now.getTime() + idle, end);
  const isCurrent = expire === until || (expire < until && expire > now.getTime() + idle * REFRESH_SHARE);
  if (isCurrent) return { viewer, renewedUntil: null, preloaded };
  const isRenewed = (await run(db, RENEW, [sid, new Date(until), until - now.getTime()])).length > 0;
  return { viewer, renewedUntil: isRenewed ? new Date(until) : null, preloaded };
}

/** Returns the role of a session's user, but null for an agent who must add a second factor first. Does not renew the session. */
export async function roleOf(db: Db, cookie: string | undefined, now: Date): Promise<Role | null> {
  const found = await findSession(db, cookie, now);
  return found && !found.mustAddSecondFactor ? found.role : null;
}

/** A user has at most this many sessions. */
export const MAX_SESSIONS_PER_USER = 1000;
const OPEN = `WITH ended AS (DELETE FROM session_store WHERE sid IN (
    SELECT sid FROM session_store WHERE "userId" = $4 ORDER BY (sess->>'createdAt')::timestamptz DESC OFFSET ${MAX_SESSIONS_PER_USER - 1}))
  INSERT INTO session_store (sid, sess, expire, "userId") VALUES ($1, $2, $3, $4)`;

/**
 * Opens a session for a user who has signed in. If the user then has too many sessions, the oldest one ends. The new session always gets a
 * new id. If the browser's old cookie has a session, that old session ends.
 */
export async function openSession(
  db: Db,
  user: { id: number; role: Role },
  before: string | undefined,
  { now, rules, signedInAt = now }: { now: Date; rules: SessionRules; signedInAt?: Date | undefined },
): Promise<{ cookie: string; expire: Date }> {
  if (before) await closeSession(db, before);
  const cookie = newToken();
  const { idle, absolute } = limits(user.role, rules);
  const expire = new Date(Math.min(now.getTime() + idle, signedInAt.getTime() + absolute));
  const sess = JSON.stringify({ createdAt: signedInAt.toISOString(), idle: expire.getTime() - now.getTime() });
  await run(db, OPEN, [hashOfToken(cookie), sess, expire, user.id]);
  return { cookie, expire };
}

export async function closeSession(db: Db, cookie: string): Promise<void> {
  await run(db, 'DELETE FROM session_store WHERE sid = $1', [hashOfToken(cookie)]);
}

/**
 * Locks the user's row until the transaction ends, so that sign-ins, sign-outs and changes of the password or the second factor run one after
 * the other.
 */
export async function lockUser(db: Db, id: number): Promise<Row<'users'>> {
  return await runSingle<Row<'users'>>(db, 'SELECT * FROM users WHERE id = $1 FOR NO KEY UPDATE', [id]);
}

/** Whether the cookie still has a session. */
export const hasSession = async (db: Db, cookie: string | undefined): Promise<boolean> =>
  (await run(db, 'SELECT FROM session_store WHERE sid = $1', [hashOfCookie(cookie)])).length > 0;

/**
 * Ends all sessions of a user and every pending sign-in, and revokes the device cookies. This function is called after a password reset or
 * change, and when the account is disabled. The caller has locked the user's row (`lockUser`). Otherwise a session that a concurrent password
 * change opens would stay.
 */
export async function endSessions(db: Db, userId: number): Promise<void> {
  const text = `WITH forgotten AS (DELETE FROM devices WHERE "userId" = $1), waiting AS (DELETE FROM pending_sign_ins WHERE "userId" = $1)
    DELETE FROM session_store WHERE "userId" = $1`;
  await run(db, text, [userId]);
}

/** Ends all sessions of a user except the session of the given cookie, and also ends every pending sign-in. */
export async function endOtherSessions(db: Db, userId: number, cookie: string): Promise<void> {
  const text = `WITH waiting AS (DELETE FROM pending_sign_ins WHERE "userId" = $1) DELETE FROM session_store WHERE "userId" = $1 AND sid <> $2`;
  await run(db, text, [userId, hashOfToken(cookie)]);
}
