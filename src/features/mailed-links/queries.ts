// Limits the mails with links that set a password, and queues these mails (contract §3; reliability R44).
import { linkKind } from '../../domain/accounts/account.ts';
import { DAY, HOUR } from '../../domain/durations.ts';
import { run, runSingle, type Db } from '../../server/database/db.ts';
import type { MailKind, Row } from '../../server/database/schema.ts';
import { hashOfToken } from '../../server/auth/token.ts';
import {
  countedMailboxOf,
  exactMailboxOf,
  hasSuffix,
  isLargeProvider,
  mailsToAddresses,
  mailsToMailboxes,
} from '../../server/mail/mailbox.ts';
import { enqueue } from '../../server/mail/outbox.ts';
import {
  MAX_INVITATIONS_OF_ALL_PER_DAY,
  MAX_INVITATIONS_PER_DAY,
  MAX_INVITATIONS_PER_MAILBOX,
  MAX_LINKS_OF_SIMILAR_PER_DAY,
  MAX_LINKS_PER_HOUR,
} from '../auth/contract.ts';

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
  readonly per: 'hour' | 'day' | 'dayOfAll' | 'dayOfMailbox';
  /** The number of seconds until another invitation to this recipient is allowed. */
  readonly retryAfter: number;
}

/** The maximum number of invitations by the staff of all distributors together. */
const LIMITS_OF_ALL = [{ per: 'dayOfAll', most: MAX_INVITATIONS_OF_ALL_PER_DAY, window: DAY }] as const;
/** The maximum number of invitations by the staff of one distributor to all e-mail addresses of one mailbox. */
const LIMITS_OF_MAILBOX = [{ per: 'dayOfMailbox', most: MAX_INVITATIONS_PER_MAILBOX, window: DAY }] as const;

type Limits = readonly { readonly per: InvitedOften['per']; readonly most: number; readonly window: number }[];

/**
 * Returns the limit that earlier invitations to a recipient have reached, or null. `times` are the times of these invitations, the newest
 * first.
 */
function invitedOften(times: readonly Date[], now: Date, limits: Limits = INVITATION_LIMITS): InvitedOften | null {
  for (const { per, most, window } of limits) {
    const sentAt = times[most - 1];
    const freeAt = sentAt ? sentAt.getTime() + window : 0;
    if (freeAt > now.getTime()) return { per, retryAfter: Math.ceil((freeAt - now.getTime()) / 1000) };
  }
  return null;
}

// When staff send an invitation again, it counts again, also if a customer or a stranger requested it.
const invitedSql = (mails: string): string => `SELECT recipient, array_agg(t.sent ORDER BY t.sent DESC) AS times,
    coalesce(array_agg(t.sent ORDER BY t.sent DESC) FILTER (WHERE "distributorId" = $3), '{}') AS own
  FROM ${mails}, LATERAL (VALUES (CASE WHEN "replyTo" IS NOT NULL THEN "createdAt" END), ("resentAt")) t (sent)
  WHERE kind IN ('invitation', 'join') AND status <> 'suppressed' AND t.sent > $2 GROUP BY 1`;
const BY_ADDRESS = invitedSql(mailsToAddresses('$1'));
const BY_MAILBOX = invitedSql(mailsToMailboxes('$1'));
type Invited = { recipient: string; times: Date[]; own: Date[] };

/**
 * Returns those of the given e-mail addresses that have reached a limit of invitations by the staff of this distributor, or would reach it
 * if the addresses before them are invited. The caller must have locked the distributor's row, so that concurrent calls are counted one
 * after the other.
 *
 * Invitations are counted for each distributor, so that one distributor cannot use up the invitations of another; invitations of all
 * distributors together have a higher limit. They are counted by e-mail address, because a distributor knows the people whom it invites, and
 * with a higher limit by mailbox, because a distributor could invent any number of addresses of one mailbox. Mails caused by staff have a
 * reply address. Mails caused by strangers have none, and have separate limits, so that strangers with a join link cannot use up a
 * distributor's invitations.
 */
