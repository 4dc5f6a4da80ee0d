// Counts failed sign-ins by network, for all accounts together. Above a limit, replies to the network are delayed (contract §3; reliability
// R31).
import { setTimeout as pause } from 'node:timers/promises';
import {
  MAX_EMAILS_PER_NETWORK,
  MAX_LOCKS,
  MAX_LOCKS_PER_BLOCK,
  MAX_NETWORK_FAILURES,
  MAX_SITE_FAILURES,
} from '../../domain/accounts/account.ts';
import { run, runOne, transaction, type Db } from '../database/db.ts';
import { clientGone } from '../errors.ts';
import { isKnownDevice } from './device.ts';
import { networkOf, siteOf, siteOrAddressOf } from './network.ts';
import { DAY, MINUTE } from '../../domain/durations.ts';

/** The shortest delay, in milliseconds, of a reply to a failed sign-in when the network is above the limit. */
const SHORTEST_DELAY_MS = 2000;
const MAX_DELAY_MS = 20_000;
/** The milliseconds between two delayed replies to one network, however many failures arrive at once. */
const REPLY_INTERVAL_MS = 250;
/**
 * The number of delayed replies to one IPv4 address or IPv6 site, because each occupies memory. One more reply ends the delay of the oldest
 * one. A site gets at most 400 replies a second, so that each is still delayed for more than two seconds.
 */
const MOST_DELAYED = 1000;
const QUARTER_HOUR = 15 * MINUTE;

/** Returns the beginning of the time in which failures count. */
export const windowStart = (now: Date): Date => new Date(now.getTime() - QUARTER_HOUR);

const IN_WINDOW = 'a."windowStart" > $3';
const COUNT_FAILURE = `INSERT INTO sign_in_addresses AS a (address, failures, "windowStart")
  SELECT network, 1, $2::timestamptz FROM unnest($1::text[]) network
  ON CONFLICT (address) DO UPDATE SET failures = CASE WHEN ${IN_WINDOW} THEN a.failures + 1 ELSE 1 END,
    "accountsNearLock" = CASE WHEN ${IN_WINDOW} THEN a."accountsNearLock" ELSE 0 END,
    "nextReplyAt" = CASE WHEN ${IN_WINDOW} AND a.failures >= CASE WHEN a.address = $4 THEN ${MAX_SITE_FAILURES} ELSE ${MAX_NETWORK_FAILURES} END
      THEN least(greatest(a."nextReplyAt", $2) + interval '${REPLY_INTERVAL_MS} milliseconds', $2 + interval '${MAX_DELAY_MS} milliseconds') END,
    "windowStart" = CASE WHEN ${IN_WINDOW} THEN a."windowStart" ELSE excluded."windowStart" END
  RETURNING "nextReplyAt"`;

/**
 * Counts a failed attempt for its network. Returns the number of milliseconds by which the reply must be delayed, or 0 below the limit. The
 * increment is atomic, so concurrent failures cannot all stay below the limit. Every call locks the row of the /64 before the row of the
 * /56, so that calls cannot deadlock with each other.
 */
export async function countNetworkFailure(db: Db, address: string, now: Date): Promise<number> {
  const networks = [...new Set([networkOf(address), siteOrAddressOf(address)])];
  // The transaction is retried after a deadlock with another transaction, such as the hourly cleanup.
  const rows = await transaction(db, (db) =>
    run<{ nextReplyAt: string | null }>(db, COUNT_FAILURE, [networks, now, windowStart(now), siteOf(address)]),
  );
  const delays = rows.flatMap(({ nextReplyAt }) => (nextReplyAt === null ? [] : [Date.parse(nextReplyAt) - now.getTime()]));
  return delays.length === 0 ? 0 : Math.max(SHORTEST_DELAY_MS, ...delays);
}

/** The functions that end the delays, by IPv4 address or IPv6 site. The oldest comes first. */
const delays = new Map<string, Set<() => void>>();

/** Resolves after the delay, or earlier if the network has too many delayed replies. Throws if the client disconnects. */
async function delayReply(network: string, ms: number, signal: AbortSignal): Promise<void> {
  const early = new AbortController();
  const ofNetwork = delays.get(network) ?? new Set();
  const end = (): void => {
    ofNetwork.delete(end);
    early.abort();
  };
  delays.set(network, ofNetwork.add(end));
  const [oldest] = ofNetwork;
  if (ofNetwork.size > MOST_DELAYED) oldest?.();
  await pause(ms, undefined, { signal: AbortSignal.any([signal, early.signal]) }).catch(() => undefined);
  ofNetwork.delete(end);
  if (ofNetwork.size === 0) delays.delete(network);
  if (signal.aborted) throw clientGone();
}

