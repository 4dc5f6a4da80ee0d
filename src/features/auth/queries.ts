import { linkKind } from '../../domain/accounts/account.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { passwordMatches } from '../../server/auth/password.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { clearAttempts } from '../../server/auth/account-lock.ts';
import { judgeSignIn, recordAttempt } from '../../server/auth/sign-in-attempts.ts';
import { HttpError, invalid, unauthenticated } from '../../server/http/errors.ts';
import { hashOfToken } from '../../server/auth/token.ts';
import { enqueue } from '../../server/mail/outbox.ts';
import type { MailKind, Row } from '../../server/database/schema.ts';
import { MAX_INVITATIONS_PER_DAY, MAX_LINKS_PER_HOUR, type CurrentUser } from './contract.ts';
import { LOCKED, NOT_YOUR_PASSWORD } from './texts.ts';
import { DAY, HOUR } from '../../domain/durations.ts';

type Account = Pick<
  Row<'users'>,
  'id' | 'email' | 'role' | 'distributorId' | 'password' | 'disabledAt' | 'mayTakePayments' | 'requireSecondFactor'
>;

export async function findAccount(db: Db, email: string): Promise<Account | null> {
  const text = `SELECT id, email, role, "distributorId", password, "disabledAt", "mayTakePayments", "requireSecondFactor"
    FROM users WHERE email = $1`;
  return await runOne<Account>(db, text, [email]);
}

interface OneSelf extends Pick<CurrentUser, 'id' | 'email' | 'role' | 'distributorId'> {
  readonly mayTakePayments?: boolean;
  readonly mustAddSecondFactor?: boolean;
}

/**
 * Returns the fields of the signed-in user for a response. The fields that are not in contract §3 are present only for agents to whom they
 * apply.
 */
export const currentUser = ({ mayTakePayments, mustAddSecondFactor, role, ...user }: OneSelf): CurrentUser => ({
  ...user,
  role,
  ...(role === 'agent' && mayTakePayments && { mayTakePayments }),
  ...(role === 'agent' && mustAddSecondFactor && { mustAddSecondFactor }),
});

interface Confirmation {
  readonly now: Date;
  readonly address: string;
  readonly device: string | null;
  readonly signal: AbortSignal;
}

/**
 * Returns the viewer's account after checking the password that the viewer typed again; a wrong password counts toward the lock (contract
 * §3).
 */
export async function confirmPassword(
  db: Db,
  viewer: Viewer,
  password: string,
  { now, address, device, signal }: Confirmation,
): Promise<Account> {
  const account = await findAccount(db, viewer.email);
  if (!account) throw unauthenticated();
  const matches = await passwordMatches(password, account.password, { address, signal });
  const verdict = await judgeSignIn(db, account.email, (db) => recordAttempt(db, account, { matches, now, address, device }));
  if (verdict === 'locked') throw new HttpError(429, LOCKED);
  if (verdict === 'out') throw invalid(NOT_YOUR_PASSWORD);
  return account;
}

const NEWEST_LINK = {
  reset: '"resetPasswordToken" = $1 AND "resetPasswordExpires" > $2',
  invitation: '"invitationToken" = $1 AND "invitationExpires" > $2',
};

/** Returns the id of the user to whom the link with this token was mailed, or null if the link is invalid. */
export async function findLinkOwner(db: Db, token: string, now: Date): Promise<number | null> {
  const text = `SELECT id FROM users WHERE ${NEWEST_LINK[linkKind(token)]} AND "disabledAt" IS NULL
    UNION ALL SELECT u.id FROM replaced_links l JOIN users u ON u.id = l."userId"
    WHERE l."tokenHash" = $1 AND l.expires > $2 AND u."disabledAt" IS NULL`;
  return (await runOne<{ id: number }>(db, text, [hashOfToken(token), now]))?.id ?? null;
}

