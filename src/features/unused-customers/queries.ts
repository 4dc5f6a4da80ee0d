import { run, runOne, type Db } from '../../server/database/db.ts';
import { rowsInChunks } from '../../server/database/id-chunks.ts';
import type { QueuePosition } from '../../server/queues/expensive-queue.ts';
import { notFound } from '../../server/errors.ts';
import { PLACEHOLDER_SQL, realEmailSql } from '../../server/mail/placeholder-email.ts';
import { keepUnsubscribeLinksSql } from '../unsubscribe/queries.ts';
import { recordRemoval, recordUserAction } from '../audit/queries.ts';
import type { UnusedCustomer } from './contract.ts';
import { customerName, REMOVED_BEFORE_SENT } from './texts.ts';
import { NAME_COLUMNS } from '../contact/queries.ts';

const NEVER_SIGNED_IN = `u."lastLoginAt" IS NULL AND u.password IS NULL`;
const hasNo = (table: string, condition: string): string =>
  `NOT EXISTS (SELECT FROM ${table} t WHERE t."distributorId" = u."distributorId" AND ${condition})`;
// Customers without an e-mail address order by telephone, so that they never sign in. Staff correct only contacts that they need.
const INVITED = `${NEVER_SIGNED_IN} AND ${realEmailSql('u')} IS NOT NULL AND ${hasNo('contact_audit', 't."userId" = u.id')}`;
const JOINED = `u."joinedAt" IS NOT NULL AND ${hasNo('waiting_list', 't."customerId" = u.id')}
  AND ${hasNo('contact_audit', 't."userId" = u.id AND t."updatedBy" <> u.id')}`;
const NEVER_ORDERED = hasNo('orders', 't."customerId" = u.id');
// An order may have payments, so a customer without an order has no payment.
const UNUSED = `(${NEVER_SIGNED_IN} OR ${JOINED}) AND ${NEVER_ORDERED}`;
/** The unused customers that a distributor may remove in bulk. */
const REMOVABLE = `(${INVITED} OR ${JOINED}) AND ${NEVER_ORDERED}`;
const OWN = `u."distributorId" = $1 AND u.role = 'customer' AND u."removedAt" IS NULL`;

const numbered = (which: string): string =>
  `SELECT u.id, row_number() OVER (ORDER BY u.id DESC) - 1 AS place FROM users u WHERE ${OWN} AND ${which} AND ${NEVER_ORDERED}`;
const NUMBERED = { invited: numbered(INVITED), joined: numbered(JOINED) };
const CUSTOMERS = `SELECT FROM users u WHERE u."distributorId" = $1 AND u.role = 'customer'`;
const LISTED = `SELECT u.id AS "userId", ${realEmailSql('u')} AS email, ${NAME_COLUMNS}
  FROM users u LEFT JOIN contacts c ON c."userId" = u.id WHERE ${OWN} AND u.id = ANY($2::int[]) AND ${REMOVABLE} ORDER BY u.id DESC`;

/** Yields the unused customers who never signed in, or those who joined through the join link, the newest first. */
export const unusedCustomersOf = (db: Db, queue: QueuePosition, which: keyof typeof NUMBERED): AsyncGenerator<UnusedCustomer[]> =>
  rowsInChunks(db, { numbered: NUMBERED[which], values: [queue.distributorId], queue, searched: CUSTOMERS }, (ids) =>
    run<UnusedCustomer>(db, LISTED, [queue.distributorId, ids]),
  );

const WITHOUT_EMAIL = `email = ${PLACEHOLDER_SQL}, "resetPasswordToken" = NULL, "resetPasswordExpires" = NULL,
  "invitationToken" = NULL, "invitationExpires" = NULL, "unsubscribeToken" = gen_random_uuid()`;
const REMOVE = `WITH links AS (${keepUnsubscribeLinksSql(`u.id = ANY($1::int[]) AND ${UNUSED}`)})
  UPDATE users u SET ${WITHOUT_EMAIL}, password = NULL, "lastLoginAt" = NULL, "removedAt" = $2, "disabledAt" = $2 WHERE u.id = ANY($1::int[]) AND ${UNUSED} RETURNING u.id`;
const RELEASE = `WITH links AS (${keepUnsubscribeLinksSql('u.id = $1')}) UPDATE users SET ${WITHOUT_EMAIL} WHERE id = $1`;

const ERASED_TABLES = ['contacts', 'contact_audit', 'session_store', 'devices', 'idempotency_keys'];

