import { run, runOne, runSingle, type Db } from '../../server/database/db.ts';
import { assertFound, conflict } from '../../server/errors.ts';
import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { nextCatalogueVersion, OF_DISTRIBUTION, type DistributionKey } from '../distributions/queries.ts';
import { removeUnused } from '../unused-customers/queries.ts';
import { TOO_LATE, UPLOAD_ENDED } from './texts.ts';
import type { PlannedChange } from '../catalogue/contract.ts';
import { MAX_KEPT_LISTED, type CustomerUpload, type KeptCustomer, type ProductUpload, type UndoneCustomers } from './contract.ts';
import { NAME_COLUMNS } from '../contact/queries.ts';

const IN_TIME = `u."startedAt" > now() - interval '24 hours'`;
const CAN_BE_UNDONE = `u."finishedAt" IS NOT NULL AND u."undoneAt" IS NULL AND ${IN_TIME}`;
// An upload that wrote products can be undone even if its end was never stored. The end is missing if the page was closed or lost the
// network.
const PRODUCTS_CAN_BE_UNDONE = `(u."finishedAt" IS NOT NULL OR u.writes > 0) AND u."undoneAt" IS NULL AND ${IN_TIME}`;
// pg_column_size does not read the value, which may have 48 MB. An empty array has fewer than 10 bytes.
const CHANGED_PRODUCTS = `(${PRODUCTS_CAN_BE_UNDONE} AND coalesce(pg_column_size(u.changes) > 10, true))`;
const isAdded = (change: string): string => `jsonb_typeof(${change}->'before') = 'null'`;

// The changes that an upload has made: those of an unfinished upload are computed (db/functions/product_upload_changes_v1.sql).
const CHANGES_OF_UPLOAD = 'coalesce(u.changes, product_upload_changes_v1(u.id))';
/** An unfinished upload is shown when it has written nothing for a minute. Until then, it may be running in another window. */
const LAST = `SELECT u.id, coalesce(u."finishedAt", u."writtenAt") AS "finishedAt", ${CHANGES_OF_UPLOAD} AS changes
  FROM product_uploads u WHERE ${OF_DISTRIBUTION} AND ${CHANGED_PRODUCTS}
    AND (u."finishedAt" IS NOT NULL OR u."writtenAt" < now() - interval '1 minute') ORDER BY u.id DESC LIMIT 1`;

export async function findLastProductUpload(db: Db, { distributorId, id }: DistributionKey): Promise<ProductUpload | null> {
  const count = (condition: string) => `(SELECT count(*) FROM jsonb_array_elements(u.changes) c WHERE ${condition})`;
  const text = `SELECT u.id, u."finishedAt", ${count(isAdded('c'))} AS added, ${count(`NOT ${isAdded('c')}`)} AS changed
    FROM (${LAST}) u`;
  return await runOne<ProductUpload>(db, text, [distributorId, id]);
}

const OWN = 'u."distributorId" = $1';

/**
 * The maximum number of a distributor's stored uploads of products that changed something, and of those that changed nothing or have not
 * begun to write. An upload of products may store all products of its distribution. Uploads that changed nothing are counted separately, so
 * that they do not replace uploads that can be undone. The same numbers apply to uploads of customers.
 */
export const MAX_UPLOADS = 10;
/**
 * Returns the SQL that deletes the uploads of the distributor above MAX_UPLOADS, and those older than 24 hours. The uploads that wrote last
 * are kept, so that an upload that is running in another window is not deleted.
 */
const exceptNewest = (table: string, { isChanged, lastWrite }: { isChanged: string; lastWrite: string }): string =>
  `DELETE FROM ${table} u WHERE ${OWN} AND u.id NOT IN (SELECT kept.id FROM (
      SELECT u.id, row_number() OVER (PARTITION BY ${isChanged} ORDER BY coalesce(${lastWrite}, u."startedAt") DESC, u.id DESC) AS place
      FROM ${table} u WHERE ${OWN} AND ${IN_TIME}) kept WHERE kept.place <= ${MAX_UPLOADS})`;
const SUPERSEDED = exceptNewest('product_uploads', { isChanged: CHANGED_PRODUCTS, lastWrite: 'u."writtenAt"' });