export async function revokeLinks(db: Db, userId: number): Promise<void> {
  await run(db, 'DELETE FROM replaced_links WHERE "userId" = $1', [userId]);
  const text = `UPDATE users SET "resetPasswordToken" = NULL, "resetPasswordExpires" = NULL, "invitationToken" = NULL, "invitationExpires" = NULL
    WHERE id = $1`;
  await run(db, text, [userId]);
}

/**
 * Deletes the join requests for this e-mail address at all distributors. They are useless as soon as the owner of the address has an
 * account. Returns the ids of these distributors. The rows are locked in the order of their ids, so that concurrent calls do not deadlock.
 */
export async function deleteJoinRequestsOf(db: Db, email: string): Promise<number[]> {
  const text = `WITH found AS MATERIALIZED (SELECT id FROM join_requests WHERE email = $1 ORDER BY id FOR UPDATE)
    DELETE FROM join_requests r USING found WHERE r.id = found.id RETURNING r."distributorId"`;
  return (await run<{ distributorId: number }>(db, text, [email])).map(({ distributorId }) => distributorId);
}

type SignedInUser = Pick<Account, 'id' | 'email' | 'role' | 'distributorId' | 'mayTakePayments' | 'requireSecondFactor'>;

/**
 * Sets the password with a mailed link, and invalidates all links of the user and of join requests with the user's address. Also ends a lock of the account, because the caller signs
 * the user in next. Returns null if the link is invalid.
 */
export async function useLink(db: Db, token: string, { password, now }: { password: string; now: Date }): Promise<SignedInUser | null> {
  const id = await findLinkOwner(db, token, now);
  // The join requests are locked before the user, as in acceptJoinRequest, so that the two do not deadlock.
  const owner = await runOne<{ email: string }>(db, 'SELECT email FROM users WHERE id = $1', [id]);
  if (owner) await deleteJoinRequestsOf(db, owner.email);
  await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [id]);
  // Checks the link again. If several requests use the same link at the same time, the first one invalidates it. The others wait for the
  // lock, and then find the link invalid.
  if (id === null || (await findLinkOwner(db, token, now)) !== id) return null;
  await revokeLinks(db, id);
  const text =
    'UPDATE users SET password = $3, "lastLoginAt" = $2 WHERE id = $1 RETURNING id, email, role, "distributorId", "mayTakePayments", "requireSecondFactor"';
  const user = await runOne<SignedInUser>(db, text, [id, now, password]);
  if (!user) return null;
  await clearAttempts(db, user);
  return user;
}

/** Whether the token belongs to an invitation of this user that was not used, even if the invitation has expired. */
export async function isInvitationOf(db: Db, userId: number, token: string): Promise<boolean> {
  if (linkKind(token) !== 'invitation') return false;
  const text = `SELECT 1 FROM users WHERE id = $1 AND "invitationToken" = $2
    UNION ALL SELECT 1 FROM replaced_links WHERE "userId" = $1 AND "tokenHash" = $2`;
  return (await run(db, text, [userId, hashOfToken(token)])).length > 0;
}

/** Replaces the password hash `from` by `to`. Returns false if the password has changed since `from` was verified. */
export async function savePassword(db: Db, id: number, { from, to }: { from: string | null; to: string }): Promise<boolean> {
  const text = `UPDATE users SET password = $3 WHERE id = $1 AND password = $2 AND "disabledAt" IS NULL RETURNING id`;
  if ((await run(db, text, [id, from, to])).length === 0) return false;
  await revokeLinks(db, id);
  return true;
}

/**
 * Counts the mails of a kind to this user since the given time (reliability R44). Locks the user's row, so that concurrent requests count
 * one after the other and cannot exceed a limit.
 */
async function countMails(db: Db, userId: number, { kind, since }: { kind: MailKind; since: Date }): Promise<number> {
  await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const text = `SELECT count(*) AS mails FROM emails WHERE "userId" = $1 AND kind = $2 AND "createdAt" > $3`;
  return (await runSingle<{ mails: number }>(db, text, [userId, kind, since])).mails;
}

