// Cookie ↔ viewer. The cookie holds 256 random bits, the table only their hash; a session ends after idling or at its absolute age.
import { hash, randomBytes } from 'node:crypto';
import type { Role } from '../domain/roles.ts';
import { run, type Db } from './db.ts';

export interface Viewer {
  readonly userId: number;
  readonly email: string;
  readonly role: Role;
  /** Of a customer or an agent (spec §3). */
  readonly distributorId: number | null;
  /** Whose data this person may see: the distributor's user id, for the distributor itself its own; 0 for an admin. */
  readonly tenantId: number;
}

export interface SessionRules {
  readonly customerIdleDays: number;
  readonly secure: boolean;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Written back only when a twentieth of the idle time has passed, so that reading stays reading. */
const REFRESH_SHARE = 0.95;

export const cookieName = (rules: SessionRules): string => (rules.secure ? '__Host-sid' : 'sid');

function limits(role: Role, rules: SessionRules): { idle: number; absolute: number } {
  if (role === 'customer') return { idle: rules.customerIdleDays * DAY, absolute: Math.max(30, rules.customerIdleDays) * DAY };
  if (role === 'admin') return { idle: 2 * HOUR, absolute: 12 * HOUR };
  return { idle: Math.min(12 * HOUR, rules.customerIdleDays * DAY), absolute: 7 * DAY };
}

const stored = (cookie: string): string => hash('sha256', cookie, 'base64url');

/** A statement whose rows are known. */
export type Statement<Row> = string & { readonly of?: Row };

/**
 * What is read together with the session, in one round trip: at most one row. The text may name `viewer."userId"`, `viewer."tenantId"`
 * and `viewer.role`; its own values are $3 and on. It comes as JSON has it: no timestamps and no bigints.
 */
export interface ReadAlong {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface SessionRow extends Viewer {
  readonly createdAt: string;
  /** Milliseconds. */
  readonly expire: number;
  readonly found?: unknown;
}

const READ = `SELECT s.sess->>'createdAt' AS "createdAt", (extract(epoch FROM s.expire) * 1000)::float8 AS expire,
    u.id AS "userId", u.email, u.role, u."distributorId", CASE u.role WHEN 'distributor' THEN u.id ELSE coalesce(u."distributorId", 0) END AS "tenantId"
  FROM session_store s JOIN users u ON u.id = s."userId" AND u."disabledAt" IS NULL WHERE s.sid = $1 AND s.expire > $2`;

const readWith = (text: string): string =>
  `SELECT viewer.*, (SELECT row_to_json(found) FROM (${text}) found) AS found FROM (${READ}) viewer`;

export interface Visit {
  readonly viewer: Viewer;
  /** Until when the cookie should now last, when that moved. */
  readonly refreshed: Date | null;
  /** The row that was read along; null when there is none. */
  readonly found: unknown;
}

async function sessionOf(
  db: Db,
  cookie: string | undefined,
  now: Date,
  along?: ReadAlong | null,
): Promise<(SessionRow & { readonly sid: string }) | null> {
  if (!cookie || cookie.length > 100) return null;
  const sid = stored(cookie);
  const asked = [sid, now.toISOString()];
  const [row] = await run<SessionRow>(db, along ? readWith(along.text) : READ, along ? [...asked, ...along.values] : asked);
  return row ? { ...row, sid } : null;
}

/** Who calls, or null. */
export async function viewerOf(
  db: Db,
  cookie: string | undefined,
  { now, rules, along }: { now: Date; rules: SessionRules; along?: ReadAlong | null | undefined },
): Promise<Visit | null> {
  const row = await sessionOf(db, cookie, now, along);
  if (!row) return null;
  const { sid, createdAt, expire, found = null, ...viewer } = row;
  const { idle, absolute } = limits(viewer.role, rules);
  const until = Math.min(now.getTime() + idle, Date.parse(createdAt) + absolute);
  if (expire > now.getTime() + idle * REFRESH_SHARE || until <= expire) return { viewer, refreshed: null, found };
  await run(db, 'UPDATE session_store SET expire = $2 WHERE sid = $1', [sid, new Date(until)]);
  return { viewer, refreshed: new Date(until), found };
}

/** Whose session it is; it lasts no longer for having been looked at. */
export const roleOf = async (db: Db, cookie: string | undefined, now: Date): Promise<Role | null> =>
  (await sessionOf(db, cookie, now))?.role ?? null;

/** A sign-in always gets a new id; the one the browser came with dies. */
export async function openSession(
  db: Db,
  user: { id: number; role: Role },
  before: string | undefined,
  { now, rules }: { now: Date; rules: SessionRules },
): Promise<{ cookie: string; expire: Date }> {
  if (before) await closeSession(db, before);
  const cookie = randomBytes(32).toString('base64url');
  const expire = new Date(now.getTime() + limits(user.role, rules).idle);
  const sess = JSON.stringify({ createdAt: now.toISOString() });
  await run(db, 'INSERT INTO session_store (sid, sess, expire, "userId") VALUES ($1, $2, $3, $4)', [stored(cookie), sess, expire, user.id]);
  return { cookie, expire };
}

export async function closeSession(db: Db, cookie: string): Promise<void> {
  await run(db, 'DELETE FROM session_store WHERE sid = $1', [stored(cookie)]);
}

/** Everywhere at once: after a reset, a change of the password, or when the account is disabled. */
export async function endSessions(db: Db, userId: number): Promise<void> {
  await run(db, 'DELETE FROM session_store WHERE "userId" = $1', [userId]);
}
