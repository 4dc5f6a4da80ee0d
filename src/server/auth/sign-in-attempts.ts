// Accepts or refuses attempts to sign in. The limits make guessing slow, but strangers cannot keep the owner of an account out for long
// (contract §3; reliability R30, R31). Failed attempts are counted in five tables:
//
// | what is counted                              | table             | at the limit                                        |
// | failures of an account                       | users             | the account is locked                               |
// | failures of an unknown e-mail address        | unknown_sign_ins  | the reply is that of a locked account               |
// | failures of an account from one network      | network_attempts  | the account is locked for this network only         |
// | failures of an account on a known device     | devices           | the account is locked on this device only           |
// | failures of a network, whatever the account  | sign_in_addresses | replies are delayed, no further accounts are locked |
// | e-mail addresses that a network has tried    | sign_in_addresses | unknown addresses add no rows, locks are hidden     |
import { afterFailure, isLocked, UNLOCKED, type Attempts } from '../../domain/accounts/account.ts';
import { mayHaveSecondFactor } from '../../domain/accounts/second-factor.ts';
import { run, runSingle, setLockTimeout, transaction, type Db } from '../database/db.ts';
import type { Row } from '../database/schema.ts';
import { attemptsOf, countFailure, findOwnCount, targetOf, valuesOf, type StoredAttempts } from './account-lock.ts';
import { createLimiter } from '../queues/limiter.ts';
import { lockDevice } from './device.ts';
import { factorsOf } from './second-factor/pending-sign-in.ts';

interface Attempt {
  readonly matches: boolean;
  readonly now: Date;
  readonly address: string;
}

/** The maximum number of milliseconds that an attempt waits for other attempts to sign in to the same account. */
const MAX_WAIT_MS = 10_000;
const accountQueue = createLimiter({
  concurrency: Infinity,
  maxWait: MAX_WAIT_MS,
  concurrencyPerGroup: 1,
});

/**
 * Runs the transaction `work` of a sign-in, its second step or a request for a mailed link. All attempts for one account lock the
 * account's row. They run one after the other, so that together they occupy only one database connection while they wait for this lock. The
 * wait is limited. `account` is the e-mail address or the id of the user.
 */
export const transactionPerAccount = <Result>(db: Db, account: string, work: (db: Db) => Promise<Result>): Promise<Result> =>
  accountQueue(
    () =>
      transaction(db, async (db) => {
        await setLockTimeout(db);
        return await work(db);
      }),
    { key: account },
  );

/** The result of an attempt. 'needs second factor' means that the password is correct and the second step is still required. */
export type SignInResult = 'signed in' | 'needs second factor' | 'refused' | 'locked';

/**
 * Whether the user's account is disabled, or the user is an agent whose distributor is disabled. If the caller has locked the row of an
 * agent, the distributor cannot be disabled until the transaction ends: disabling locks the agents too, and then ends the session that is
 * opened here.
 */
export async function isShutOut(
  db: Db,
  { role, disabledAt, distributorId }: Pick<Row<'users'>, 'role' | 'disabledAt' | 'distributorId'>,
): Promise<boolean> {
  if (disabledAt !== null || role !== 'agent') return disabledAt !== null;
  return (await run(db, 'SELECT 1 FROM users WHERE id = $1 AND "disabledAt" IS NULL', [distributorId])).length === 0;
}

const hasSecondFactor = async (db: Db, { id, role }: Row<'users'>): Promise<boolean> =>
  mayHaveSecondFactor(role) && (await factorsOf(db, id)).length > 0;

const SAVE_ACCOUNT = 'UPDATE users SET "loginAttempts" = $2, "lockedUntil" = $3, "lastFailureAt" = $4 WHERE id = $1';
const SIGN_IN = `UPDATE users SET "loginAttempts" = $2, "lockedUntil" = $3, "lastFailureAt" = $4, "lastLoginAt" = $5 WHERE id = $1`;
const SAVE_DEVICE = `UPDATE devices SET "loginAttempts" = $3, "lockedUntil" = $4, "lastFailureAt" = $5 WHERE "tokenHash" = $1 AND "userId" = $2`;

/**
 * Decides whether an attempt to sign in succeeds, and counts a failure. `verified` is the account whose password was compared. The row of
 * the account is locked, so that concurrent guesses are limited like sequential ones (contract §3). A device on which the owner has signed
 * in before has its own failure count and lock. Strangers who lock the account therefore do not keep the owner out. The second step after a
 * mailed link (`byMailedLink`) ignores all locks, because strangers could lock the account again before the owner types the code. Failures
 * of this step count only for this sign-in and for the code app.
 */