/** Removes those users who are still unused, and returns their ids. The caller must have locked the users' rows. */
export async function removeUnused(db: Db, userIds: readonly number[], now: Date): Promise<number[]> {
  const removed = (await run<{ id: number }>(db, REMOVE, [userIds, now])).map(({ id }) => id);
  for (const table of ERASED_TABLES) await run(db, `DELETE FROM ${table} WHERE "userId" = ANY($1::int[])`, [removed]);
  await dropMails(db, removed);
  return removed;
}

/** Invalidates all links that were mailed to these users, and suppresses their queued mails. */
async function dropMails(db: Db, userIds: readonly number[]): Promise<void> {
  await run(db, 'DELETE FROM replaced_links WHERE "userId" = ANY($1::int[])', [userIds]);
  const suppress = `UPDATE emails SET status = 'suppressed', response = $2
    WHERE "userId" = ANY($1::int[]) AND kind <> 'confirmation' AND status = 'queued'`;
  await run(db, suppress, [userIds, REMOVED_BEFORE_SENT]);
}

const NAME = `INSERT INTO contacts AS c ("userId", "firstName", "lastName", address, city, state, zip, phone)
  VALUES ($1, '', $2, '', '', '', '', '')
  ON CONFLICT ("userId") DO UPDATE SET "lastName" = excluded."lastName" WHERE c."firstName" = '' AND c."lastName" = ''`;

/**
 * Replaces the e-mail address of a user by the placeholder of customers without an e-mail address. The orders and the contact stay. A user
 * without a name gets a name, because staff could otherwise not tell the user from others.
 */
async function releaseEmail(db: Db, { userId, tenantId, email }: { userId: number; tenantId: number; email: string }): Promise<void> {
  await run(db, RELEASE, [userId]);
  await run(db, NAME, [userId, customerName(userId)]);
  await dropMails(db, [userId]);
  await recordUserAction(db, { userId, tenantId }, 'mend', { id: userId, email });
}

/**
 * Removes the given customers if they are unused, and returns the ids of the removed ones. If one id is unknown or belongs to another
 * distributor, the function removes nobody and the reply is 404.
 */
export async function removeCustomers(
  db: Db,
  { distributorId, userIds, now }: { distributorId: number; userIds: readonly number[]; now: Date },
): Promise<number[]> {
  // Saving an order also locks the row of its customer. If an order is being saved, this lock waits for the end of the save. `removeUnused`
  // then finds the order and keeps the customer.
  const lock = `SELECT 1 FROM users u WHERE ${OWN} AND u.id = ANY($2::int[]) ORDER BY u.id FOR UPDATE`;
  if ((await run(db, lock, [distributorId, userIds])).length < userIds.length) throw notFound('Customer');
  const removable = await run<{ id: number }>(db, `SELECT u.id FROM users u WHERE u.id = ANY($1::int[]) AND ${REMOVABLE}`, [userIds]);
  return await removeUnused(
    db,
    removable.map(({ id }) => id),
    now,
  );
}

/**
 * The SQL condition that the account in the row `u` is unconfirmed. An account is unconfirmed until the owner of its e-mail address
 * confirms it (decision 24). All orders of an unconfirmed account were entered by staff.
 */
export const IS_UNCONFIRMED = `u.role IN ('customer', 'agent') AND ${NEVER_SIGNED_IN}`;

// Selects the unconfirmed account with the e-mail address $1, unless it belongs to the distributor $2. If $2 is null, it may belong to any
// distributor.
const UNCONFIRMED = `FROM users u WHERE u.email = $1 AND u."distributorId" IS DISTINCT FROM $2::int AND ${IS_UNCONFIRMED}`;

/** Whether only another distributor's unconfirmed account has this e-mail address. */
export const isUnconfirmedElsewhere = async (db: Db, email: string, distributorId: number): Promise<boolean> =>
  (await run(db, `SELECT 1 ${UNCONFIRMED}`, [email, distributorId])).length > 0;

/**
 * Removes another distributor's unconfirmed account with this e-mail address, so that the address can be used here. An account with orders
 * loses only its e-mail address. Call this only after the owner of the address has confirmed it for this distributor, or when an admin
 * creates a distributor with this address; `distributorId` is then null.
 */
export async function removeUnconfirmedElsewhere(
  db: Db,
  { email, distributorId, now }: { email: string; distributorId: number | null; now: Date },
): Promise<void> {
  const lock = `SELECT u.id AS "userId", u."distributorId" AS "tenantId" ${UNCONFIRMED} FOR UPDATE OF u`;
  const found = await runOne<{ userId: number; tenantId: number }>(db, lock, [email, distributorId]);
  if (!found) return;
  if ((await removeUnused(db, [found.userId], now)).length > 0) await recordRemoval(db, found, 1);
  else await releaseEmail(db, { ...found, email });
}
