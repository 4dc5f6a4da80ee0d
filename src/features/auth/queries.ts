import { afterFailure, isLocked, linkKind, UNLOCKED, type Attempts } from '../../domain/accounts/account.ts';
import { createHash } from 'node:crypto';
import { run, type Db } from '../../server/database/db.ts';
import { lockDevice } from '../../server/auth/device.ts';
import { hashOfToken } from '../../server/auth/link-token.ts';
import { enqueue } from '../../server/mail/outbox.ts';
import type { MailKind, Row } from '../../server/database/schema.ts';
import { networkOf, siteOf } from '../../server/auth/network.ts';
import { MOST_INVITATIONS_A_DAY, MOST_LINKS_AN_HOUR } from './contract.ts';

type Account = Pick<
  Row<'users'>,
  'id' | 'email' | 'role' | 'distributorId' | 'password' | 'loginAttempts' | 'lockedUntil' | 'lastFailureAt' | 'disabledAt'
>;

export async function findAccount(db: Db, email: string): Promise<Account | null> {
  const found = await db
    .selectFrom('users')
    .select(['id', 'email', 'role', 'distributorId', 'password', 'loginAttempts', 'lockedUntil', 'lastFailureAt', 'disabledAt'])
    .where('email', '=', email)
    .executeTakeFirst();
  return found ?? null;
}

const dateOf = (timestamp: string | null): Date | null => (timestamp === null ? null : new Date(timestamp));

const attemptsOf = (kept: Pick<Account, 'loginAttempts' | 'lockedUntil' | 'lastFailureAt'>): Attempts => ({
  loginAttempts: kept.loginAttempts,
  lockedUntil: dateOf(kept.lockedUntil),
  lastFailureAt: dateOf(kept.lastFailureAt),
});

const toKeep = ({ loginAttempts, lockedUntil, lastFailureAt }: Attempts) => ({
  loginAttempts,
  lockedUntil: lockedUntil?.toISOString() ?? null,
  lastFailureAt: lastFailureAt?.toISOString() ?? null,
});

interface Attempt {
  readonly matches: boolean;
  readonly now: Date;
  /** The hash of the device cookie, or null. */
  readonly device: string | null;
}

/**
 * Judges an attempt on the row as it is now and keeps the count, so that of guesses made at the same time no more are judged than of
 * guesses one by one (contract §3). On a device that this person has signed in with before, the device's own lock counts, not that of
 * the account, which strangers can cause.
 */
export async function recordAttempt(db: Db, judged: Account, { matches, now, device }: Attempt): Promise<'in' | 'out' | 'locked'> {
  const account = await db.selectFrom('users').selectAll().where('id', '=', judged.id).forUpdate().executeTakeFirstOrThrow();
  const own = await lockDevice(db, device, { userId: account.id, now });
  const before = attemptsOf(account);
  if (isLocked(own ? attemptsOf(own).lockedUntil : before.lockedUntil, now)) return 'locked';
  // While the password was verified it may have been changed, or the account disabled.
  const isIn = matches && account.password === judged.password && account.disabledAt === null;
  const set = { ...toKeep(isIn ? UNLOCKED : afterFailure(before, now)), ...(isIn ? { lastLoginAt: now.toISOString() } : {}) };
  await db.updateTable('users').set(set).where('id', '=', account.id).execute();
  if (own) {
    const attempts = toKeep(isIn ? UNLOCKED : afterFailure(attemptsOf(own), now));
    await db.updateTable('devices').set(attempts).where('tokenHash', '=', own.tokenHash).where('userId', '=', account.id).execute();
  }
  return isIn ? 'in' : 'out';
}

/** The same judgement for an address that nobody has, kept under its hash (contract §3: treated the same from outside). */
export async function recordUnknownAttempt(db: Db, email: string, now: Date): Promise<'out' | 'locked'> {
  const emailHash = createHash('sha256').update(email).digest('base64url');
  const found = await db
    .insertInto('unknown_sign_ins')
    .values({ emailHash, lastFailureAt: now.toISOString() })
    // Changes nothing, but holds the row and answers it as it is.
    .onConflict((conflict) => conflict.column('emailHash').doUpdateSet({ emailHash }))
    .returningAll()
    .executeTakeFirstOrThrow();
  const before = attemptsOf(found);
  if (isLocked(before.lockedUntil, now)) return 'locked';
  const set = { ...toKeep(afterFailure(before, now)), lastFailureAt: now.toISOString() };
  await db.updateTable('unknown_sign_ins').set(set).where('emailHash', '=', emailHash).execute();
  return 'out';
}

