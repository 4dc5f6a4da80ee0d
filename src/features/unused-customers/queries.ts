import { run, runOne, type Db } from '../../server/database/db.ts';
import { rowsInChunks } from '../../server/database/id-chunks.ts';
import { notFound } from '../../server/http/errors.ts';
import { PLACEHOLDER_SQL, realEmailSql } from '../../server/mail/placeholder-email.ts';
import { recordRemoval } from '../audit/queries.ts';
import type { UnusedCustomer } from './contract.ts';
import { REMOVED_BEFORE_SENT } from './texts.ts';
import { NAME_COLUMNS } from '../contact/queries.ts';

const UNUSED = `u."lastLoginAt" IS NULL AND u.password IS NULL
  AND NOT EXISTS (SELECT FROM orders o WHERE o."distributorId" = u."distributorId" AND o."customerId" = u.id)`;
const OWN = `u."distributorId" = $1 AND u.role = 'customer' AND u."removedAt" IS NULL`;

const NUMBERED = `SELECT u.id, row_number() OVER (ORDER BY u.id DESC) - 1 AS place FROM users u WHERE ${OWN} AND ${UNUSED}`;
const LISTED = `SELECT u.id AS "userId", ${realEmailSql('u')} AS email, ${NAME_COLUMNS}
  FROM users u LEFT JOIN contacts c ON c."userId" = u.id WHERE ${OWN} AND u.id = ANY($2::int[]) AND ${UNUSED} ORDER BY u.id DESC`;

export const unusedCustomersOf = (db: Db, distributorId: number): AsyncGenerator<UnusedCustomer[]> =>
  rowsInChunks(db, NUMBERED, [distributorId], (ids) => run<UnusedCustomer>(db, LISTED, [distributorId, ids]));

const NAMELESS = `email = ${PLACEHOLDER_SQL}, "removedAt" = $2, "disabledAt" = $2, "resetPasswordToken" = NULL, "resetPasswordExpires" = NULL,
  "invitationToken" = NULL, "invitationExpires" = NULL`;
const REMOVE = `UPDATE users u SET ${NAMELESS} WHERE u.id = ANY($1::int[]) AND ${UNUSED} RETURNING u.id`;

/**
 * Removes those users who still have no password, no sign-in and no order, and returns their ids. The caller must have locked the users'
 * rows.
 */
export async function removeUnused(db: Db, userIds: readonly number[], now: Date): Promise<number[]> {
  const removed = (await run<{ id: number }>(db, REMOVE, [userIds, now])).map(({ id }) => id);
  for (const table of ['contacts', 'contact_audit', 'replaced_links'])
    await run(db, `DELETE FROM ${table} WHERE "userId" = ANY($1::int[])`, [removed]);
  const suppress = `UPDATE emails SET status = 'suppressed', response = $2
    WHERE "userId" = ANY($1::int[]) AND kind <> 'confirmation' AND status = 'queued'`;
  await run(db, suppress, [removed, REMOVED_BEFORE_SENT]);
  return removed;
}

/**
 * Removes the given customers if they are unused, and returns the ids of the removed ones. If one id is unknown or belongs to another
 * distributor, the function removes nobody and the reply is 404.
 */
export async function removeCustomers(
  db: Db,
  { distributorId, userIds, now }: { distributorId: number; userIds: readonly number[]; now: Date },
): Promise<number[]> {
  // Saving an order also locks the row of its customer. If an order is being saved, this lock therefore waits, and `removeUnused` then
  // finds the order.
  const lock = `SELECT 1 FROM users u WHERE ${OWN} AND u.id = ANY($2::int[]) ORDER BY u.id FOR UPDATE`;
  if ((await run(db, lock, [distributorId, userIds])).length < userIds.length) throw notFound('Customer');
  return await removeUnused(db, userIds, now);
}

// Selects another distributor's unconfirmed account with the e-mail address $1. An account is unconfirmed until the owner of its e-mail
// address confirms it (decision 24).
const UNCONFIRMED = `FROM users u WHERE u.email = $1 AND u."distributorId" <> $2 AND u.role IN ('customer', 'agent') AND ${UNUSED}`;

/** Whether only another distributor's unconfirmed account has this e-mail address. */
export const isUnconfirmedElsewhere = async (db: Db, email: string, distributorId: number): Promise<boolean> =>
  (await run(db, `SELECT 1 ${UNCONFIRMED}`, [email, distributorId])).length > 0;

/**
 * Removes another distributor's unconfirmed account with this e-mail address, so that the address can be used here. Call this only after
 * the owner of the address has confirmed it for this distributor.
 */
export async function removeUnconfirmedElsewhere(
  db: Db,
  { email, distributorId, now }: { email: string; distributorId: number; now: Date },
): Promise<void> {
  const lock = `SELECT u.id AS "userId", u."distributorId" AS "tenantId" ${UNCONFIRMED} FOR UPDATE OF u`;
  const found = await runOne<{ userId: number; tenantId: number }>(db, lock, [email, distributorId]);
  if (found && (await removeUnused(db, [found.userId], now)).length > 0) await recordRemoval(db, found, 1);
}
