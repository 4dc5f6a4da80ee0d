// Counts failed sign-ins by account, device and network. The limits make guessing slow, but strangers cannot keep the owner of an account
// out for long (contract §3; reliability R30, R31).
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  afterFailure,
  isForgotten,
  isLocked,
  MOST_FAILURES,
  MOST_FAILURES_OF_A_SITE,
  MOST_LOCKS,
  NEAR_LOCK,
  UNLOCKED,
  type Attempts,
} from '../../domain/accounts/account.ts';
import { run, runOne, runSingle, transaction, type Db } from '../database/db.ts';
import type { Row } from '../database/schema.ts';
import { mayHaveSecondFactor } from '../../domain/accounts/second-factor.ts';
import { clientGone } from '../http/errors.ts';
import { isKnownDevice, lockDevice, unlockDevices } from './device.ts';
import { networkOf, siteOf } from './network.ts';
import { factorsOf } from './second-factor/pending-sign-in.ts';
import { MINUTE } from '../../domain/durations.ts';

/** The shortest delay, in milliseconds, of a reply to a failed sign-in when the network is above the limit. */
const SHORTEST_DELAY_MS = 2000;
const LONGEST_DELAY_MS = 20_000;
/** The milliseconds between two delayed replies to one network, however many failures arrive at once. */
const REPLY_INTERVAL_MS = 250;
/** The maximum number of networks that have a separate count for one account. Failures from further networks lock the account. */
const MOST_OWN_COUNTS = 10;
const QUARTER_HOUR = 15 * MINUTE;

const since = (now: Date): Date => new Date(now.getTime() - QUARTER_HOUR);
export const hashOfEmail = (email: string): string => hash('sha256', email, 'base64url');
/**
 * Returns the network under which failures for an account are counted. For an IPv6 address this is the whole /56, because its owner
 * controls all networks in it.
 */
const lockingNetwork = (address: string): string => siteOf(address) ?? networkOf(address);

type StoredAttempts = Pick<Row<'users'>, 'loginAttempts' | 'lockedUntil' | 'lastFailureAt'>;
const dateOf = (timestamp: string | null): Date | null => (timestamp === null ? null : new Date(timestamp));
const attemptsOf = ({ loginAttempts, lockedUntil, lastFailureAt }: StoredAttempts): Attempts => ({
  loginAttempts,
  lockedUntil: dateOf(lockedUntil),
  lastFailureAt: dateOf(lastFailureAt),
});
const valuesOf = ({ loginAttempts, lockedUntil, lastFailureAt }: Attempts): unknown[] => [loginAttempts, lockedUntil, lastFailureAt];

const IN_WINDOW = 'a."windowStart" > $3';
const COUNT_FAILURE = `INSERT INTO sign_in_addresses AS a (address, failures, "windowStart")
  SELECT network, 1, $2::timestamptz FROM unnest($1::text[]) network
  ON CONFLICT (address) DO UPDATE SET failures = CASE WHEN ${IN_WINDOW} THEN a.failures + 1 ELSE 1 END,
    "accountsNearLock" = CASE WHEN ${IN_WINDOW} THEN a."accountsNearLock" ELSE 0 END,
    "nextReplyAt" = CASE WHEN ${IN_WINDOW} AND a.failures >= CASE WHEN a.address = $4 THEN ${MOST_FAILURES_OF_A_SITE} ELSE ${MOST_FAILURES} END
      THEN least(greatest(a."nextReplyAt", $2) + interval '${REPLY_INTERVAL_MS} milliseconds', $2 + interval '${LONGEST_DELAY_MS} milliseconds') END,
    "windowStart" = CASE WHEN ${IN_WINDOW} THEN a."windowStart" ELSE excluded."windowStart" END
  RETURNING "nextReplyAt"`;

/**
 * Counts a failed attempt for its network. Returns the number of milliseconds by which the reply must be delayed, or 0 below the limit. The
 * increment is atomic, so concurrent failures cannot all stay below the limit. Every call locks the row of the /64 before the row of the
 * /56, so that calls cannot deadlock with each other.
 */
export async function countNetworkFailure(db: Db, address: string, now: Date): Promise<number> {
  const networks = [...new Set([networkOf(address), lockingNetwork(address)])];
  // The transaction is retried after a deadlock with another transaction, such as the hourly cleanup.
  const rows = await transaction(db, (db) =>
    run<{ nextReplyAt: string | null }>(db, COUNT_FAILURE, [networks, now, since(now), siteOf(address)]),
  );
  const delays = rows.flatMap(({ nextReplyAt }) => (nextReplyAt === null ? [] : [Date.parse(nextReplyAt) - now.getTime()]));
  return delays.length === 0 ? 0 : Math.max(SHORTEST_DELAY_MS, ...delays);
}

