import { run, type Db } from '../../server/database/db.ts';
import { notFound } from '../../server/http/errors.ts';
import { PLACEHOLDER_SQL, realEmailSql } from '../../server/mail/placeholder-email.ts';
import type { UnusedCustomer } from './contract.ts';
import { REMOVED_BEFORE_SENT } from './texts.ts';

const UNUSED = `u."lastLoginAt" IS NULL AND u.password IS NULL
  AND NOT EXISTS (SELECT FROM orders o WHERE o."distributorId" = u."distributorId" AND o."customerId" = u.id)`;
const OWN = `u."distributorId" = $1 AND u.role = 'customer' AND u."removedAt" IS NULL`;

export const findUnusedCustomers = (db: Db, distributorId: number): Promise<UnusedCustomer[]> =>
  run<UnusedCustomer>(
    db,
    `SELECT u.id AS "userId", ${realEmailSql('u')} AS email, nullif(c."firstName", '') AS "firstName", nullif(c."lastName", '') AS "lastName"
     FROM users u LEFT JOIN contacts c ON c."userId" = u.id WHERE ${OWN} AND ${UNUSED} ORDER BY u.id DESC`,
    [distributorId],
  );

const REMOVE = `UPDATE users u SET email = ${PLACEHOLDER_SQL}, "removedAt" = $3, "disabledAt" = $3, "resetPasswordToken" = NULL,
    "resetPasswordExpires" = NULL, "invitationToken" = NULL, "invitationExpires" = NULL
  WHERE ${OWN} AND u.id = ANY($2::int[]) AND ${UNUSED} RETURNING u.id`;

/** The ids of the removed; a foreign or unknown id is not found, and nothing is removed then. */
export async function removeCustomers(
  db: Db,
  { distributorId, userIds, now }: { distributorId: number; userIds: readonly number[]; now: Date },
): Promise<number[]> {
  // An order that is being written holds the row of its customer: the check below sees it.
  const lock = `SELECT 1 FROM users u WHERE ${OWN} AND u.id = ANY($2::int[]) ORDER BY u.id FOR UPDATE`;
  if ((await run(db, lock, [distributorId, userIds])).length < userIds.length) throw notFound('Customer');
  const rows = await run<{ id: number }>(db, REMOVE, [distributorId, userIds, now]);
  const removed = rows.map(({ id }) => id);
  await run(db, 'DELETE FROM contacts WHERE "userId" = ANY($1::int[])', [removed]);
  await run(db, 'DELETE FROM contact_audit WHERE "distributorId" = $1 AND "userId" = ANY($2::int[])', [distributorId, removed]);
  await run(db, 'DELETE FROM replaced_links WHERE "userId" = ANY($1::int[])', [removed]);
  const suppress = `UPDATE emails SET status = 'suppressed', response = $2
    WHERE "userId" = ANY($1::int[]) AND kind <> 'confirmation' AND status = 'queued'`;
  await run(db, suppress, [removed, REMOVED_BEFORE_SENT]);
  return removed;
}
