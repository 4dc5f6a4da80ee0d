import { randomBytes } from 'node:crypto';
import { run, runOne, runSingle, transaction, type Db } from '../../server/database/db.ts';
import { throwIfOutdated } from '../../server/errors.ts';
import type { Organization } from './contract.ts';
import { THE_ORGANIZATION } from './texts.ts';

const NOTHING_YET: Organization = { name: null, address: null, city: null, state: null, zip: null, phone: null, timeZone: null };

const ORGANIZATION = `SELECT nullif(name, '') AS name, nullif(address, '') AS address, nullif(city, '') AS city, nullif(state, '') AS state,
    nullif(zip, '') AS zip, nullif(phone, '') AS phone, "timeZone"
  FROM organizations WHERE "distributorId" = $1`;

export async function findOrganization(db: Db, distributorId: number): Promise<Organization> {
  return (await runOne<Organization>(db, ORGANIZATION, [distributorId])) ?? NOTHING_YET;
}

const CREATE = 'INSERT INTO organizations ("distributorId") VALUES ($1) ON CONFLICT DO NOTHING';
const UPDATE = `UPDATE organizations SET name = coalesce($2, ''), address = coalesce($3, ''), city = coalesce($4, ''), state = coalesce($5, ''),
    zip = coalesce($6, ''), phone = coalesce($7, ''), "timeZone" = $8 WHERE "distributorId" = $1`;

/**
 * Saves the given fields of the organization. Throws a conflict if somebody else has changed one of them since it had the value in `before`.
 * `isNew` is true if the organization had no name before. Its row may still have existed before, because the row also stores the join link
 * and the time zone.
 */
export async function saveOrganizationOf(
  db: Db,
  distributorId: number,
  change: Partial<Organization>,
  before?: object,
): Promise<{ isNew: boolean; saved: Organization }> {
  return await transaction(db, async (db) => {
    await run(db, CREATE, [distributorId]);
    const stored = await runSingle<Organization>(db, `${ORGANIZATION} FOR UPDATE`, [distributorId]);
    throwIfOutdated(THE_ORGANIZATION, stored, { before, after: change });
    const saved = { ...stored, ...change };
    const { name, address, city, state, zip, phone, timeZone } = saved;
    await run(db, UPDATE, [distributorId, name, address, city, state, zip, phone, timeZone]);
    const { timeZone: _timeZone, ...named } = stored;
    return { isNew: Object.values(named).every((value) => value === null), saved };
  });
}

export const saveTimeZoneOf = (db: Db, distributorId: number, timeZone: string | null, before?: object) =>
  saveOrganizationOf(db, distributorId, { timeZone }, before);

export async function findJoinCode(db: Db, distributorId: number): Promise<string | null> {
  const text = 'SELECT "joinCode" FROM organizations WHERE "distributorId" = $1';
  return (await runOne<{ joinCode: string | null }>(db, text, [distributorId]))?.joinCode ?? null;
}

/** Returns the id of the distributor with this join code; null if there is none, or if the distributor is disabled. */
export async function findJoined(db: Db, code: string): Promise<number | null> {
  const text = `SELECT o."distributorId" FROM organizations o JOIN users u ON u.id = o."distributorId" AND u."disabledAt" IS NULL WHERE o."joinCode" = $1`;
  return (await runOne<{ distributorId: number }>(db, text, [code]))?.distributorId ?? null;
}

/** Returns 72 random bits as text. The text is short enough to type from a poster, and too random to be guessed. */
export const newJoinCode = (): string => randomBytes(9).toString('base64url');

export async function saveJoinCode(db: Db, distributorId: number, code: string | null): Promise<void> {
  const text = `INSERT INTO organizations ("distributorId", "joinCode") VALUES ($1, $2)
    ON CONFLICT ("distributorId") DO UPDATE SET "joinCode" = excluded."joinCode"`;
  await run(db, text, [distributorId, code]);
}