/** Begins an upload and stores the products of the distribution. Returns its id and the number of these products. */
export async function beginProducts(db: Db, by: Viewer, { distributorId, id }: DistributionKey): Promise<{ id: number; products: number }> {
  const text = `INSERT INTO product_uploads ("distributorId", "distributionId", "updatedBy", before)
    SELECT $1, $2, $3, coalesce((SELECT jsonb_agg(to_jsonb(p)) FROM products p WHERE ${OF_DISTRIBUTION}), '[]')
    RETURNING id, (SELECT count(*) FROM products p WHERE ${OF_DISTRIBUTION}) AS products`;
  const begun = await runSingle<{ id: number; products: number }>(db, text, [distributorId, id, by.userId]);
  await run(db, SUPERSEDED, [distributorId]);
  return begun;
}

const UPLOAD = `SELECT (${PRODUCTS_CAN_BE_UNDONE}) AS "canBeUndone" FROM product_uploads u WHERE ${OF_DISTRIBUTION} AND u.id = $3`;
// The trigger record_product_upload stores the changes of the upload.
const FINISH = `UPDATE product_uploads u SET "finishedAt" = clock_timestamp(), before = '[]'
  WHERE ${OF_DISTRIBUTION} AND u.id = $3 AND u."finishedAt" IS NULL`;

export async function finishProducts(db: Db, { distributorId, id }: DistributionKey, uploadId: number): Promise<void> {
  const values = [distributorId, id, uploadId];
  assertFound(await runOne(db, `${UPLOAD} FOR UPDATE`, values), 'Upload');
  await run(db, FINISH, values);
}

/** The maximum number of product writes that an upload records. An undo reads all of them. */
export const MAX_WRITES = 20_000;

/** The SQL condition for an upload `u` that may write products. */
const IS_OPEN_UPLOAD = `u."finishedAt" IS NULL AND ${IN_TIME} AND u.writes < ${MAX_WRITES}`;

/**
 * Throws 'not found' if the distribution has no such upload. Throws 409 if the upload was finished or undone, if it is too old to be undone,
 * or if it has written too many products.
 */
export async function assertOpenUpload(db: Db, { distributorId, id }: DistributionKey, uploadId: number): Promise<void> {
  const text = `SELECT ${IS_OPEN_UPLOAD} AS "isOpen" FROM product_uploads u WHERE ${OF_DISTRIBUTION} AND u.id = $3`;
  const { isOpen } = assertFound(await runOne<{ isOpen: boolean }>(db, text, [distributorId, id, uploadId]), 'Upload');
  if (!isOpen) throw conflict(UPLOAD_ENDED);
}

/** The SQL that locks the upload $4, so that it cannot end before the write. The locks are in the same sequence as those of an undo. */
export const OPEN_UPLOAD = `upload AS MATERIALIZED (SELECT u.id FROM product_uploads u JOIN queued ON queued.id = u."distributionId"
  WHERE u.id = $4 AND ${IS_OPEN_UPLOAD} FOR UPDATE OF u)`;
export const MAY_WRITE = '($4::int IS NULL OR EXISTS (SELECT FROM upload))';

/** The SQL expression for what an added product replaces. */
export const NOTHING = `'null'::jsonb`;
/** The SQL expression for the product $1 that a change replaces. It is null if the upload $4 had written that product itself. */
export const REPLACED = `(SELECT to_jsonb(old) FROM jsonb_populate_record(NULL::products, $1::jsonb) old WHERE NOT EXISTS (
  SELECT FROM product_upload_writes w WHERE w."uploadId" = $4 AND w."productId" = old.id AND w.hash = product_hash_v1(old)))`;
/**
 * Returns the SQL that records the products of the table `written` as writes of the upload $4. Each write adds one row of its own: a list in
 * the row of the upload would be stored again as a whole with each write. `before` is one of the two SQL expressions above.
 */
export const recordedSql = (written: 'added' | 'changed', before: string): string => `counted AS (UPDATE product_uploads u
      SET writes = u.writes + (SELECT count(*) FROM ${written}), "writtenAt" = clock_timestamp()
    WHERE u.id = (SELECT id FROM upload) AND EXISTS (SELECT FROM ${written})),
  recorded AS (INSERT INTO product_upload_writes ("uploadId", "productId", hash, before)
    SELECT upload.id, (${written}.product).id, product_hash_v1(${written}.product), ${before} FROM upload, ${written} ON CONFLICT DO NOTHING)`;