interface FailedAttempt {
  readonly userId: number | undefined;
  readonly device: string | null;
  readonly address: string;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/**
 * Counts a failure for its network, and delays the reply when the network is above the limit. Failures of other people do not delay a
 * device on which the owner has signed in before.
 */
export async function delayAfterFailure(db: Db, { userId, device, address, now, signal }: FailedAttempt): Promise<void> {
  if (await isKnownDevice(db, device, { userId, now })) return;
  const delay = await countNetworkFailure(db, address, now);
  if (delay > 0) await pause(delay, undefined, { signal }).catch(() => Promise.reject(clientGone()));
}

interface Attempt {
  readonly matches: boolean;
  readonly now: Date;
  readonly address: string;
}

/**
 * The target of a sign-in attempt: the hash of the e-mail address and the network of the client, in the form in which failures are counted.
 */
interface Target {
  readonly emailHash: string;
  readonly network: string;
  readonly now: Date;
}

const targetOf = (email: string, { address, now }: Attempt): Target => ({
  emailHash: hashOfEmail(email),
  network: lockingNetwork(address),
  now,
});

/** Returns how often sign-ins to the account have failed from this network, or null when there is no current count. */
async function findOwnCount(db: Db, { emailHash, network, now }: Target): Promise<Attempts | null> {
  const text = 'SELECT "loginAttempts", "lockedUntil", "lastFailureAt" FROM network_attempts WHERE "emailHash" = $1 AND network = $2';
  const row = await runOne<StoredAttempts>(db, text, [emailHash, network]);
  const attempts = row ? attemptsOf(row) : null;
  return attempts && !isForgotten(attempts, now) ? attempts : null;
}

const SAVE_OWN_COUNT = `INSERT INTO network_attempts ("emailHash", network, "loginAttempts", "lockedUntil", "lastFailureAt") VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT ("emailHash", network) DO UPDATE
  SET "loginAttempts" = excluded."loginAttempts", "lockedUntil" = excluded."lockedUntil", "lastFailureAt" = excluded."lastFailureAt"`;

const COUNT_NEAR_LOCK = `INSERT INTO sign_in_addresses AS a (address, "windowStart", "accountsNearLock") VALUES ($1, $2, 1)
  ON CONFLICT (address) DO UPDATE SET "accountsNearLock" = CASE WHEN ${IN_WINDOW} THEN a."accountsNearLock" + 1 ELSE 1 END,
    failures = CASE WHEN ${IN_WINDOW} THEN a.failures ELSE 0 END, "nextReplyAt" = CASE WHEN ${IN_WINDOW} THEN a."nextReplyAt" END,
    "windowStart" = CASE WHEN ${IN_WINDOW} THEN a."windowStart" ELSE excluded."windowStart" END
  WHERE NOT (${IN_WINDOW}) OR a."accountsNearLock" < ${MOST_LOCKS} RETURNING 1`;

async function mayLock(db: Db, { emailHash, network, now }: Target): Promise<boolean> {
  const text = 'SELECT count(*) AS networks FROM network_attempts WHERE "emailHash" = $1 AND "lastFailureAt" > $2';
  const { networks } = await runSingle<{ networks: number }>(db, text, [emailHash, since(now)]);
  if (networks >= MOST_OWN_COUNTS) return true;
  return (await run(db, COUNT_NEAR_LOCK, [network, now, since(now)])).length > 0;
}

/**
 * Counts a failure. A network that has brought many accounts close to a lock cannot lock another account: its failures get a separate
 * count, which locks the account for this network only.
 */
async function countFailure(db: Db, before: Attempts, target: Target, save: (next: Attempts) => Promise<unknown>): Promise<void> {
  const own = await findOwnCount(db, target);
  const next = afterFailure(own ?? before, target.now);
  const isOwn = own !== null || (next.loginAttempts === NEAR_LOCK && !(await mayLock(db, target)));
  if (!isOwn) return void (await save(next));
  const { emailHash, network } = target;
  await run(db, SAVE_OWN_COUNT, [emailHash, network, next.loginAttempts, next.lockedUntil, next.lastFailureAt]);
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

/** The result of an attempt. 'half' means that the password is correct and the second step is still required. */
export type Verdict = 'in' | 'half' | 'out' | 'locked';

/** Whether the account is disabled, or the account of its distributor. Agents of a disabled distributor cannot sign in either. */
async function isShutOut(db: Db, { role, disabledAt, distributorId }: Row<'users'>): Promise<boolean> {
  if (disabledAt !== null || role !== 'agent') return disabledAt !== null;
  return (await run(db, 'SELECT 1 FROM users WHERE id = $1 AND "disabledAt" IS NOT NULL', [distributorId])).length > 0;
}

const hasSecondFactor = async (db: Db, { id, role }: Row<'users'>): Promise<boolean> =>
  mayHaveSecondFactor(role) && (await factorsOf(db, id)).length > 0;

const SAVE_ACCOUNT = 'UPDATE users SET "loginAttempts" = $2, "lockedUntil" = $3, "lastFailureAt" = $4 WHERE id = $1';
const SIGN_IN = `UPDATE users SET "loginAttempts" = $2, "lockedUntil" = $3, "lastFailureAt" = $4, "lastLoginAt" = $5 WHERE id = $1`;
const SAVE_DEVICE = `UPDATE devices SET "loginAttempts" = $3, "lockedUntil" = $4, "lastFailureAt" = $5 WHERE "tokenHash" = $1 AND "userId" = $2`;

/**
 * Judges an attempt to sign in and counts a failure. The account's row is locked, so that concurrent guesses are limited like sequential
 * ones (contract §3). On a device where the owner has signed in before, the device's own lock applies, because strangers can lock the
 * account.
 */
export async function recordAttempt(
  db: Db,
  judged: Pick<Row<'users'>, 'id' | 'password'>,
  attempt: Attempt & { readonly device: string | null; readonly isFirstStep?: boolean },
): Promise<Verdict> {
  const { now, device } = attempt;
  const account = await runSingle<Row<'users'>>(db, 'SELECT * FROM users WHERE id = $1 FOR UPDATE', [judged.id]);
  const known = await lockDevice(db, device, { userId: account.id, now });
  const [before, target] = [attemptsOf(account), targetOf(account.email, attempt)];
  const locks = known ? [attemptsOf(known)] : [before, await findOwnCount(db, target)];
  if (locks.some((attempts) => isLocked(attempts?.lockedUntil ?? null, now))) return 'locked';
  const save = (next: Attempts) => run(db, SAVE_ACCOUNT, [account.id, ...valuesOf(next)]);
  // While the password was being verified, another call may have changed the password or disabled the account.
  const isIn = attempt.matches && account.password === judged.password && !(await isShutOut(db, account));
  // The password alone does not reset the failure count, so that an attacker who knows the password cannot guess codes forever (contract
  // §19).
  if (isIn && attempt.isFirstStep === true && (await hasSecondFactor(db, account))) return 'half';
  if (isIn) {
    await run(db, SIGN_IN, [account.id, ...valuesOf(UNLOCKED), now]);
    await run(db, 'DELETE FROM network_attempts WHERE "emailHash" = $1 AND network = $2', [target.emailHash, target.network]);
    return 'in';
  }
  if (known) {
    await run(db, SAVE_DEVICE, [known.tokenHash, account.id, ...valuesOf(afterFailure(attemptsOf(known), now))]);
    await save(afterFailure(before, now));
  } else await countFailure(db, before, target, save);
  return 'out';
}

// The update changes no value. It only locks the row and returns it.
const LOCK_UNKNOWN = `INSERT INTO unknown_sign_ins ("emailHash", "lastFailureAt") VALUES ($1, $2)
  ON CONFLICT ("emailHash") DO UPDATE SET "emailHash" = excluded."emailHash" RETURNING "loginAttempts", "lockedUntil", "lastFailureAt"`;
const SAVE_UNKNOWN = 'UPDATE unknown_sign_ins SET "loginAttempts" = $2, "lockedUntil" = $3, "lastFailureAt" = $4 WHERE "emailHash" = $1';

/**
 * Judges an attempt to sign in with an unknown e-mail address by the same rules, so that nobody can distinguish known from unknown
 * addresses (contract §3). The failures are counted under the hash of the address.
 */
export async function recordUnknownAttempt(db: Db, email: string, attempt: Attempt): Promise<Verdict> {
  const { now } = attempt;
  const target = targetOf(email, attempt);
  const { emailHash } = target;
  const before = attemptsOf(await runSingle<StoredAttempts>(db, LOCK_UNKNOWN, [emailHash, now]));
  if ([before, await findOwnCount(db, target)].some((attempts) => isLocked(attempts?.lockedUntil ?? null, now))) return 'locked';
  await countFailure(db, before, target, (next) => run(db, SAVE_UNKNOWN, [emailHash, ...valuesOf(next)]));
  return 'out';
}
