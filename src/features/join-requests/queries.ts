import { joinLinkExpiry } from '../../domain/accounts/account.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { clearAttempts } from '../../server/auth/account-lock.ts';
import { hashOfToken } from '../../server/auth/token.ts';
import type { Row } from '../../server/database/schema.ts';
import { deleteJoinRequestsOf, revokeLinks } from '../auth/queries.ts';
import { IS_UNCONFIRMED, removeUnconfirmedElsewhere } from '../unused-customers/queries.ts';
import { lockDistributor } from '../distributors/queries.ts';
import { throwIfRefused, tooMany } from '../../server/errors.ts';
import { siteOrAddressOf } from '../../server/auth/network.ts';
import { MAX_JOINED, MAX_JOINED_PER_DAY, MAX_JOINED_PER_NETWORK, MAX_LISTED, type JoinRequests } from './contract.ts';
import { JOINED_IN_ALL, JOINED_OFTEN, JOINED_TODAY } from './texts.ts';
import { DAY, HOUR, MINUTE } from '../../domain/durations.ts';

export const QUARTER_HOUR = 15 * MINUTE;
const hourBefore = (now: Date): Date => new Date(now.getTime() - HOUR);

/**
 * Counts a use of this distributor's join link under a name, such as a network or site. Returns the number of uses within the current
 * period, including this one.
 */
export async function countOfNetwork(
  db: Db,
  { distributorId, network, now, period }: { distributorId: number; network: string; now: Date; period: number },
): Promise<number> {
  const text = `INSERT INTO join_networks AS n ("distributorId", network, requests, "windowStart") VALUES ($1, $2, 1, $3)
    ON CONFLICT ("distributorId", network) DO UPDATE SET requests = CASE WHEN n."windowStart" > $4 THEN n.requests + 1 ELSE 1 END,
      "windowStart" = CASE WHEN n."windowStart" > $4 THEN n."windowStart" ELSE excluded."windowStart" END
    RETURNING requests`;
  const values = [distributorId, network, now, new Date(now.getTime() - period)];
  return (await runSingle<{ requests: number }>(db, text, values)).requests;
}

interface OpenRequests {
  /** Whether this person has an open request. Another request of this person adds none. */
  readonly isOpen: boolean;
  readonly total: number;
  readonly ofNetwork: number;
  /** The open requests with e-mail addresses of the same domain. */
  readonly ofDomain: number;
  readonly ofDomainAndNetwork: number;
}

const OF_DOMAIN = `split_part(email, '@', 2) = split_part($3, '@', 2)`;
const OPEN_REQUESTS = `SELECT coalesce(bool_or(email = $3), false) AS "isOpen", count(*) AS total, count(*) FILTER (WHERE network = $4) AS "ofNetwork",
    count(*) FILTER (WHERE ${OF_DOMAIN}) AS "ofDomain", count(*) FILTER (WHERE network = $4 AND ${OF_DOMAIN}) AS "ofDomainAndNetwork"
  FROM join_requests WHERE "distributorId" = $1 AND "requestedAt" > $2`;

/**
 * Counts the requests since the given time that are not confirmed yet, also those that the distributor has removed. Otherwise a distributor
 * could mail any number of strangers by removing their requests again and again.
 */
export const countOpenRequests = (
  db: Db,
  { distributorId, email, network, since }: { distributorId: number; email: string; network: string; since: Date },
): Promise<OpenRequests> => runSingle<OpenRequests>(db, OPEN_REQUESTS, [distributorId, since, email, network]);

/** Counts the join mails of the last day that the distributor's join link caused. */
export async function countJoinMails(db: Db, distributorId: number, now: Date): Promise<number> {
  const text = `SELECT count(*) AS mails FROM emails WHERE "joinDistributorId" = $1 AND kind = 'join' AND "createdAt" > $2`;
  return (await runSingle<{ mails: number }>(db, text, [distributorId, new Date(now.getTime() - DAY)])).mails;
}

