// Limits the links that people request at the sign-in page, by network and by distributor. Otherwise one client could make the server mail
// a link to each of the thousands of people of a distributor (contract §3; reliability R44).
import {
  BLOCK_REQUESTS_PER_TURN,
  MANY_RESETS_PER_DISTRIBUTOR,
  MAX_RESETS_PER_BLOCK,
  MAX_RESETS_PER_BLOCK_WHEN_MANY,
  MAX_RESETS_PER_DISTRIBUTOR,
  MAX_RESETS_PER_NETWORK,
  MAX_RESETS_PER_NETWORK_WHEN_MANY,
  MAX_RESETS_PER_SITE,
} from '../../domain/accounts/account.ts';
import { HOUR } from '../../domain/durations.ts';
import { run, runOne, runSingle, type Db } from '../database/db.ts';
import { windowStart } from './network-failures.ts';
import { blockOf, networkOf, siteOf } from './network.ts';

export interface ResetRequest {
  /** The distributor of the account. Null for distributors and admins. */
  readonly distributorId: number | null;
  readonly address: string;
  readonly now: Date;
}

// Counts nothing, and returns no row, if the network has reached the limit $4 within the current 15 minutes.
const COUNT = `INSERT INTO reset_networks AS n (network, requests, "windowStart") VALUES ($1, 1, $2)
  ON CONFLICT (network) DO UPDATE SET requests = CASE WHEN n."windowStart" > $3 THEN n.requests + 1 ELSE 1 END,
    "windowStart" = CASE WHEN n."windowStart" > $3 THEN n."windowStart" ELSE excluded."windowStart" END
  WHERE n."windowStart" <= $3 OR n.requests < $4
  RETURNING requests`;
const AT_LIMIT = `SELECT 1 FROM reset_networks n JOIN unnest($1::text[], $2::int[]) l (network, most) USING (network)
  WHERE n."windowStart" > $3 AND n.requests >= l.most`;

interface NetworkLimit {
  readonly network: string;
  readonly most: number;
}

/** Returns the limits of the client's network, and of its IPv6 site and block if it has them, the smallest network first. */
function limitsOf(address: string, isMany: boolean): NetworkLimit[] {
  const [site, block] = [siteOf(address), blockOf(address)];
  const ofNetwork = isMany && site === null ? MAX_RESETS_PER_NETWORK_WHEN_MANY : MAX_RESETS_PER_NETWORK;
  const limits = [
    { network: networkOf(address), most: ofNetwork },
    { network: site, most: isMany ? MAX_RESETS_PER_NETWORK_WHEN_MANY : MAX_RESETS_PER_SITE },
    { network: block, most: isMany ? MAX_RESETS_PER_BLOCK_WHEN_MANY : MAX_RESETS_PER_BLOCK },
  ];
  return limits.flatMap(({ network, most }) => (network === null ? [] : [{ network, most }]));
}

/**
 * Counts this request for its network, its IPv6 site and its IPv6 block. Returns how many requests of the current 15 minutes take their
 * turn up to this one, or null if one of the networks has reached its limit. A refused request is not counted for any of them. One network
 * therefore cannot use up the limit of its site or block.
 */
async function countForNetworks(db: Db, { address, now }: ResetRequest, isMany: boolean): Promise<number | null> {
  const limits = limitsOf(address, isMany);
  const values = [limits.map(({ network }) => network), limits.map(({ most }) => most), windowStart(now)];
  if ((await run(db, AT_LIMIT, values)).length > 0) return null;
  const counts: number[] = [];
  for (const { network, most } of limits) {
    const counted = await runOne<{ requests: number }>(db, COUNT, [network, now, windowStart(now), most]);
    if (counted === null) return null;
    counts.push(counted.requests);
  }
  const [ofNetwork = 1, , ofBlock = 0] = counts;
  return Math.max(ofNetwork, Math.ceil(ofBlock / BLOCK_REQUESTS_PER_TURN));
}

/**
 * The SQL condition that selects the links to accounts of the distributor $1 that were requested since the time $2, at the sign-in page or
 * through its join link. Invitations that staff caused have a "replyTo". The links that a join link caused have a "joinDistributorId".
 */
export const IS_REQUESTED_LINK = `"distributorId" = $1 AND kind IN ('reset', 'invitation') AND "replyTo" IS NULL AND "createdAt" > $2`;
const REQUESTED = `SELECT count(*) AS mails, count(*) FILTER (WHERE "joinDistributorId" IS NOT NULL) AS "byJoinLink" FROM emails
  WHERE ${IS_REQUESTED_LINK}`;

const requestedSince = (db: Db, distributorId: number, since: Date): Promise<{ mails: number; byJoinLink: number }> =>
  runSingle<{ mails: number; byJoinLink: number }>(db, REQUESTED, [distributorId, since]);

/**
 * Counts the invitations of the last hour that the distributor's join link caused. They do not count toward the hourly limit of reset
 * links, so that strangers with the join link cannot use up the reset links of the distributor's customers.
 */
export const countJoinInvitations = async (db: Db, distributorId: number, now: Date): Promise<number> =>
  (await requestedSince(db, distributorId, new Date(now.getTime() - HOUR))).byJoinLink;

async function countResets(db: Db, distributorId: number, now: Date): Promise<number> {
  const { mails, byJoinLink } = await requestedSince(db, distributorId, new Date(now.getTime() - HOUR));
  return mails - byJoinLink;
}

/**
 * Counts this request. Returns how many links the client's network has requested within the current 15 minutes, for the sequence in which
 * the mails are sent, or null if the mail must not be sent. Call this function only for a request that would cause a mail. Otherwise somebody
 * could use up the limit of a network with invented e-mail addresses. For the same reason, the network is counted last.
 */
export async function countResetRequest(db: Db, request: ResetRequest): Promise<number | null> {
  const { distributorId, now } = request;
  const recent = distributorId === null ? 0 : await countResets(db, distributorId, now);
  if (recent >= MAX_RESETS_PER_DISTRIBUTOR) return null;
  return await countForNetworks(db, request, recent >= MANY_RESETS_PER_DISTRIBUTOR);
}
