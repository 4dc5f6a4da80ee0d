import { afterFailure, isLocked, linkKind, UNLOCKED, type Attempts } from '../../domain/accounts/account.ts';
import { createHash } from 'node:crypto';
import { run, type Db } from '../../server/database/db.ts';
import { hashOfToken } from '../../server/auth/link-token.ts';
import { enqueue } from '../../server/mail/outbox.ts';
import type { MailKind, Row } from '../../server/database/schema.ts';
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

/**
 * Judges an attempt on the row as it is now and keeps the count, so that of guesses made at the same time no more are judged than of
 * guesses one by one (contract §3).
 */
export async function recordAttempt(
  db: Db,
  judged: Account,
  { matches, now }: { matches: boolean; now: Date },
): Promise<'in' | 'out' | 'locked'> {
  const account = await db.selectFrom('users').selectAll().where('id', '=', judged.id).forUpdate().executeTakeFirstOrThrow();
  const before = attemptsOf(account);
  if (isLocked(before.lockedUntil, now)) return 'locked';
  // While the password was verified it may have been changed, or the account disabled.
  const isIn = matches && account.password === judged.password && account.disabledAt === null;
  const set = { ...toKeep(isIn ? UNLOCKED : afterFailure(before, now)), ...(isIn ? { lastLoginAt: now.toISOString() } : {}) };
  await db.updateTable('users').set(set).where('id', '=', account.id).execute();
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

/** How many sign-ins from this address failed in the running quarter of an hour, this one included. */
export async function countFailure(db: Db, address: string, now: Date): Promise<number> {
  const text = `INSERT INTO sign_in_addresses AS a (address, failures, "windowStart") VALUES ($1, 1, $2)
    ON CONFLICT (address) DO UPDATE SET failures = CASE WHEN a."windowStart" > $3 THEN a.failures + 1 ELSE 1 END,
      "windowStart" = CASE WHEN a."windowStart" > $3 THEN a."windowStart" ELSE excluded."windowStart" END
    RETURNING failures`;
  const [counted] = await run<{ failures: number }>(db, text, [address, now, new Date(now.getTime() - QUARTER_HOUR)]);
  return counted?.failures ?? 1;
}

const LIVE_TOKEN = {
  reset: '"resetPasswordToken" = $1 AND "resetPasswordExpires" > $2 AND "disabledAt" IS NULL',
  invitation: '"invitationToken" = $1 AND "invitationExpires" > $2 AND "disabledAt" IS NULL',
};
/** Of both kinds: links mailed before the password was set open nothing any more. */
export const NO_TOKENS = '"resetPasswordToken" = NULL, "resetPasswordExpires" = NULL, "invitationToken" = NULL, "invitationExpires" = NULL';

export async function isLiveToken(db: Db, token: string, now: Date): Promise<boolean> {
  return (await run(db, `SELECT 1 FROM users WHERE ${LIVE_TOKEN[linkKind(token)]}`, [hashOfToken(token), now])).length > 0;
}

type SignedInUser = Pick<Account, 'id' | 'email' | 'role' | 'distributorId'>;

/** Uses the token up, sets the password and clears the lock; null where the token is no longer good. An invitation also signs in. */
export async function useToken(db: Db, token: string, { password, now }: { password: string; now: Date }): Promise<SignedInUser | null> {
  const kind = linkKind(token);
  const text = `UPDATE users SET password = $3, ${NO_TOKENS}, "loginAttempts" = 0, "lockedUntil" = NULL
      ${kind === 'invitation' ? ', "lastLoginAt" = $2' : ''}
    WHERE ${LIVE_TOKEN[kind]} RETURNING id, email, role, "distributorId"`;
  const [user] = await run<SignedInUser>(db, text, [hashOfToken(token), now, password]);
  return user ?? null;
}

/** Whether the token, expired or not, is this user's outstanding invitation. */
export async function isInvitationOf(db: Db, userId: number, token: string): Promise<boolean> {
  return (await run(db, 'SELECT 1 FROM users WHERE id = $1 AND "invitationToken" = $2', [userId, hashOfToken(token)])).length > 0;
}

/** In place of the one that was verified; false where that is no longer the account's. */
export async function savePassword(db: Db, id: number, { from, to }: { from: string | null; to: string }): Promise<boolean> {
  const text = `UPDATE users SET password = $3, ${NO_TOKENS}
    WHERE id = $1 AND password = $2 AND "disabledAt" IS NULL RETURNING id`;
  return (await run(db, text, [id, from, to])).length > 0;
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

/** Whether this e-mail address had all the invitations and join links of the last hour or day, whoever caused them. */
export async function isInvitedOften(db: Db, email: string, now: Date): Promise<boolean> {
  const text = `SELECT count(*) FILTER (WHERE "createdAt" > $2) AS "anHour", count(*) AS "aDay" FROM emails
    WHERE "to" = $1 AND kind IN ('invitation', 'join') AND status <> 'suppressed' AND "createdAt" > $3`;
  const [counted] = await run<{ anHour: number; aDay: number }>(db, text, [
    email,
    new Date(now.getTime() - HOUR),
    new Date(now.getTime() - DAY),
  ]);
  return counted !== undefined && (counted.anHour >= MOST_LINKS_AN_HOUR || counted.aDay >= MOST_INVITATIONS_A_DAY);
}

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