const QUARTER_HOUR = 15 * 60_000;

export interface Failures {
  /** In the network of the client. */
  readonly network: number;
  /** In the site that its IPv6 network is part of; 0 for IPv4. */
  readonly site: number;
}

/** How many sign-ins from the network and the site of this address failed in the running quarter of an hour, this one included. */
export async function countFailure(db: Db, address: string, now: Date): Promise<Failures> {
  const [network, site] = [networkOf(address), siteOf(address)];
  const text = `INSERT INTO sign_in_addresses AS a (address, failures, "windowStart") SELECT network, 1, $2 FROM unnest($1::text[]) network
    ON CONFLICT (address) DO UPDATE SET failures = CASE WHEN a."windowStart" > $3 THEN a.failures + 1 ELSE 1 END,
      "windowStart" = CASE WHEN a."windowStart" > $3 THEN a."windowStart" ELSE excluded."windowStart" END
    RETURNING address, failures`;
  const networks = site === null ? [network] : [network, site];
  const rows = await run<{ address: string; failures: number }>(db, text, [networks, now, new Date(now.getTime() - QUARTER_HOUR)]);
  const failuresOf = (name: string | null): number => rows.find((row) => row.address === name)?.failures ?? 0;
  return { network: failuresOf(network), site: failuresOf(site) };
}

const NEWEST_LINK = {
  reset: '"resetPasswordToken" = $1 AND "resetPasswordExpires" > $2',
  invitation: '"invitationToken" = $1 AND "invitationExpires" > $2',
};

/** The id of the user whose link it is; null for a link that opens nothing. */
export async function findLinkOwner(db: Db, token: string, now: Date): Promise<number | null> {
  const text = `SELECT id FROM users WHERE ${NEWEST_LINK[linkKind(token)]} AND "disabledAt" IS NULL
    UNION ALL SELECT u.id FROM replaced_links l JOIN users u ON u.id = l."userId"
    WHERE l."tokenHash" = $1 AND l.expires > $2 AND u."disabledAt" IS NULL`;
  const [owner] = await run<{ id: number }>(db, text, [hashOfToken(token), now]);
  return owner?.id ?? null;
}

/** Every link that was mailed to this user opens nothing any more. */
export async function revokeLinks(db: Db, userId: number): Promise<void> {
  await run(db, 'DELETE FROM replaced_links WHERE "userId" = $1', [userId]);
  const text = `UPDATE users SET "resetPasswordToken" = NULL, "resetPasswordExpires" = NULL, "invitationToken" = NULL, "invitationExpires" = NULL
    WHERE id = $1`;
  await run(db, text, [userId]);
}

type SignedInUser = Pick<Account, 'id' | 'email' | 'role' | 'distributorId'>;

/** Uses the link up, sets the password and clears the lock, for the sign-in that follows; null where the link is no longer good. */
export async function useLink(db: Db, token: string, { password, now }: { password: string; now: Date }): Promise<SignedInUser | null> {
  const id = await findLinkOwner(db, token, now);
  await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id]);
  // Of several that use it at once, only the first still finds it when it has the row.
  if (id === null || (await findLinkOwner(db, token, now)) !== id) return null;
  await revokeLinks(db, id);
  const text = `UPDATE users SET password = $3, "loginAttempts" = 0, "lockedUntil" = NULL, "lastLoginAt" = $2
    WHERE id = $1 RETURNING id, email, role, "distributorId"`;
  const [user] = await run<SignedInUser>(db, text, [id, now, password]);
  return user ?? null;
}