/**
 * Stores the request or renews it. Its row stays locked until the transaction ends. Concurrent requests for one e-mail address are
 * therefore handled one after the other, so that their mails are counted correctly. A renewal within an hour keeps the time and the network
 * of the request. Otherwise a network could get around its limit of open requests by letting another network renew them.
 */
export async function saveJoinRequest(
  db: Db,
  { distributorId, email, network, now }: { distributorId: number; email: string; network: string; now: Date },
): Promise<void> {
  const text = `INSERT INTO join_requests AS r ("distributorId", email, "requestedAt", "expiresAt", network) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT ("distributorId", email) DO UPDATE SET "expiresAt" = excluded."expiresAt",
      tokens = CASE WHEN r."expiresAt" > excluded."requestedAt" THEN r.tokens ELSE '{}' END,
      "requestedAt" = CASE WHEN r."requestedAt" > $6 THEN r."requestedAt" ELSE excluded."requestedAt" END,
      network = CASE WHEN r."requestedAt" > $6 THEN r.network ELSE excluded.network END`;
  await run(db, text, [distributorId, email, now, joinLinkExpiry(now), network, hourBefore(now)]);
}

interface MailedRequest {
  readonly distributorId: number;
  readonly email: string;
  readonly now: Date;
}

/** Returns whether the request was neither removed nor has expired, so that its mail may be sent. */
export async function isJoinRequested(db: Db, { distributorId, email, now }: MailedRequest): Promise<boolean> {
  const text = 'SELECT 1 FROM join_requests WHERE "distributorId" = $1 AND email = $2 AND "expiresAt" > $3';
  return (await run(db, text, [distributorId, email, now])).length > 0;
}

/**
 * Adds a token to the request; the links mailed earlier stay valid. Throws when the request no longer exists, so that the mail with this
 * token is not sent.
 */
export async function keepJoinToken(db: Db, token: string, { distributorId, email, now }: MailedRequest): Promise<void> {
  const text = `UPDATE join_requests SET tokens = tokens || $4 WHERE "distributorId" = $1 AND email = $2 AND "expiresAt" > $3 RETURNING id`;
  const kept = await run(db, text, [distributorId, email, now, [hashOfToken(token)]]);
  if (kept.length === 0) throw new Error('the join request was removed while its mail was written');
}

// Selects the join request of a token if its link can still create an account. It cannot if the e-mail address belongs by now to an account
// that the link may not replace. The server checks this before it hashes the new password, so that nobody can cause expensive hashes with
// such a link.
const LIVE = `FROM join_requests r WHERE r.tokens @> ARRAY[$1] AND r."expiresAt" > $2
  AND EXISTS (SELECT FROM users d WHERE d.id = r."distributorId" AND d."disabledAt" IS NULL)
  AND NOT EXISTS (SELECT FROM users u WHERE u.email = r.email
    AND NOT (u."distributorId" = r."distributorId" AND u.role = 'customer' AND u.password IS NULL AND u."disabledAt" IS NULL)
    AND NOT (u."distributorId" <> r."distributorId" AND ${IS_UNCONFIRMED}))`;

export async function isLiveJoinToken(db: Db, token: string, now: Date): Promise<boolean> {
  return (await run(db, `SELECT 1 ${LIVE}`, [hashOfToken(token), now])).length > 0;
}

type Joined = Pick<Row<'users'>, 'id' | 'email' | 'role' | 'distributorId' | 'requireSecondFactor'>;

// Creates the account. If the distributor has created an account for this person since the join request, this statement sets the password
// of that account instead.
const MAKE_ACCOUNT = `INSERT INTO users (email, role, "distributorId", password, "lastLoginAt", "joinedAt") VALUES ($1, 'customer', $2, $3, $4, $4)
  ON CONFLICT (email) DO UPDATE SET password = excluded.password, "lastLoginAt" = excluded."lastLoginAt"
    WHERE users."distributorId" = $2 AND users.role = 'customer' AND users.password IS NULL AND users."disabledAt" IS NULL
  RETURNING id, email, role, "distributorId", "requireSecondFactor", "joinedAt" IS NOT NULL AS "hasJoined"`;

