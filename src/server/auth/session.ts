// Cookie ↔ viewer. The cookie holds 256 random bits, the table only their hash; a session ends after idling or at its absolute age.
import { hash, randomBytes } from 'node:crypto';
import type { Role } from '../../domain/accounts/roles.ts';
import { run, type Db } from '../database/db.ts';
import { batchPerDb } from '../database/batcher.ts';

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

type Value = number | readonly number[];
/**
 * What is read together with the session, in one round trip: at most one row. The text may name `viewer."userId"`, `viewer."tenantId"`
 * and `viewer.role`; its own values are texts, `asked.first` and `asked.second`, an array as `{1,2}`. The row comes as JSON has it: no
 * timestamps and no bigints.
 */
export interface ReadAlong {
  readonly text: string;
  readonly values: readonly [first: Value, second?: Value];
}

interface SessionRow extends Viewer {
  readonly createdAt: string;
  /** Milliseconds. */
  readonly expire: number;
  /** Milliseconds from the last use to `expire`; null in a session of a version that did not store it. */
  readonly idle: number | null;
  readonly found?: unknown;
}
interface Asked {
  readonly sid: string;
  readonly now: Date;
  readonly along: ReadAlong | null;
}

const READ = `SELECT s.sess->>'createdAt' AS "createdAt", (extract(epoch FROM s.expire) * 1000)::float8 AS expire, (s.sess->>'idle')::float8 AS idle,
    u.id AS "userId", u.email, u.role, u."distributorId", CASE u.role WHEN 'distributor' THEN u.id ELSE coalesce(u."distributorId", 0) END AS "tenantId"
  FROM session_store s JOIN users u ON u.id = s."userId" AND u."disabledAt" IS NULL WHERE s.sid = asked.sid AND s.expire > asked.now`;

const ONE = '(SELECT 1 AS place, $1::text AS sid, $2::timestamptz AS now, $3::text AS first, $4::text AS second) asked';
// The arrays come out of a subquery so that the plan, which is made once, does not hang on how many are asked for.
const MANY = `(SELECT $1::text[] AS sids, $2::timestamptz[] AS nows, $3::text[] AS firsts, $4::text[] AS seconds OFFSET 0) given,
    unnest(given.sids, given.nows, given.firsts, given.seconds) WITH ORDINALITY asked (sid, now, first, second, place)`;
const readFrom = (asked: typeof ONE | typeof MANY, text: string): string =>
  `SELECT asked.place::int, viewer.*, (SELECT row_to_json(found) FROM (${text}) found) AS found FROM ${asked}, LATERAL (${READ}) viewer`;
const NOTHING = 'SELECT WHERE false';

const textOf = (value: Value | undefined): string | null =>
  value === undefined ? null : typeof value === 'number' ? String(value) : `{${value.join()}}`;

/** The sessions that are asked for with the same text, each where it stands among them. */
async function readSessions(db: Db, asked: readonly Asked[]): Promise<(SessionRow | null)[]> {
  const columns = [
    asked.map(({ sid }) => sid),
    asked.map(({ now }) => now.toISOString()),
    asked.map(({ along }) => textOf(along?.values[0])),
    asked.map(({ along }) => textOf(along?.values[1])),
  ];
  const text = asked[0]?.along?.text ?? NOTHING;
  type Found = SessionRow & { readonly place: number };
  const rows =
    asked.length === 1
      ? await run<Found>(
          db,
          readFrom(ONE, text),
          columns.map(([value]) => value),
        )
      : await run<Found>(db, readFrom(MANY, text), columns);
  const byPlace = new Map(rows.map(({ place, ...row }) => [place, row]));
  return asked.map((_, index) => byPlace.get(index + 1) ?? null);
}

const readSession = batchPerDb(readSessions);

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
  const row = await readSession(db, along?.text ?? '', { sid, now, along: along ?? null });
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
  const { sid, createdAt, expire, idle: storedIdle, found = null, ...viewer } = row;
  const { idle, absolute } = limits(viewer.role, rules);
  const end = Date.parse(createdAt) + absolute;
  // SESSION_DAYS may have been lowered since the row was written.
  const lastUse = storedIdle === null ? now.getTime() : expire - storedIdle;
  if (lastUse + idle <= now.getTime() || end <= now.getTime()) return null;
  const until = Math.min(now.getTime() + idle, end);
  const isCurrent = expire === until || (expire < until && expire > now.getTime() + idle * REFRESH_SHARE);
  if (isCurrent) return { viewer, refreshed: null, found };
  const text = `UPDATE session_store SET expire = $2, sess = jsonb_set(sess, '{idle}', to_jsonb($3::float8)) WHERE sid = $1`;
  await run(db, text, [sid, new Date(until), until - now.getTime()]);
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
  const { idle } = limits(user.role, rules);
  const expire = new Date(now.getTime() + idle);
  const sess = JSON.stringify({ createdAt: now.toISOString(), idle });
  await run(db, 'INSERT INTO session_store (sid, sess, expire, "userId") VALUES ($1, $2, $3, $4)', [stored(cookie), sess, expire, user.id]);
  return { cookie, expire };
}

export async function closeSession(db: Db, cookie: string): Promise<void> {
  await run(db, 'DELETE FROM session_store WHERE sid = $1', [stored(cookie)]);
}

/** Everywhere at once, with the device cookies: after a reset, a change of the password, or when the account is disabled. */
export async function endSessions(db: Db, userId: number): Promise<void> {
  await run(db, 'WITH forgotten AS (DELETE FROM devices WHERE "userId" = $1) DELETE FROM session_store WHERE "userId" = $1', [userId]);
}