async function assertCanBeUndone(db: Db, text: string, values: readonly number[]): Promise<void> {
  const { canBeUndone } = assertFound(await runOne<{ canBeUndone: boolean }>(db, text, values), 'Upload');
  if (!canBeUndone) throw conflict(TOO_LATE);
}

/**
 * Locks an upload until the transaction ends. Throws 'not found' if the distribution has no such upload, and 409 if the upload cannot be
 * undone.
 */
export const lockProductUpload = (db: Db, { distributorId, id }: DistributionKey, uploadId: number): Promise<void> =>
  assertCanBeUndone(db, `${UPLOAD} FOR UPDATE`, [distributorId, id, uploadId]);

const CHANGES = `SELECT u."startedAt", change, ${isAdded('change')} AS "isAdded", (change->'after'->>'id')::int AS "productId"
  FROM product_uploads u, jsonb_array_elements(${CHANGES_OF_UPLOAD}) change WHERE ${OF_DISTRIBUTION} AND u.id = $3`;
const BUILT_ON = `SELECT coalesce(p.name, changes.change->'after'->>'name')
  FROM changes LEFT JOIN products p ON p.id = changes."productId" AND ${OF_DISTRIBUTION}
  WHERE NOT coalesce(to_jsonb(p) @> (changes.change->'after'), false)
    OR EXISTS (SELECT FROM order_products l WHERE l."distributionId" = $2 AND l."productId" = changes."productId" AND (changes."isAdded"
      OR EXISTS (SELECT FROM order_product_audit a WHERE a."orderProductId" = l.id AND a."updatedAt" > changes."startedAt")))
  ORDER BY changes."productId" LIMIT 1`;
const LINES = 'SELECT count(*) FROM order_products l WHERE l."distributionId" = $2 AND l."productId" IN (SELECT "productId" FROM changes)';
// All values are from the snapshot of this one statement. `oldestRunning` is the oldest transaction whose changes the statement may not see.
const CHECK = `WITH changes AS MATERIALIZED (${CHANGES})
  SELECT (${BUILT_ON}) AS "builtOn", ARRAY(SELECT "productId" FROM changes) AS "productIds",
    ((SELECT jsonb_array_length(before) FROM product_uploads WHERE id = $3) + (SELECT count(*) FROM changes) + (${LINES}))::int AS "rowsRead",
    (SELECT "catalogueVersion" FROM distributions WHERE "distributorId" = $1 AND id = $2) AS "catalogueVersion",
    pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"`;

export interface UndoCheck {
  /** The name of a product of the upload that was changed or ordered after the upload, or null. Such a product prevents the undo. */
  readonly builtOn: string | null;
  readonly productIds: readonly number[];
  /** The number of products and order lines that were read. */
  readonly rowsRead: number;
  readonly catalogueVersion: number;
  readonly oldestRunning: string;
}

/**
 * Checks whether an upload can be undone, without locking or writing anything. Throws 'not found' if the distribution has no such upload, and
 * 409 if the upload was undone, changed nothing or is too old.
 */
export async function checkUndo(db: Db, { distributorId, id }: DistributionKey, uploadId: number): Promise<UndoCheck> {
  const values = [distributorId, id, uploadId];
  await assertCanBeUndone(db, UPLOAD, values);
  return await runSingle<UndoCheck>(db, CHECK, values);
}

// Every transaction that changes products gives the catalogue a new version, and every transaction that changes the lines of an order writes
// the row of the order. The subquery for the lines runs only for orders that may have been written since the check.
const IS_CHANGED = `SELECT d."catalogueVersion" <> $3 OR EXISTS (SELECT FROM orders o
    WHERE o."distributorId" = $1 AND o."distributionId" = $2 AND age(o.xmin) <= age($4::text::xid8::xid)
      AND (SELECT count(*) FROM order_products l WHERE l."orderId" = o.id AND l."productId" = ANY($5::int[])) > 0) AS "isChanged"
  FROM distributions d WHERE d."distributorId" = $1 AND d.id = $2`;

/**
 * Returns whether a product of the upload may have been changed or ordered since `checkUndo`. It is much faster than `checkUndo`, and customers
 * wait for it. The caller must have locked the distribution.
 */
