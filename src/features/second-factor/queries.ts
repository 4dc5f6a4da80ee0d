import type { Factor } from '../../domain/accounts/second-factor.ts';
import type { Row } from '../../server/database/schema.ts';
import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { recordUserAction } from '../audit/queries.ts';
import type { FactorAct } from '../distributors/contract.ts';
import { recordDistributorAct } from '../distributors/queries.ts';
import { assertFound, notFound } from '../../server/errors.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from '../../server/auth/second-factor/recovery-codes.ts';
import type { PasskeyItem, SecondFactor } from './contract.ts';

export type StoredPasskey = Pick<Row<'passkeys'>, 'id' | 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

export const listPasskeys = (db: Db, userId: number): Promise<StoredPasskey[]> =>
  run<StoredPasskey>(db, 'SELECT id, "credentialId", "publicKey", counter, transports FROM passkeys WHERE "userId" = $1 ORDER BY id', [
    userId,
  ]);

const PASSKEYS = 'SELECT id, name, "createdAt", "usedAt" FROM passkeys WHERE "userId" = $1 ORDER BY id';
const OWN = `SELECT c."createdAt", c."usedAt",
    (SELECT count(*) FROM recovery_codes r WHERE r."userId" = u.id AND r."usedAt" IS NULL) AS "recoveryCodes",
    u.role = 'agent' AND u."requireSecondFactor" AS "isRequired"
  FROM users u LEFT JOIN code_apps c ON c."userId" = u.id WHERE u.id = $1`;

interface OwnRow {
  /** The time when the user added the code app. This field and `usedAt` are null when the user has no code app. */
  readonly createdAt: string | null;
  readonly usedAt: string | null;
  readonly recoveryCodes: number;
  readonly isRequired: boolean;
}

export async function findSecondFactor(db: Db, userId: number): Promise<SecondFactor> {
  const own = assertFound(await runOne<OwnRow>(db, OWN, [userId]), 'User');
  const { createdAt, usedAt, ...rest } = own;
  const codeApp = createdAt === null ? null : { createdAt, usedAt };
  return { ...rest, passkeys: await run<PasskeyItem>(db, PASSKEYS, [userId]), codeApp };
}

const SAVE_SETUP = `INSERT INTO second_factor_setups ("userId", kind, secret, "expiresAt") VALUES ($1, $2, $3, $4)
  ON CONFLICT ("userId", kind) DO UPDATE SET secret = excluded.secret, "expiresAt" = excluded."expiresAt"`;

/** Saves a set-up that the user has begun but not finished. An earlier set-up of the same kind of factor is replaced. */
export async function saveSetup(db: Db, userId: number, setup: { kind: Factor; secret: string; expiresAt: Date }): Promise<void> {
  await run(db, SAVE_SETUP, [userId, setup.kind, setup.secret, setup.expiresAt]);
}

/** Returns the secret of the set-up that the user has begun, or null when there is none or it has expired. */
export async function findSetup(db: Db, userId: number, kind: Factor, now: Date): Promise<string | null> {
  const text = 'SELECT secret FROM second_factor_setups WHERE "userId" = $1 AND kind = $2 AND "expiresAt" > $3';
  return (await runOne<{ secret: string }>(db, text, [userId, kind, now]))?.secret ?? null;
}

/** Deletes the set-up that the user has finished. Returns false when another call has finished the same set-up. */
export async function closeSetup(db: Db, userId: number, { kind, secret }: { kind: Factor; secret: string }): Promise<boolean> {
  const text = 'DELETE FROM second_factor_setups WHERE "userId" = $1 AND kind = $2 AND secret = $3 RETURNING 1';
  return (await run(db, text, [userId, kind, secret])).length > 0;
}

const SAVE_PASSKEY = `INSERT INTO passkeys ("userId", "credentialId", "publicKey", counter, transports, name, "createdAt")
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ("credentialId") DO NOTHING RETURNING id`;

type NewPasskey = Pick<Row<'passkeys'>, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'>;