interface FailedAttempt {
  readonly userId: number | undefined;
  readonly device: string | null;
  readonly address: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly releasePermits: () => void;
}

/**
 * Counts a failure for its network, and delays the reply when the network is above the limit. Meanwhile, the request holds no permit:
 * otherwise a few wrong passwords would keep everybody behind the same IPv4 address from signing in. A failure on a device on which the
 * account's owner has signed in before is neither counted nor delayed.
 */
export async function delayAfterFailure(db: Db, attempt: FailedAttempt): Promise<void> {
  const { userId, device, address, now, signal, releasePermits } = attempt;
  if (await isKnownDevice(db, device, { userId, now })) return;
  const delay = await countNetworkFailure(db, address, now);
  if (delay === 0) return;
  releasePermits();
  await delayReply(siteOrAddressOf(address), delay, signal);
}

const COUNT_NEAR_LOCK = `INSERT INTO sign_in_addresses AS a (address, "windowStart", "accountsNearLock") VALUES ($1, $2, 1)
  ON CONFLICT (address) DO UPDATE SET "accountsNearLock" = CASE WHEN ${IN_WINDOW} THEN a."accountsNearLock" + 1 ELSE 1 END,
    failures = CASE WHEN ${IN_WINDOW} THEN a.failures ELSE 0 END, "nextReplyAt" = CASE WHEN ${IN_WINDOW} THEN a."nextReplyAt" END,
    "windowStart" = CASE WHEN ${IN_WINDOW} THEN a."windowStart" ELSE excluded."windowStart" END
  WHERE NOT (${IN_WINDOW}) OR a."accountsNearLock" < $4 RETURNING 1`;
const AT_LIMIT = `SELECT a.address FROM sign_in_addresses a JOIN unnest($1::text[], $2::int[]) l (address, most) USING (address)
  WHERE ${IN_WINDOW} AND a."accountsNearLock" >= l.most ORDER BY l.most DESC LIMIT 1`;

/**
 * Counts an account toward the limits of these networks, whose failed sign-ins have brought it close to a lock. The networks are the
 * client's IPv4 address, or its IPv6 site and block. Returns null if it has been counted. If one of the networks has brought too many accounts close to a lock, the account is
 * not counted, and the function returns this network, or the block if both have. One site therefore cannot use up the limit of its block.
 * Every call locks the row of the site before the row of the block, so that calls cannot deadlock with each other.
 */
export async function countNearLock(db: Db, networks: readonly string[], now: Date): Promise<string | null> {
  const limits = [MAX_LOCKS, MAX_LOCKS_PER_BLOCK].slice(0, networks.length);
  const atLimit = await runOne<{ address: string }>(db, AT_LIMIT, [networks, limits, windowStart(now)]);
  if (atLimit) return atLimit.address;
  for (const [index, network] of networks.entries())
    if ((await run(db, COUNT_NEAR_LOCK, [network, now, windowStart(now), limits[index]])).length === 0) return network;
  return null;
}

const IN_DAY = 'a."emailsTriedSince" > $3';
const COUNT_EMAIL = `INSERT INTO sign_in_addresses AS a (address, "windowStart", "emailsTried", "emailsTriedSince") VALUES ($1, $2, 1, $2)
  ON CONFLICT (address) DO UPDATE SET "emailsTried" = CASE WHEN ${IN_DAY} THEN a."emailsTried" + 1 ELSE 1 END,
    "emailsTriedSince" = CASE WHEN ${IN_DAY} THEN a."emailsTriedSince" ELSE excluded."emailsTriedSince" END`;
const EMAILS_TRIED = 'SELECT "emailsTried" FROM sign_in_addresses WHERE address = $1 AND "emailsTriedSince" > $2';
const dayBefore = (now: Date): Date => new Date(now.getTime() - DAY);

/** Counts an e-mail address with which a sign-in from this network has failed for the first time since its failures were forgotten. */
export const countTriedEmail = (db: Db, network: string, now: Date): Promise<unknown> =>
  run(db, COUNT_EMAIL, [network, now, dayBefore(now)]);

/** Whether sign-ins from this network have failed with the maximum number of e-mail addresses in the current day. */
export async function hasTriedManyEmails(db: Db, network: string, now: Date): Promise<boolean> {
  const row = await runOne<{ emailsTried: number }>(db, EMAILS_TRIED, [network, dayBefore(now)]);
  return row !== null && row.emailsTried >= MAX_EMAILS_PER_NETWORK;
}
