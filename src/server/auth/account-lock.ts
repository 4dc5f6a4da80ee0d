// Counts the failed sign-ins to one account. A network that has brought many accounts close to a lock gets a separate count, so that it
// cannot lock further accounts for everyone (contract §3; reliability R30).
import { hash } from 'node:crypto';
import { afterFailure, isForgotten, isLocked, MAX_FAILURES, NEAR_LOCK, UNLOCKED, type Attempts } from '../../domain/accounts/account.ts';
import { run, runSingle, type Db } from '../database/db.ts';
import type { Row } from '../database/schema.ts';
import { unlockDevices } from './device.ts';
import { blockOf, siteOrAddressOf } from './network.ts';
import { countNearLock, countTriedEmail, hasTriedManyEmails, windowStart } from './network-failures.ts';

/**
 * The maximum number of networks that have a separate count for one account. Failures from further networks count toward the lock of the
 * account itself.
 */
const MAX_OWN_COUNTS = 10;

export const hashOfEmail = (email: string): string => hash('sha256', email, 'base64url');

export type StoredAttempts = Pick<Row<'users'>, 'loginAttempts' | 'lockedUntil' | 'lastFailureAt'>;
const dateOf = (timestamp: string | null): Date | null => (timestamp === null ? null : new Date(timestamp));
export const attemptsOf = ({ loginAttempts, lockedUntil, lastFailureAt }: StoredAttempts): Attempts => ({
  loginAttempts,
  lockedUntil: dateOf(lockedUntil),
  lastFailureAt: dateOf(lastFailureAt),
});
export const valuesOf = ({ loginAttempts, lockedUntil, lastFailureAt }: Attempts): unknown[] => [loginAttempts, lockedUntil, lastFailureAt];

/** All networks that have tried many e-mail addresses in a day count as this one network. */
const RESTRICTED_NETWORKS = 'networks that have tried many e-mail addresses';

/**
 * The target of a sign-in attempt: the hash of the e-mail address and the networks of the client, in the form in which failures are counted.
 * The networks are an IPv4 address, or an IPv6 site (/56) and its block (/48). `isRestricted` says whether the address or site has tried so
 * many e-mail addresses in a day that an unknown one adds no further row.
 *
 * A reply must not reveal whether an e-mail address has an account. For restricted networks, the server counts the failures of each account,
 * but not those of each unknown address. Such a network therefore gets the result 'refused' for every failure, even if the account is
 * locked. Its failures lock an account for restricted networks only, so that attempts from other networks do not reveal the account either.
 * All restricted networks share one count, so that an attacker with many of them cannot guess more often. Unknown addresses and addresses
 * with an account count alike toward the limit of tried addresses: otherwise the attempt that reaches the limit would reveal an account.
 */
interface Target {
  readonly emailHash: string;
  readonly networks: readonly [string, ...string[]];
  readonly isRestricted: boolean;
  readonly now: Date;
}

export async function targetOf(db: Db, email: string, { address, now }: { address: string; now: Date }): Promise<Target> {
  const [network, block] = [siteOrAddressOf(address), blockOf(address)];
  const isRestricted = await hasTriedManyEmails(db, network, now);
  const networks: Target['networks'] = isRestricted ? [RESTRICTED_NETWORKS] : block === null ? [network] : [network, block];
  return { emailHash: hashOfEmail(email), networks, isRestricted, now };
}

const OWN_COUNTS = `SELECT network, "loginAttempts", "lockedUntil", "lastFailureAt" FROM network_attempts
  WHERE "emailHash" = $1 AND network = ANY($2) ORDER BY "loginAttempts" DESC`;

/**
 * Returns how often sign-ins to the account have failed from one of these networks, or null when there is no current separate count. If the
 * site and its block both have one, the function returns the higher one.
 */