/** Saves a passkey. Returns false when the passkey exists already. */
export async function savePasskey(db: Db, userId: number, passkey: NewPasskey, now: Date): Promise<boolean> {
  const { credentialId, publicKey, counter, transports, name } = passkey;
  return (await run(db, SAVE_PASSKEY, [userId, credentialId, publicKey, counter, transports, name, now])).length > 0;
}

export async function savePasskeyName(db: Db, userId: number, { id, name }: { id: number; name: string }): Promise<void> {
  const text = 'UPDATE passkeys SET name = $3 WHERE id = $2 AND "userId" = $1 RETURNING id';
  if ((await run(db, text, [userId, id, name])).length === 0) throw notFound('Passkey');
}

export async function deletePasskey(db: Db, userId: number, id: number): Promise<void> {
  const deleted = await run(db, 'DELETE FROM passkeys WHERE id = $2 AND "userId" = $1 RETURNING id', [userId, id]);
  if (deleted.length === 0) throw notFound('Passkey');
}

export async function assertPasskey(db: Db, userId: number, id: number): Promise<void> {
  const found = await run(db, 'SELECT 1 FROM passkeys WHERE id = $2 AND "userId" = $1', [userId, id]);
  if (found.length === 0) throw notFound('Passkey');
}

const SAVE_CODE_APP = `INSERT INTO code_apps ("userId", secret, "lastStep", "createdAt") VALUES ($1, $2, $3, $4)
  ON CONFLICT ("userId") DO NOTHING RETURNING 1`;

/**
 * Saves a code app. `step` is the time step of the first code, which is saved so that this code cannot be used again. Returns false when
 * the user already has a code app.
 */
export async function saveCodeApp(
  db: Db,
  userId: number,
  { secret, step, now }: { secret: string; step: number; now: Date },
): Promise<boolean> {
  return (await run(db, SAVE_CODE_APP, [userId, secret, step, now])).length > 0;
}

export const deleteCodeApp = async (db: Db, userId: number): Promise<boolean> =>
  (await run(db, 'DELETE FROM code_apps WHERE "userId" = $1 RETURNING 1', [userId])).length > 0;

/** Replaces all recovery codes of the user. Returns the new codes and stores their hashes. */
export async function renewCodes(db: Db, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  await run(db, 'DELETE FROM recovery_codes WHERE "userId" = $1', [userId]);
  const text = 'INSERT INTO recovery_codes ("userId", "codeHash") SELECT $1, unnest($2::text[])';
  await run(db, text, [userId, codes.map(hashOfRecoveryCode)]);
  return codes;
}

const DELETE_ALL = `WITH p AS (DELETE FROM passkeys WHERE "userId" = $1 RETURNING 1), c AS (DELETE FROM code_apps WHERE "userId" = $1 RETURNING 1),
    r AS (DELETE FROM recovery_codes WHERE "userId" = $1), s AS (DELETE FROM second_factor_setups WHERE "userId" = $1)
  SELECT (SELECT count(*) FROM p) + (SELECT count(*) FROM c) AS removed`;

/** Removes all factors and the recovery codes of the user. Returns false when the user had no factor. */
export async function deleteFactors(db: Db, userId: number): Promise<boolean> {
  return (await runSingle<{ removed: number }>(db, DELETE_ALL, [userId])).removed > 0;
}

type Owner = Pick<Row<'users'>, 'id' | 'email' | 'role' | 'distributorId'>;

/**
 * Writes a row to the audit log. A distributor sees the rows about the distributor's agents, and the admin sees the rows about
 * distributors. Actions on admins are not recorded.
 */
export async function recordFactorAct(db: Db, act: FactorAct, user: Owner, by: number): Promise<void> {
  if (user.role === 'agent') await recordUserAction(db, { tenantId: user.distributorId ?? 0, userId: by }, act, user);
  if (user.role === 'distributor') await recordDistributorAct(db, act, { id: user.id, by });
}