export async function mayHaveChanged(db: Db, { distributorId, id }: DistributionKey, checked: UndoCheck): Promise<boolean> {
  const values = [distributorId, id, checked.catalogueVersion, checked.oldestRunning, checked.productIds];
  return (await runSingle<{ isChanged: boolean }>(db, IS_CHANGED, values)).isChanged;
}

// Changes each product back to its values before the upload. change_products_v1 saves every change of a product, and adds an entry to the
// audit trail if the change re-prices orders.
const RESTORE = `WITH changes AS (${CHANGES})
  SELECT count(restored.id) FROM change_products_v1((SELECT jsonb_agg(jsonb_build_object('before', change->'after', 'after', change->'before'))
    FROM changes WHERE NOT "isAdded"), $4) restored`;
const ADDED = `SELECT "productId" FROM (${CHANGES}) changes WHERE changes."isAdded"`;
const SET_UNDONE = `UPDATE product_uploads u SET "undoneAt" = clock_timestamp(), changes = '[]' WHERE ${OF_DISTRIBUTION} AND u.id = $3`;

/** Undoes an upload. The caller must have locked the distribution and the upload, and checked the upload. */
export async function undoProducts(db: Db, by: Viewer, { distributorId, id }: DistributionKey, uploadId: number): Promise<void> {
  const values = [distributorId, id, uploadId];
  // If the upload was not finished, its changes are not stored yet.
  await run(db, FINISH, values);
  await run(db, RESTORE, [...values, by.userId]);
  // The ids are read first. As a subquery, PostgreSQL could read the changes of the upload again for each product.
  const added = (await run<{ productId: number }>(db, ADDED, values)).map(({ productId }) => productId);
  await run(db, `DELETE FROM waiting_list WHERE ${OF_DISTRIBUTION} AND "productId" = ANY($3)`, [distributorId, id, added]);
  await run(db, `DELETE FROM products WHERE ${OF_DISTRIBUTION} AND id = ANY($3)`, [distributorId, id, added]);
  await run(db, SET_UNDONE, values);
  await nextCatalogueVersion(db, id);
}

const TERMS_BEFORE = `SELECT (b->>'id')::int AS id, (b->>'unit_price')::int AS unit_price, (b->>'unit_qty')::int AS unit_qty,
    (b->>'unit_qty_is_estimate')::boolean AS unit_qty_is_estimate
  FROM (${CHANGES}) changes, LATERAL (SELECT change->'before' AS b) before WHERE NOT "isAdded"`;

/**
 * Returns the prices and unit quantities that the changed products of an upload had before it. Throws 'not found' if the distribution has no
 * such upload.
 */
export async function termsBefore(
  db: Db,
  { distributorId, id }: DistributionKey,
  uploadId: number,
): Promise<PlannedChange['products'][number][]> {
  const values = [distributorId, id, uploadId];
  assertFound(await runOne(db, `SELECT 1 FROM product_uploads u WHERE ${OF_DISTRIBUTION} AND u.id = $3`, values), 'Upload');
  return await run<PlannedChange['products'][number]>(db, TERMS_BEFORE, values);
}

export async function findLastCustomerUpload(db: Db, distributorId: number): Promise<CustomerUpload | null> {
  const text = `SELECT u.id, u."finishedAt", cardinality(u."userIds") AS added FROM customer_uploads u
    WHERE ${OWN} AND ${CAN_BE_UNDONE} ORDER BY u.id DESC LIMIT 1`;
  return await runOne<CustomerUpload>(db, text, [distributorId]);
}

const SUPERSEDED_CUSTOMERS = exceptNewest('customer_uploads', { isChanged: `(${CAN_BE_UNDONE})`, lastWrite: 'u."finishedAt"' });

export async function beginCustomers(db: Db, { tenantId, userId }: Viewer): Promise<{ id: number }> {
  const text = 'INSERT INTO customer_uploads ("distributorId", "updatedBy") VALUES ($1, $2) RETURNING id';
  const begun = await runSingle<{ id: number }>(db, text, [tenantId, userId]);
  await run(db, SUPERSEDED_CUSTOMERS, [tenantId]);
  return begun;
}

/**
 * Locks an upload of customers until the transaction ends. Throws 'not found' if the distributor has no such upload, and 409 if the upload
 * was undone or is too old.
 */