/** The maximum number of invitations to one e-mail address in each period. The periods are in milliseconds. */
const INVITATION_LIMITS = [
  { per: 'day', most: MAX_INVITATIONS_PER_DAY, window: DAY },
  { per: 'hour', most: MAX_LINKS_PER_HOUR, window: HOUR },
] as const;

export interface InvitedOften {
  readonly per: 'hour' | 'day';
  /** The number of seconds until another mail to this e-mail address is allowed. */
  readonly retryAfter: number;
}

// The SQL conditions for mails that staff caused, which have a reply address, and for mails that strangers caused. The two kinds are
// counted separately, so that strangers with a join link cannot use up a distributor's invitations.
const CAUSED_BY = { staff: '"replyTo" IS NOT NULL', strangers: '"replyTo" IS NULL' };

/**
 * Returns the e-mail addresses that have reached the hourly or daily limit of invitations and join links. Mails caused by staff and by
 * strangers have separate limits.
 */
export async function findInvitedOften(
  db: Db,
  { by, emails, now }: { by: keyof typeof CAUSED_BY; emails: readonly string[]; now: Date },
): Promise<Map<string, InvitedOften>> {
  const text = `SELECT "to" AS email, array_agg("createdAt" ORDER BY "createdAt" DESC) AS times FROM emails
    WHERE "to" = ANY($1) AND kind IN ('invitation', 'join') AND ${CAUSED_BY[by]} AND status <> 'suppressed' AND "createdAt" > $2 GROUP BY "to"`;
  const invited = await run<{ email: string; times: Date[] }>(db, text, [emails, new Date(now.getTime() - DAY)]);
  const found = new Map<string, InvitedOften>();
  for (const { email, times } of invited) {
    for (const { per, most, window } of INVITATION_LIMITS) {
      const sentAt = times[most - 1];
      const freeAt = sentAt ? sentAt.getTime() + window : 0;
      if (freeAt > now.getTime() && !found.has(email)) found.set(email, { per, retryAfter: Math.ceil((freeAt - now.getTime()) / 1000) });
    }
  }
  return found;
}

export const isInvitedOften = async (db: Db, email: string, now: Date): Promise<boolean> =>
  (await findInvitedOften(db, { by: 'strangers', emails: [email], now })).size > 0;

/**
 * Mails a link, unless a limit is reached (contract §3). The account gets at most three mails of one kind within an hour. Invitations, and
 * notices that the account exists, have a daily limit, too. The limits do not depend on who requests the link.
 */
export async function mailLink(
  db: Db,
  kind: 'invitation' | 'reset' | 'exists',
  { id, email, distributorId }: Pick<Account, 'id' | 'email' | 'distributorId'>,
  now: Date,
): Promise<void> {
  if ((await countMails(db, id, { kind, since: new Date(now.getTime() - HOUR) })) >= MAX_LINKS_PER_HOUR) return;
  if (kind === 'exists' && (await countMails(db, id, { kind, since: new Date(now.getTime() - DAY) })) >= MAX_INVITATIONS_PER_DAY) return;
  if (kind === 'invitation' && (await isInvitedOften(db, email, now))) return;
  await enqueue(db, { kind, userId: id, distributorId, at: now });
}

/** Creates an admin with the e-mail address ADMIN_EMAIL, unless the address is already in use. Returns whether an admin exists. */
export async function ensureAdmin(db: Db, admin: { email: string; hash: () => Promise<string> } | null): Promise<boolean> {
  if (admin && !(await findAccount(db, admin.email))) {
    const text = `INSERT INTO users (email, password, role) VALUES ($1, $2, 'admin') ON CONFLICT (email) DO NOTHING`;
    await run(db, text, [admin.email, await admin.hash()]);
  }
  return (await run(db, `SELECT FROM users WHERE role = 'admin' LIMIT 1`, [])).length > 0;
}
