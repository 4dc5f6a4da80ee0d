import { MAX_CODE_FAILURES, normalizedCode } from '../../domain/accounts/second-factor.ts';
import { stepOfCode } from '../../server/auth/second-factor/code-app.ts';
import { decrypt, encrypt } from '../../server/auth/second-factor/encryption.ts';
import { hashOfRecoveryCode } from '../../server/auth/second-factor/recovery-codes.ts';
import { run, runOne, type Db } from '../../server/database/db.ts';
import { listPasskeys, type StoredPasskey } from '../second-factor/queries.ts';
import type { Assertion } from './contract.ts';

export async function findPasskey(db: Db, userId: number, { id }: Pick<Assertion, 'id'>): Promise<StoredPasskey | null> {
  return (await listPasskeys(db, userId)).find(({ credentialId }) => credentialId === id) ?? null;
}

const REDEEM_PASSKEY = `UPDATE passkeys SET counter = $3, "usedAt" = $4 WHERE id = $2 AND "userId" = $1 AND (counter < $3 OR counter = 0) RETURNING id`;

/**
 * Saves the signature counter of a passkey. Returns false when the passkey was removed during the sign-in. Also returns false when the new
 * counter is not higher than the saved one, unless the saved one is 0.
 */
export const redeemPasskey = async (
  db: Db,
  userId: number,
  { id, counter, now }: { id: number; counter: number; now: Date },
): Promise<boolean> => (await run(db, REDEEM_PASSKEY, [userId, id, counter, now])).length > 0;

interface TypedCode {
  readonly code: string;
  readonly now: Date;
  readonly key: string | null;
}

/**
 * Returns whether the code of the code app is right and newer than the last accepted code. Locks the row of the code app, and counts a
 * wrong code as a failure.
 */
export async function redeemCode(db: Db, userId: number, { code, now, key }: TypedCode): Promise<boolean> {
  const text = 'SELECT secret, "lastStep", failures FROM code_apps WHERE "userId" = $1 FOR UPDATE';
  const app = await runOne<{ secret: string; lastStep: number; failures: number }>(db, text, [userId]);
  if (!app || app.failures >= MAX_CODE_FAILURES) return false;
  const secret = decrypt(app.secret, userId, key);
  const step = secret === null ? null : stepOfCode(secret, normalizedCode(code), now);
  if (secret === null || step === null || step <= app.lastStep) {
    await run(db, 'UPDATE code_apps SET failures = failures + 1 WHERE "userId" = $1', [userId]);
    return false;
  }
  // This statement also stores the secret in encrypted form, because the secret may have been stored unencrypted before SECOND_FACTOR_KEY
  // was set.
  const accept = 'UPDATE code_apps SET "lastStep" = $2, "usedAt" = $3, secret = $4 WHERE "userId" = $1';
  await run(db, accept, [userId, step, now, encrypt(secret, userId, key)]);
  return true;
}

const REDEEM_RECOVERY_CODE =
  'UPDATE recovery_codes SET "usedAt" = $3 WHERE "userId" = $1 AND "codeHash" = $2 AND "usedAt" IS NULL RETURNING 1';

/** Marks a recovery code as used. Returns false when the code is wrong or was already used. */
export const redeemRecoveryCode = async (db: Db, userId: number, { code, now }: { code: string; now: Date }): Promise<boolean> =>
  (await run(db, REDEEM_RECOVERY_CODE, [userId, hashOfRecoveryCode(code), now])).length > 0;

export async function clearCodeFailures(db: Db, userId: number): Promise<void> {
  await run(db, 'UPDATE code_apps SET failures = 0 WHERE "userId" = $1 AND failures > 0', [userId]);
}
