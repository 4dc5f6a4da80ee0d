// Limits the links that people request at the sign-in page, by network and by distributor. Otherwise one client could make the server mail
// a link to each of the thousands of people of a distributor (contract §3; reliability R44).
import {
  MANY_RESETS_PER_DISTRIBUTOR,
  MAX_RESETS_PER_DISTRIBUTOR,
  MAX_RESETS_PER_NETWORK,
  MAX_RESETS_PER_NETWORK_WHEN_MANY,
  MAX_RESETS_PER_SITE,
} from '../../domain/accounts/account.ts';
import { HOUR } from '../../domain/durations.ts';
import { runSingle, type Db } from '../database/db.ts';
import { windowStart } from './network-failures.ts';
import { networkOf, siteOf } from './network.ts';

export interface ResetRequest {
  /** The distributor of the account. Null for distributors and admins. */
  readonly distributorId: number | null;
  readonly address: string;
  readonly now: Date;
}

const COUNT = `INSERT INTO reset_networks AS n (network, requests, "windowStart") VALUES ($1, 1, $2)
  ON CONFLICT (network) DO UPDATE SET requests = CASE WHEN n."windowStart" > $3 THEN n.requests + 1 ELSE 1 END,
    "windowStart" = CASE WHEN n."windowStart" > $3 THEN n."windowStart" ELSE excluded."windowStart" END
  RETURNING requests`;

const countOf = async (db: Db, network: string, now: Date): Promise<number> =>
  (await runSingle<{ requests: number }>(db, COUNT, [network, now, windowStart(now)])).requests;

/**
 * Counts this request for its network and site. Returns the count of the site, or of the network of an IPv4 client, which has no site.
 * Returns null above the limits.
 */
async function countForNetworks(db: Db, { address, now }: ResetRequest): Promise<number | null> {
  const ofNetwork = await countOf(db, networkOf(address), now);
  // A request above the limit of its network is not counted for the site, so that one network cannot use up the limit of its whole site.
  if (ofNetwork > MAX_RESETS_PER_NETWORK) return null;
  const site = siteOf(address);
  if (site === null) return ofNetwork;
  const ofSite = await countOf(db, site, now);
  return ofSite > MAX_RESETS_PER_SITE ? null : ofSite;
}

// The column "replyTo" distinguishes invitations that staff caused from those that were requested at the sign-in page.
const REQUESTED = `SELECT count(*) AS mails FROM emails
  WHERE "distributorId" = $1 AND kind IN ('reset', 'invitation') AND "replyTo" IS NULL AND "createdAt" > $2`;

/** Returns how many links the people of this distributor have requested at the sign-in page since the given time. */
export const countRequestedLinks = async (db: Db, distributorId: number, since: Date): Promise<number> =>
  (await runSingle<{ mails: number }>(db, REQUESTED, [distributorId, since])).mails;

/**
 * Counts this request, and returns whether its mail may be sent. Call it only for a request that would cause a mail. Otherwise somebody
 * could use up the limit of a network with invented e-mail addresses.
 */
export async function countResetRequest(db: Db, request: ResetRequest): Promise<boolean> {
  const uses = await countForNetworks(db, request);
  if (uses === null) return false;
  if (request.distributorId === null) return true;
  const recent = await countRequestedLinks(db, request.distributorId, new Date(request.now.getTime() - HOUR));
  return recent < MAX_RESETS_PER_DISTRIBUTOR && (recent < MANY_RESETS_PER_DISTRIBUTOR || uses <= MAX_RESETS_PER_NETWORK_WHEN_MANY);
}