export async function findInvitedOften(
  db: Db,
  { distributorId, emails, now }: { distributorId: number; emails: readonly string[]; now: Date },
): Promise<Map<string, InvitedOften>> {
  const since = new Date(now.getTime() - DAY);
  const often = new Map<string, InvitedOften>();
  for (const { recipient, times, own } of await run<Invited>(db, BY_ADDRESS, [emails, since, distributorId])) {
    const limit = invitedOften(own, now) ?? invitedOften(times, now, LIMITS_OF_ALL);
    if (limit) often.set(recipient, limit);
  }
  const mailboxes = [...new Set(emails.map(countedMailboxOf))];
  const byMailbox = await run<Invited>(db, BY_MAILBOX, [mailboxes, since, distributorId]);
  const timesOf = new Map(byMailbox.map(({ recipient, own }) => [recipient, own]));
  for (const email of emails.filter((address) => !often.has(address))) {
    const mailbox = countedMailboxOf(email);
    const times = timesOf.get(mailbox) ?? [];
    const limit = invitedOften(times, now, LIMITS_OF_MAILBOX);
    if (limit) often.set(email, limit);
    else timesOf.set(mailbox, [now, ...times]);
  }
  return often;
}

// Links that strangers request are counted by mailbox, because a stranger can invent any number of addresses that differ only in a
// "+suffix". The column "joinDistributorId" distinguishes the mails that somebody with a join link caused from the invitations that
// somebody requested with the token of an earlier one.
// The network is that of the open join request. At most 1,000 mails are read, because strangers can cause thousands of mails to similar
// addresses of a large provider.
const BY_JOIN_LINK = `SELECT address, "createdAt", "joinDistributorId" = $3 AS "isOwn",
    (SELECT r.network FROM join_requests r WHERE r."distributorId" = "joinDistributorId" AND r.email = address) AS network
  FROM ${mailsToMailboxes('$1')} WHERE kind IN ('invitation', 'join') AND status <> 'suppressed' AND "createdAt" > $2 AND "joinDistributorId" IS NOT NULL
  ORDER BY "createdAt" DESC LIMIT 1000`;
const BY_TOKEN = `SELECT coalesce(array_agg("createdAt" ORDER BY "createdAt" DESC), '{}') AS times
  FROM ${mailsToMailboxes('$1')} WHERE kind = 'invitation' AND status <> 'suppressed' AND "createdAt" > $2 AND "replyTo" IS NULL AND "joinDistributorId" IS NULL`;

interface JoinCause {
  readonly distributorId: number;
  /** The network of the join request. Absent for customers whom the distributor has added. */
  readonly network?: string;
  readonly now: Date;
}

/**
 * Whether the mailbox has reached a limit of the links that people with a join link cause. Above the hourly and daily limit, each
 * distributor whose join link has caused no mail to the exact mailbox within the day may still mail one link; mails to addresses with a
 * suffix do not count for the address without one. So neither the join link of another distributor nor requests for similar addresses can
 * keep a person from joining. The total is limited too, because an attacker may have several join links, and similar addresses may belong
 * to one person. At a domain that does not belong to a large provider, a network that has already caused a mail to a similar address
 * therefore causes none.
 */
export async function isJoinLimitReached(db: Db, email: string, { distributorId, network, now }: JoinCause): Promise<boolean> {
  const values = [[countedMailboxOf(email)], new Date(now.getTime() - DAY), distributorId];
  const mails = await run<{ address: string | null; createdAt: string; isOwn: boolean; network: string | null }>(db, BY_JOIN_LINK, values);
  const times = mails.map(({ createdAt }) => new Date(createdAt));
  if (invitedOften(times, now) === null) return false;
  const mailbox = exactMailboxOf(email);
  const isSimilar = ({ address }: (typeof mails)[number]) => address !== null && exactMailboxOf(address) !== mailbox;
  // Not every provider ignores suffixes.
  const isForOther = ({ address }: (typeof mails)[number]) => address !== null && hasSuffix(address) && !hasSuffix(email);
  const toMailbox = mails.filter((mail) => !isSimilar(mail) && !isForOther(mail));
  if (toMailbox.some(({ isOwn }) => isOwn) || toMailbox.length >= MAX_INVITATIONS_OF_ALL_PER_DAY) return true;
  if (isLargeProvider(mailbox.split('@')[1] ?? '')) return false;
  return mails.length >= MAX_LINKS_OF_SIMILAR_PER_DAY || mails.some((mail) => mail.network === network && isSimilar(mail));
}

/**
 * Whether the mailbox has reached the hourly or daily limit of invitations that were requested with the token of an earlier one. Only a
 * person who has read a mail to this mailbox has such a token, so strangers cannot use up this limit.
 */