export async function findOwnCount(db: Db, { emailHash, networks, now }: Target): Promise<(Attempts & { network: string }) | null> {
  const rows = await run<StoredAttempts & { network: string }>(db, OWN_COUNTS, [emailHash, networks]);
  const counts = rows.map((row) => ({ network: row.network, ...attemptsOf(row) }));
  return counts.find((attempts) => !isForgotten(attempts, now)) ?? null;
}

const SAVE_OWN_COUNT = `INSERT INTO network_attempts ("emailHash", network, "loginAttempts", "lockedUntil", "lastFailureAt") VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT ("emailHash", network) DO UPDATE
  SET "loginAttempts" = excluded."loginAttempts", "lockedUntil" = excluded."lockedUntil", "lastFailureAt" = excluded."lastFailureAt"`;

/**
 * Returns null if this failure may count toward the lock of the account itself. Otherwise returns the network that has brought too many
 * accounts close to a lock, and whose separate count the failure increases. When an IPv6 block has reached its limit, all its sites share one
 * separate count. If each of its 256 sites had its own, the owner of a block could guess more often, or soon reach MAX_OWN_COUNTS.
 */
async function networkAtLimit(db: Db, { emailHash, networks, now }: Target): Promise<string | null> {
  const text = 'SELECT count(*) AS networks FROM network_attempts WHERE "emailHash" = $1 AND "lastFailureAt" > $2 AND network <> $3';
  const counts = await runSingle<{ networks: number }>(db, text, [emailHash, windowStart(now), RESTRICTED_NETWORKS]);
  if (counts.networks >= MAX_OWN_COUNTS) return null;
  return await countNearLock(db, networks, now);
}

/**
 * Whether this failure counts toward the accounts that its network may lock. Failures are remembered for a day. If only the failure that
 * reaches NEAR_LOCK counted, a network could send four wrong passwords for many accounts over hours, and then lock all of them within
 * minutes. The failure that locks an account therefore counts, too.
 */
const countsTowardLocks = ({ loginAttempts }: Attempts): boolean => loginAttempts === NEAR_LOCK || loginAttempts >= MAX_FAILURES;

/**
 * Counts a failure. A network that has brought many accounts close to a lock cannot lock another account for everyone. Its failures get a
 * separate count, which locks the account for this network only.
 */
export async function countFailure(db: Db, before: Attempts, target: Target, save: (next: Attempts) => Promise<unknown>): Promise<void> {
  const { emailHash, networks, isRestricted, now } = target;
  const own = await findOwnCount(db, target);
  const start = own ?? (isRestricted ? UNLOCKED : before);
  // A restricted network does not learn of a lock, so its attempts during the lock must not cause another one.
  const isHiddenLock = isRestricted && isLocked(before.lockedUntil, now);
  const next = isHiddenLock ? { ...start, lastFailureAt: now } : afterFailure(start, now);
  const counted = own?.network ?? (isRestricted ? networks[0] : null);
  const separate = counted ?? (countsTowardLocks(next) ? await networkAtLimit(db, target) : null);
  if (separate === null) {
    if (next.loginAttempts === 1) await countTriedEmail(db, networks[0], now);
    return void (await save(next));
  }
  await run(db, SAVE_OWN_COUNT, [emailHash, separate, ...valuesOf(next)]);
}

/** Unlocks the account of this e-mail address for every network and every device. */
export async function clearAttempts(db: Db, { id, email }: { id: number; email: string }): Promise<void> {
  await run(db, 'UPDATE users SET "loginAttempts" = 0, "lockedUntil" = NULL WHERE id = $1', [id]);
  await run(db, 'DELETE FROM network_attempts WHERE "emailHash" = $1', [hashOfEmail(email)]);
  await unlockDevices(db, id);
}

export async function deleteAttemptsOf(db: Db, emails: readonly string[]): Promise<void> {
  const hashes = emails.map(hashOfEmail);
  await run(db, 'DELETE FROM network_attempts WHERE "emailHash" = ANY($1)', [hashes]);
  await run(db, 'DELETE FROM unknown_sign_ins WHERE "emailHash" = ANY($1)', [hashes]);
}