/** Whether the token, expired or not, is an outstanding invitation of this user. */
export async function isInvitationOf(db: Db, userId: number, token: string): Promise<boolean> {
  if (linkKind(token) !== 'invitation') return false;
  const text = `SELECT 1 FROM users WHERE id = $1 AND "invitationToken" = $2
    UNION ALL SELECT 1 FROM replaced_links WHERE "userId" = $1 AND "tokenHash" = $2`;
  return (await run(db, text, [userId, hashOfToken(token)])).length > 0;
}

/** In place of the one that was verified; false where that is no longer the account's. */
export async function savePassword(db: Db, id: number, { from, to }: { from: string | null; to: string }): Promise<boolean> {
  const text = `UPDATE users SET password = $3 WHERE id = $1 AND password = $2 AND "disabledAt" IS NULL RETURNING id`;
  if ((await run(db, text, [id, from, to])).length === 0) return false;
  await revokeLinks(db, id);
  return true;
}

/** Mails of a kind to this user since then (reliability R44). The user's row is held, so that two requests are counted one after the other. */
export async function countMails(db: Db, userId: number, { kind, since }: { kind: MailKind; since: Date }): Promise<number> {
  await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const text = `SELECT count(*) AS mails FROM emails WHERE "userId" = $1 AND kind = $2 AND "createdAt" > $3`;
  const [counted] = await run<{ mails: number }>(db, text, [userId, kind, since]);
  return counted?.mails ?? 0;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The most that one address may get, and since when. */
const INVITATION_LIMITS = [
  { per: 'day', most: MOST_INVITATIONS_A_DAY, window: DAY },
  { per: 'hour', most: MOST_LINKS_AN_HOUR, window: HOUR },
] as const;

export interface InvitedOften {
  readonly per: 'hour' | 'day';
  /** Seconds. */
  readonly retryAfter: number;
}

/** Those of the addresses that had all the invitations and join links of the last hour or day, whoever caused them. */
export async function findInvitedOften(db: Db, emails: readonly string[], now: Date): Promise<Map<string, InvitedOften>> {
  const text = `SELECT "to" AS email, array_agg("createdAt" ORDER BY "createdAt" DESC) AS times FROM emails
    WHERE "to" = ANY($1) AND kind IN ('invitation', 'join') AND status <> 'suppressed' AND "createdAt" > $2 GROUP BY "to"`;
  const invited = await run<{ email: string; times: string[] }>(db, text, [emails, new Date(now.getTime() - DAY)]);
  const found = new Map<string, InvitedOften>();
  for (const { email, times } of invited) {
    for (const { per, most, window } of INVITATION_LIMITS) {
      const freeAt = Date.parse(times[most - 1] ?? '') + window;
      if (freeAt > now.getTime() && !found.has(email)) found.set(email, { per, retryAfter: Math.ceil((freeAt - now.getTime()) / 1000) });
    }
  }
  return found;
}

export const isInvitedOften = async (db: Db, email: string, now: Date): Promise<boolean> =>
  (await findInvitedOften(db, [email], now)).size > 0;

/** Mails a link at most three times an hour per account and kind, and a few invitations a day, whoever asks for it (contract §3). */
export async function mailLink(
  db: Db,
  kind: 'invitation' | 'reset' | 'exists',
  { id, email, distributorId }: Pick<Account, 'id' | 'email' | 'distributorId'>,
  now: Date,
): Promise<void> {
  if ((await countMails(db, id, { kind, since: new Date(now.getTime() - HOUR) })) >= MOST_LINKS_AN_HOUR) return;
  if (kind === 'invitation' && (await isInvitedOften(db, email, now))) return;
  await enqueue(db, { kind, userId: id, distributorId, at: now });
}

/** Creates the first admin of ADMIN_EMAIL, or leaves the one who has that address alone; says whether any admin exists then. */
export async function ensureAdmin(db: Db, admin: { email: string; hash: () => Promise<string> } | null): Promise<boolean> {
  if (admin && !(await db.selectFrom('users').select('id').where('email', '=', admin.email).executeTakeFirst())) {
    const user = { email: admin.email, password: await admin.hash(), role: 'admin' as const, distributorId: null };
    await db
      .insertInto('users')
      .values(user)
      .onConflict((conflict) => conflict.column('email').doNothing())
      .execute();
  }
  return (await db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst()) !== undefined;
}