// Removed customers are disabled, too.
const JOINED = `SELECT count(*) FILTER (WHERE "joinedAt" > $2) AS today, count(*) FILTER (WHERE "disabledAt" IS NULL) AS "inAll"
  FROM users WHERE "distributorId" = $1 AND "joinedAt" IS NOT NULL`;

/**
 * Throws if this customer, who has just joined, exceeds a limit of customers who join the distributor. The transaction is then rolled back,
 * so the customer's link still works. The caller must have locked the distributor's row.
 */
async function refuseManyJoined(db: Db, { distributorId, address, now }: { distributorId: number; address: string; now: Date }) {
  const joined = await runSingle<{ today: number; inAll: number }>(db, JOINED, [distributorId, new Date(now.getTime() - DAY)]);
  throwIfRefused(joined.inAll > MAX_JOINED ? JOINED_IN_ALL : null, 409);
  if (joined.today > MAX_JOINED_PER_DAY) throw tooMany(JOINED_TODAY, HOUR / 1000);
  const network = `joined ${siteOrAddressOf(address)}`;
  const ofNetwork = await countOfNetwork(db, { distributorId, network, now, period: HOUR });
  if (ofNetwork > MAX_JOINED_PER_NETWORK) throw tooMany(JOINED_OFTEN, HOUR / 1000);
}

/**
 * Creates the customer's account, and invalidates all join links of the e-mail address. Returns null when the link is invalid, or when the
 * e-mail address belongs to another account by now.
 */
export async function acceptJoinRequest(
  db: Db,
  token: string,
  { password, address, now }: { password: string; address: string; now: Date },
): Promise<Joined | null> {
  const text = `SELECT r."distributorId", r.email ${LIVE}`;
  const request = await runOne<{ distributorId: number; email: string }>(db, text, [hashOfToken(token), now]);
  // If several requests use the same link at the same time, only the first one finds the row to delete.
  if (!request || !(await deleteJoinRequestsOf(db, request.email)).includes(request.distributorId)) return null;
  if (!(await lockDistributor(db, request.distributorId))) return null;
  await removeUnconfirmedElsewhere(db, { ...request, now });
  const made = await runOne<Joined & { hasJoined: boolean }>(db, MAKE_ACCOUNT, [request.email, request.distributorId, password, now]);
  if (!made) return null;
  const { hasJoined, ...user } = made;
  if (hasJoined) await refuseManyJoined(db, { ...request, address, now });
  await revokeLinks(db, user.id);
  await clearAttempts(db, user);
  return user;
}

// A request without tokens, whose mail is not queued either, has reached a limit of its e-mail address.
const QUEUED_MAIL = `SELECT FROM emails e WHERE e.kind = 'join' AND e."to" = r.email AND e."joinDistributorId" = r."distributorId"
  AND e.status IN ('queued', 'sending')`;

export async function findJoinRequests(db: Db, distributorId: number, now: Date): Promise<JoinRequests> {
  const open = `FROM join_requests r WHERE "distributorId" = $1 AND "expiresAt" > $2`;
  const { count } = await runSingle<{ count: number }>(db, `SELECT count(*) AS count ${open}`, [distributorId, now]);
  const newest = await run<JoinRequests['newest'][number]>(
    db,
    `SELECT id, email, "requestedAt", tokens <> '{}' OR EXISTS (${QUEUED_MAIL}) AS "isMailed" ${open} ORDER BY "requestedAt" DESC, id DESC LIMIT ${MAX_LISTED}`,
    [distributorId, now],
  );
  return { count, newest };
}

/**
 * Ends all open requests and their links. Their rows stay for a day, because they count toward the limits. They end at the time of the
 * request, so that a mail that is just being written is not sent.
 */
export const endJoinRequests = (db: Db, distributorId: number, now: Date): Promise<unknown> =>
  run(db, `UPDATE join_requests SET "expiresAt" = "requestedAt", tokens = '{}' WHERE "distributorId" = $1 AND "expiresAt" > $2`, [
    distributorId,
    now,
  ]);