async function isRenewalLimitReached(db: Db, email: string, now: Date): Promise<boolean> {
  const { times } = await runSingle<{ times: Date[] }>(db, BY_TOKEN, [[countedMailboxOf(email)], new Date(now.getTime() - DAY)]);
  return invitedOften(times, now) !== null;
}

const MAILED_TODAY = `SELECT count(*) AS mails FROM ${mailsToMailboxes('$1')} WHERE kind = $2 AND "createdAt" > $3`;

type LinkMail = 'invitation' | 'reset' | 'exists';
type LinkRecipient = Pick<Row<'users'>, 'id' | 'email' | 'distributorId' | 'password' | 'lastLoginAt'>;

/**
 * Whether nobody has confirmed the e-mail address of the account. The owner of the address may be a stranger whom a distributor has added.
 */
export const isUnconfirmed = ({ password, lastLoginAt }: Pick<LinkRecipient, 'password' | 'lastLoginAt'>): boolean =>
  password === null && lastLoginAt === null;

/**
 * Whether the account's mailbox gets at most MAX_INVITATIONS_PER_DAY mails of this kind in a day. This does not include invitations, which
 * have limits of their own. Reset links to a confirmed account have only the hourly limit.
 */
const isLimitedPerDay = (kind: LinkMail, account: LinkRecipient): boolean =>
  kind === 'exists' || (kind === 'reset' && isUnconfirmed(account));

/** Whether the token belongs to an invitation of this user that was not used, even if the invitation has expired. */
async function isInvitationOf(db: Db, userId: number, token: string): Promise<boolean> {
  if (linkKind(token) !== 'invitation') return false;
  const text = `SELECT 1 FROM users WHERE id = $1 AND "invitationToken" = $2
    UNION ALL SELECT 1 FROM replaced_links WHERE "userId" = $1 AND "tokenHash" = $2`;
  return (await run(db, text, [userId, hashOfToken(token)])).length > 0;
}

/**
 * Returns the kind of the link that is mailed after a request at the sign-in page. A person whose invitation has expired requests a new
 * invitation with the token of the old one. If no token were required, anybody could send invitations.
 */
export const requestedLink = async (db: Db, { id }: Pick<LinkRecipient, 'id'>, invitation: string | undefined): Promise<LinkMail> =>
  invitation !== undefined && (await isInvitationOf(db, id, invitation)) ? 'invitation' : 'reset';

interface LinkCause {
  readonly now: Date;
  /** The distributor whose join link caused the mail. Absent for mails that were requested at the sign-in page. */
  readonly joinDistributorId?: number;
  /** How many links the client's network has requested, including this one. */
  readonly networkRequests?: number;
}

/**
 * Whether a limit forbids a mail with a link to this account (contract §3). The account gets at most three mails of one kind within an
 * hour. Three kinds of mails also have a daily limit for each mailbox: invitations, notices that the account exists, and links to accounts
 * that nobody has confirmed. It does not matter who requests the link.
 */
export async function isLinkLimitReached(db: Db, kind: LinkMail, account: LinkRecipient, cause: LinkCause): Promise<boolean> {
  const { id, email } = account;
  const { now, joinDistributorId: distributorId } = cause;
  if ((await countMails(db, id, { kind, since: new Date(now.getTime() - HOUR) })) >= MAX_LINKS_PER_HOUR) return true;
  if (kind === 'invitation')
    return distributorId === undefined
      ? await isRenewalLimitReached(db, email, now)
      : await isJoinLimitReached(db, email, { distributorId, now });
  if (!isLimitedPerDay(kind, account)) return false;
  const values = [[countedMailboxOf(email)], kind, new Date(now.getTime() - DAY)];
  const { mails } = await runSingle<{ mails: number }>(db, MAILED_TODAY, values);
  return mails >= MAX_INVITATIONS_PER_DAY;
}

/** Mails a link, unless a limit is reached. */
export async function mailLink(db: Db, kind: LinkMail, account: LinkRecipient, cause: LinkCause): Promise<void> {
  const { id, email, distributorId } = account;
  // With this lock, concurrent requests count the account's mails one after the other and cannot exceed a limit.
  await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [id]);
  if (await isLinkLimitReached(db, kind, account, cause)) return;
  // The row of a mail normally gets the e-mail address only when the mail is rendered. Mails that are counted by mailbox need the address
  // earlier.
  const { now: at, ...rest } = cause;
  await enqueue(db, { kind, userId: id, distributorId, ...(isLimitedPerDay(kind, account) && { to: email }), at, ...rest });
}