export async function recordAttempt(
  db: Db,
  verified: Pick<Row<'users'>, 'id' | 'password'>,
  attempt: Attempt & { readonly device: string | null; readonly isFirstStep?: boolean; readonly byMailedLink?: boolean },
): Promise<SignInResult> {
  const { now, device, isFirstStep = false, byMailedLink = false } = attempt;
  // FOR UPDATE would also wait for every transaction that has written a row with a reference to the account, such as an import.
  const account = await runSingle<Row<'users'>>(db, 'SELECT * FROM users WHERE id = $1 FOR NO KEY UPDATE', [verified.id]);
  const known = await lockDevice(db, device, { userId: account.id, now });
  const [before, target] = [attemptsOf(account), await targetOf(db, account.email, attempt)];
  const locks = known ? [attemptsOf(known)] : [before, await findOwnCount(db, target)];
  const isLockedNow = !byMailedLink && locks.some((attempts) => isLocked(attempts?.lockedUntil ?? null, now));
  // At the other steps, the client has already proved that it knows the password, so the lock need not be hidden.
  const hidesLock = target.isRestricted && !known && isFirstStep;
  if (isLockedNow && !hidesLock) return 'locked';
  const save = (next: Attempts) => run(db, SAVE_ACCOUNT, [account.id, ...valuesOf(next)]);
  // While the password was being verified, another call may have changed the password or disabled the account.
  const isIn = attempt.matches && !isLockedNow && account.password === verified.password && !(await isShutOut(db, account));
  // The password alone does not reset the failure count, so that an attacker who knows the password cannot guess codes forever (contract
  // §19).
  if (isIn && isFirstStep && (await hasSecondFactor(db, account))) return 'needs second factor';
  if (isIn) {
    await run(db, SIGN_IN, [account.id, ...valuesOf(UNLOCKED), now]);
    await run(db, 'DELETE FROM network_attempts WHERE "emailHash" = $1 AND network = ANY($2)', [target.emailHash, target.networks]);
    return 'signed in';
  }
  if (byMailedLink) return 'refused';
  if (known) {
    await run(db, SAVE_DEVICE, [known.tokenHash, account.id, ...valuesOf(afterFailure(attemptsOf(known), now))]);
    await save(afterFailure(before, now));
  } else await countFailure(db, before, target, save);
  return 'refused';
}

// The update changes no value. It only locks the existing row and returns it.
const LOCK_UNKNOWN = `INSERT INTO unknown_sign_ins ("emailHash", "lastFailureAt") VALUES ($1, $2)
  ON CONFLICT ("emailHash") DO UPDATE SET "emailHash" = excluded."emailHash" RETURNING "loginAttempts", "lockedUntil", "lastFailureAt"`;
/** For restricted networks, unknown e-mail addresses whose hashes begin with the same two characters are counted together. */
const SHARED_HASH_LENGTH = 2;
const SAVE_UNKNOWN = 'UPDATE unknown_sign_ins SET "loginAttempts" = $2, "lockedUntil" = $3, "lastFailureAt" = $4 WHERE "emailHash" = $1';

/**
 * Treats an attempt to sign in with an unknown e-mail address by the same rules as for a known one, so that nobody can distinguish the two
 * (contract §3). The failures are counted under the hash of the address.
 *
 * The attempts of restricted networks share at most 64 * 64 rows, whose counts do not change the reply. The server stores these counts only
 * so that it runs the same statements, and takes the same time, as for an account.
 */
export async function recordUnknownAttempt(db: Db, email: string, attempt: Attempt): Promise<SignInResult> {
  const { now } = attempt;
  const { emailHash: ownHash, ...rest } = await targetOf(db, email, attempt);
  const target = { ...rest, emailHash: rest.isRestricted ? ownHash.slice(0, SHARED_HASH_LENGTH) : ownHash };
  const { emailHash, isRestricted } = target;
  const before = attemptsOf(await runSingle<StoredAttempts>(db, LOCK_UNKNOWN, [emailHash, now]));
  const isLockedNow = [before, await findOwnCount(db, target)].some((attempts) => isLocked(attempts?.lockedUntil ?? null, now));
  if (isLockedNow && !isRestricted) return 'locked';
  await countFailure(db, before, target, (next) => run(db, SAVE_UNKNOWN, [emailHash, ...valuesOf(next)]));
  return 'refused';
}
