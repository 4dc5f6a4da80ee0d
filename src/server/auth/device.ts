// The device cookie is 256 random bits that identify a browser in which a user has signed in. The database stores only the hash of the
// cookie. The cookie opens no session. Failed sign-ins of that user from that browser are counted separately (OWASP, "Slow Down Online
// Guessing Attacks with Device Cookies").
import { run, runOne, type Db } from '../database/db.ts';
import type { Row } from '../database/schema.ts';
import { DAY } from '../../domain/durations.ts';
import { createRecentOfUsers } from '../queues/recent-of-users.ts';
import { hashOfToken, newToken } from './token.ts';

/** The lifetime of the device cookie. Browsers limit the lifetime of cookies to 400 days. */
export const DEVICE_LIFETIME = 400 * DAY;
/** The maximum number of devices per user. When a user has more, the least recently used devices are deleted. */
const MAX_DEVICES = 20;
/**
 * The maximum number of users for whom a device stays known, such as the members of a family. A sign-in rewrites the rows of all users of
 * the device. When a device has more users, the rows of those who signed in least recently are deleted.
 */
const MAX_USERS = 10;

/** The users who have signed in last on the devices that this process remembers, by the hash of the device's cookie. */
const recent = createRecentOfUsers({ most: 20_000, mostOfUser: MAX_DEVICES });

/**
 * Returns who has signed in last on this device at this process, or null. The server uses it only to choose with whom a sign-in takes turns.
 * Locks and counts of failures never depend on it.
 */
export const recentUserOfDevice = (device: string | null): number | null => (device === null ? null : (recent.get(device)?.userId ?? null));

export const deviceCookieName = (secure: boolean): string => (secure ? '__Host-device' : 'device');

/**
 * Whether this user has signed in on the device before. The statement also runs for an unknown user, so that the response time does not
 * reveal whether an account exists.
 */
export async function isKnownDevice(
  db: Db,
  device: string | null,
  { userId, now }: { userId: number | undefined; now: Date },
): Promise<boolean> {
  if (device === null) return false;
  const text = 'SELECT 1 FROM devices WHERE "tokenHash" = $1 AND "userId" = $2 AND "usedAt" > $3';
  return (await run(db, text, [device, userId ?? 0, new Date(now.getTime() - DEVICE_LIFETIME)])).length > 0;
}

/**
 * Returns this user's row of the device and locks it until the transaction ends. Returns null for a device on which the user has never
 * signed in.
 */
export async function lockDevice(
  db: Db,
  device: string | null,
  { userId, now }: { userId: number; now: Date },
): Promise<Row<'devices'> | null> {
  if (device === null) return null;
  const text = 'SELECT * FROM devices WHERE "tokenHash" = $1 AND "userId" = $2 AND "usedAt" > $3 FOR UPDATE';
  return await runOne<Row<'devices'>>(db, text, [device, userId, new Date(now.getTime() - DEVICE_LIFETIME)]);
}

const FORGET_USERS = `DELETE FROM devices WHERE "tokenHash" = $1 AND "userId" IN
  (SELECT "userId" FROM devices WHERE "tokenHash" = $1 AND "userId" <> $2 ORDER BY "usedAt" DESC, "userId" OFFSET ${MAX_USERS - 1})`;
const MOVE = 'UPDATE devices SET "tokenHash" = $2 WHERE "tokenHash" = $1';
const REMEMBER = `INSERT INTO devices ("tokenHash", "userId", "usedAt") VALUES ($1, $2, $3)
  ON CONFLICT ("tokenHash", "userId") DO UPDATE
  SET "usedAt" = excluded."usedAt", "loginAttempts" = 0, "lockedUntil" = NULL, "lastFailureAt" = NULL`;
const FORGET_OLDEST = `DELETE FROM devices WHERE "userId" = $1 AND "tokenHash" IN
  (SELECT "tokenHash" FROM devices WHERE "userId" = $1 ORDER BY "usedAt" DESC, "tokenHash" OFFSET ${MAX_DEVICES})`;

/**
 * Creates a new cookie for a device on which this user has just signed in. The new cookie replaces the old one for all users of that
 * browser, so that a copy of the old cookie becomes useless.
 */
export async function rememberDevice(db: Db, old: string | null, { userId, now }: { userId: number; now: Date }): Promise<string> {
  const cookie = newToken();
  const device = hashOfToken(cookie);
  if (old !== null) {
    await run(db, FORGET_USERS, [old, userId]);
    await run(db, MOVE, [old, device]);
  }
  await run(db, REMEMBER, [device, userId, now]);
  await run(db, FORGET_OLDEST, [userId]);
  if (old !== null) recent.forget(old);
  recent.remember(device, { userId });
  return cookie;
}

export async function unlockDevices(db: Db, userId: number): Promise<void> {
  await run(db, 'UPDATE devices SET "loginAttempts" = 0, "lockedUntil" = NULL WHERE "userId" = $1', [userId]);
}
