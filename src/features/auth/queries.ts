import { linkKind } from '../../domain/accounts/account.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { passwordMatches } from '../../server/auth/password.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { clearAttempts } from '../../server/auth/account-lock.ts';
import { judgeSignIn, recordAttempt } from '../../server/auth/sign-in-attempts.ts';
import { HttpError, invalid, unauthenticated } from '../../server/http/errors.ts';
import { hashOfToken } from '../../server/auth/token.ts';
import { mailboxOf, mailsToAddresses, mailsToMailboxes } from '../../server/mail/mailbox.ts';
import { enqueue } from '../../server/mail/outbox.ts';
import type { MailKind, Row } from '../../server/database/schema.ts';
import { MAX_INVITATIONS_PER_DAY, MAX_LINKS_PER_HOUR, type CurrentUser } from './contract.ts';
import { LOCKED, NOT_YOUR_PASSWORD } from './texts.ts';
import { DAY, HOUR } from '../../domain/durations.ts';

type Account = Pick<
  Row<'users'>,
  'id' | 'email' | 'role' | 'distributorId' | 'password' | 'disabledAt' | 'lastLoginAt' | 'mayTakePayments' | 'requireSecondFactor'
>;

export async function findAccount(db: Db, email: string): Promise<Account | null> {
  const text = `SELECT id, email, role, "distributorId", password, "disabledAt", "lastLoginAt", "mayTakePayments", "requireSecondFactor"
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
 * account. Returns the ids of the distributors of these requests. Locks the rows in the order of their ids, so that concurrent calls do not
 * deadlock.
 */
export async function deleteJoinRequestsOf(db: Db, email: string): Promise<number[]> {
  const text = `WITH found AS MATERIALIZED (SELECT id FROM join_requests WHERE email = $1 ORDER BY id FOR UPDATE)
    DELETE FROM join_requests r USING found WHERE r.id = found.id RETURNING r."distributorId"`;
  return (await run<{ distributorId: number }>(db, text, [email])).map(({ distributorId }) => distributorId);
}

type SignedInUser = Pick<Account, 'id' | 'email' | 'role' | 'distributorId' | 'mayTakePayments' | 'requireSecondFactor'>;

/**
 * Sets the password with the token of a mailed link. Invalidates all links of the user, and all join links for the user's e-mail address.
 * Also ends a lock of the account, because the caller then signs the user in. Returns null if the link is invalid.
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
async function isInvitationOf(db: Db, userId: number, token: string): Promise<boolean> {
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

/** Counts the mails of a kind to this user since the given time (reliability R44). */
async function countMails(db: Db, userId: number, { kind, since }: { kind: MailKind; since: Date }): Promise<number> {
  const text = `SELECT count(*) AS mails FROM emails WHERE "userId" = $1 AND kind = $2 AND "createdAt" > $3`;
  return (await runSingle<{ mails: number }>(db, text, [userId, kind, since])).mails;
}

/** The maximum number of invitations to one recipient in each period. The periods are in milliseconds. */
const INVITATION_LIMITS = [
  { per: 'day', most: MAX_INVITATIONS_PER_DAY, window: DAY },
  { per: 'hour', most: MAX_LINKS_PER_HOUR, window: HOUR },
] as const;

export interface InvitedOften {
  readonly per: 'hour' | 'day';
  /** The number of seconds until another invitation to this recipient is allowed. */
  readonly retryAfter: number;
}

/**
 * Returns the limit that earlier invitations to a recipient have reached, or null. `times` are the times of these invitations, the newest
 * first.
 */
function invitedOften(times: readonly Date[], now: Date): InvitedOften | null {
  for (const { per, most, window } of INVITATION_LIMITS) {
    const sentAt = times[most - 1];
    const freeAt = sentAt ? sentAt.getTime() + window : 0;
    if (freeAt > now.getTime()) return { per, retryAfter: Math.ceil((freeAt - now.getTime()) / 1000) };
  }
  return null;
}

// Invitations by staff are counted by e-mail address, because a distributor knows the people whom it invites. Requests by strangers are
// counted by mailbox, because a stranger can invent any number of addresses that differ only in a "+suffix".
// An invitation that staff send again counts again, whoever caused it.
const INVITED = `kind IN ('invitation', 'join') AND status <> 'suppressed'`;
const BY_ADDRESS = `SELECT recipient, array_agg(t.sent ORDER BY t.sent DESC) AS times FROM ${mailsToAddresses('$1')},
    LATERAL (VALUES (CASE WHEN "replyTo" IS NOT NULL THEN "createdAt" END), ("resentAt")) t (sent)
  WHERE ${INVITED} AND t.sent > $2 GROUP BY 1`;
const BY_MAILBOX = `SELECT recipient, array_agg("createdAt" ORDER BY "createdAt" DESC) AS times FROM ${mailsToMailboxes('$1')}
  WHERE ${INVITED} AND "createdAt" > $2 AND "replyTo" IS NULL GROUP BY 1`;

/**
 * Returns those of the given e-mail addresses that have reached the hourly or daily limit of invitations and join links. Mails caused by
 * staff have a reply address. Mails caused by strangers have none, and have a separate limit, so that strangers with a join link cannot use
 * up a distributor's invitations. The caller invites all given addresses that are not returned, so each of them is counted before the next
 * address is checked.
 */
export async function findInvitedOften(
  db: Db,
  { by, emails, now }: { by: 'staff' | 'strangers'; emails: readonly string[]; now: Date },
): Promise<Map<string, InvitedOften>> {
  const recipientOf = by === 'staff' ? (email: string) => email : mailboxOf;
  const values = [[...new Set(emails.map(recipientOf))], new Date(now.getTime() - DAY)];
  const invited =
    by === 'staff'
      ? await run<{ recipient: string; times: Date[] }>(db, BY_ADDRESS, values)
      : await run<{ recipient: string; times: Date[] }>(db, BY_MAILBOX, values);
  const timesOf = new Map(invited.map(({ recipient, times }) => [recipient, times]));
  const found = new Map<string, InvitedOften>();
  for (const email of emails) {
    const times = timesOf.get(recipientOf(email)) ?? [];
    const often = invitedOften(times, now);
    if (often) found.set(email, often);
    else timesOf.set(recipientOf(email), [now, ...times]);
  }
  return found;
}

export const isInvitedOften = async (db: Db, email: string, now: Date): Promise<boolean> =>
  (await findInvitedOften(db, { by: 'strangers', emails: [email], now })).size > 0;

const MAILED_TODAY = `SELECT count(*) AS mails FROM ${mailsToMailboxes('$1')} WHERE kind = $2 AND "createdAt" > $3`;

type LinkMail = 'invitation' | 'reset' | 'exists';
type LinkRecipient = Pick<Account, 'id' | 'email' | 'distributorId' | 'password' | 'lastLoginAt'>;

/**
 * Whether nobody has confirmed the e-mail address of the account. The owner of the address may be a stranger whom a distributor has added.
 */
export const isUnconfirmed = ({ password, lastLoginAt }: Pick<Account, 'password' | 'lastLoginAt'>): boolean =>
  password === null && lastLoginAt === null;

/**
 * Whether the account's mailbox gets at most MAX_INVITATIONS_PER_DAY mails of this kind in a day. This does not include invitations, which
 * `isInvitedOften` limits. Reset links to a confirmed account have only the hourly limit.
 */
const isLimitedPerDay = (kind: LinkMail, account: LinkRecipient): boolean =>
  kind === 'exists' || (kind === 'reset' && isUnconfirmed(account));

/**
 * Returns the kind of the link that is mailed after a request at the sign-in page. A person whose invitation has expired requests a new
 * invitation with the token of the old one. If no token were required, anybody could send invitations.
 */
export const requestedLink = async (db: Db, { id }: Account, invitation: string | undefined): Promise<LinkMail> =>
  invitation !== undefined && (await isInvitationOf(db, id, invitation)) ? 'invitation' : 'reset';

/**
 * Whether a limit forbids a mail with a link to this account (contract §3). The account gets at most three mails of one kind within an
 * hour. Three kinds of mails also have a daily limit for each mailbox: invitations, notices that the account exists, and links to accounts
 * that nobody has confirmed. It does not matter who requests the link.
 */
export async function isLinkLimitReached(db: Db, kind: LinkMail, account: LinkRecipient, now: Date): Promise<boolean> {
  const { id, email } = account;
  if ((await countMails(db, id, { kind, since: new Date(now.getTime() - HOUR) })) >= MAX_LINKS_PER_HOUR) return true;
  if (kind === 'invitation') return await isInvitedOften(db, email, now);
  if (!isLimitedPerDay(kind, account)) return false;
  const values = [[mailboxOf(email)], kind, new Date(now.getTime() - DAY)];
  const { mails } = await runSingle<{ mails: number }>(db, MAILED_TODAY, values);
  return mails >= MAX_INVITATIONS_PER_DAY;
}

/** Mails a link, unless a limit is reached. */
export async function mailLink(db: Db, kind: LinkMail, account: LinkRecipient, now: Date): Promise<void> {
  const { id, email, distributorId } = account;
  // With this lock, concurrent requests count the account's mails one after the other and cannot exceed a limit.
  await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [id]);
  if (await isLinkLimitReached(db, kind, account, now)) return;
  // The row of a mail normally gets the e-mail address only when the mail is rendered. Mails that are counted by mailbox need the address
  // earlier.
  await enqueue(db, { kind, userId: id, distributorId, ...(isLimitedPerDay(kind, account) && { to: email }), at: now });
}

/** Creates an admin with the e-mail address ADMIN_EMAIL, unless the address is already in use. Returns whether an admin exists. */
export async function ensureAdmin(db: Db, admin: { email: string; hash: () => Promise<string> } | null): Promise<boolean> {
  if (admin && !(await findAccount(db, admin.email))) {
    const text = `INSERT INTO users (email, password, role) VALUES ($1, $2, 'admin') ON CONFLICT (email) DO NOTHING`;
    await run(db, text, [admin.email, await admin.hash()]);
  }
  return (await run(db, `SELECT FROM users WHERE role = 'admin' LIMIT 1`, [])).length > 0;
}