export async function lockCustomerUpload(db: Db, { tenantId }: Viewer, uploadId: number): Promise<{ userIds: number[] }> {
  const text = `SELECT u."userIds", u."undoneAt" IS NULL AND ${IN_TIME} AS "isOpen" FROM customer_uploads u WHERE ${OWN} AND u.id = $2 FOR UPDATE`;
  const upload = assertFound(await runOne<{ userIds: number[]; isOpen: boolean }>(db, text, [tenantId, uploadId]), 'Upload');
  if (!upload.isOpen) throw conflict(TOO_LATE);
  return upload;
}

/** Adds created customers to an upload. The caller must have locked the upload. */
export async function addToUpload(db: Db, uploadId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  const text = `UPDATE customer_uploads SET "userIds" = "userIds" || $2::int[], "finishedAt" = clock_timestamp() WHERE id = $1`;
  await run(db, text, [uploadId, userIds]);
}

const OF_CUSTOMER = 'x."distributorId" = u."distributorId" AND x."customerId" = u.id';
const OF_USER = 'x."distributorId" = u."distributorId" AND x."userId" = u.id';
// An SQL expression for the reason why a customer is kept when the upload is undone, or null. An invitation that staff sent again is not a
// reason.
const STAY_REASON = `CASE
  WHEN EXISTS (SELECT FROM orders x JOIN payments p ON p."distributorId" = x."distributorId" AND p."distributionId" = x."distributionId"
    AND p."orderId" = x.id WHERE ${OF_CUSTOMER}) THEN 'paid'
  WHEN EXISTS (SELECT FROM orders x WHERE ${OF_CUSTOMER}) THEN 'ordered'
  WHEN u."lastLoginAt" IS NOT NULL THEN 'signed-in'
  WHEN u.password IS NOT NULL THEN 'accepted'
  WHEN u."bulkMailStoppedAt" IS NOT NULL THEN 'unsubscribed'
  WHEN EXISTS (SELECT FROM contact_audit x WHERE ${OF_USER})
    OR EXISTS (SELECT FROM user_audit x WHERE ${OF_USER} AND x.act <> 'invite') THEN 'changed' END`;
// This condition selects the customers of an upload. It leaves out customers who have been removed since the upload, so that they are not
// removed again or reported as kept.
const STILL_THERE = `u."distributorId" = $1 AND u.id = ANY($2::int[]) AND u.role = 'customer' AND u."removedAt" IS NULL`;
const REASONS = `SELECT u.id AS "userId", ${STAY_REASON} AS reason FROM users u WHERE ${STILL_THERE} ORDER BY u.id`;
type ReasonToKeep = Pick<KeptCustomer, 'userId'> & { readonly reason: KeptCustomer['reason'] | null };
const KEPT = `SELECT u.id AS "userId", ${realEmailSql('u')} AS email, ${NAME_COLUMNS}, ${STAY_REASON} AS reason
  FROM users u LEFT JOIN contacts c ON c."userId" = u.id WHERE ${STILL_THERE} ORDER BY u.id`;

/**
 * Undoes an upload of customers. Keeps each customer for whom there is a reason (STAY_REASON) and removes the others. Returns the
 * first MAX_KEPT_LISTED of the kept customers with the reasons. The caller must have locked the upload.
 */
export async function undoCustomers(
  db: Db,
  { tenantId }: Viewer,
  { uploadId, userIds, now }: { uploadId: number; userIds: readonly number[]; now: Date },
): Promise<UndoneCustomers> {
  // This statement locks the customers' rows. Every action of a customer locks the same row. Nothing can therefore happen between reading
  // the reasons and removing the customers.
  await run(db, `SELECT 1 FROM users u WHERE ${STILL_THERE} ORDER BY u.id FOR UPDATE`, [tenantId, userIds]);
  const reasons = await run<ReasonToKeep>(db, REASONS, [tenantId, userIds]);
  const unused = reasons.filter(({ reason }) => reason === null).map(({ userId }) => userId);
  const stayed = reasons.filter(({ reason }) => reason !== null).map(({ userId }) => userId);
  const kept = await run<KeptCustomer>(db, KEPT, [tenantId, stayed.slice(0, MAX_KEPT_LISTED)]);
  const removed = await removeUnused(db, unused, now);
  await run(db, 'UPDATE customer_uploads SET "undoneAt" = clock_timestamp() WHERE id = $1', [uploadId]);
  return { removed: removed.length, stayed: stayed.length, kept };
}
