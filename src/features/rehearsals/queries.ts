// Creates a rehearsal, using the queries that save real orders, weights and payments. Deletes a rehearsal with every row that belongs to
// it.
import { setTimeout as pause } from 'node:timers/promises';
import { cents, MAX_CENTS } from '../../domain/money.ts';
import { rehearsalOrders, type RehearsedOrder, type RehearsedProduct } from '../../domain/rehearsal/orders.ts';
import { run, runOne, transaction, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { conflict } from '../../server/errors.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { PLACEHOLDER_SQL } from '../../server/mail/placeholder-email.ts';
import { saveWeights, type Weight } from '../actuals/queries.ts';
import { copyCatalogue } from '../copies/queries.ts';
import { reserveOrderIds, saveOrders } from '../orders/queries.ts';
import { accountsOfOrders, saveNewPayment } from '../payments/queries.ts';
import { savePickedUp } from '../pick-up/queries.ts';
import { NOTHING_TO_ORDER, rehearsalName, THERE_IS_ONE } from './texts.ts';
import { lockDistribution, lockForDeletion, OF_DISTRIBUTION } from '../distributions/queries.ts';

type DistributionRow = Row<'distributions'>;
type CopiedSlot = Pick<Row<'slots'>, 'id' | 'label'>;

const INSERT = `INSERT INTO distributions ("distributorId", name, date, "groupOrder", "acceptActuals", "orderingOpen", rehearsal)
  SELECT "distributorId", left($3, 200), date, "groupOrder", true, false, true FROM distributions WHERE "distributorId" = $1 AND id = $2
  ON CONFLICT ("distributorId") WHERE rehearsal DO NOTHING RETURNING *`;
const COPY_SLOTS = `INSERT INTO slots ("distributorId", "distributionId", label, "startsAt", capacity)
  SELECT "distributorId", $3, label, "startsAt", capacity FROM slots WHERE "distributorId" = $1 AND "distributionId" = $2 ORDER BY id RETURNING id, label`;
// Removes the limits that were copied from the real products. With them, some of the invented orders could be refused.
const WITHOUT_LIMITS = `UPDATE products SET total_limit = NULL WHERE "distributorId" = $1 AND "distributionId" = $2`;
const PRODUCTS = `SELECT id, unit_price, unit_qty, unit_qty_is_estimate, max_order_qty FROM products
  WHERE "distributorId" = $1 AND "distributionId" = $2 ORDER BY id`;

/** Creates a rehearsal as a copy of the distribution `original`. The caller must have locked the distribution. */
export async function saveRehearsal(db: Db, by: Viewer, original: DistributionRow): Promise<DistributionRow> {
  const key = [original.distributorId, original.id];
  const rehearsal = await runOne<DistributionRow>(db, INSERT, [...key, rehearsalName(original.name)]);
  if (!rehearsal) throw conflict(THERE_IS_ONE);
  await copyCatalogue(db, original, rehearsal.id);
  const copied = [original.distributorId, rehearsal.id];
  await run(db, WITHOUT_LIMITS, copied);
  const slots = await run<CopiedSlot>(db, COPY_SLOTS, [...key, rehearsal.id]);
  const orders = rehearsalOrders(await run<RehearsedProduct>(db, PRODUCTS, copied), original.id);
  if (orders.length === 0) throw conflict(NOTHING_TO_ORDER);
  const slotted = orders.map((order, index) => ({ ...order, slot: slots[index % slots.length] }));
  const orderIds = await insertOrders(db, by, rehearsal, slotted);
  await insertProgress(db, by, rehearsal, new Map(orders.map((order, index) => [orderIds[index] ?? 0, order])));
  return rehearsal;
}

// Without MATERIALIZED, PostgreSQL may run the query with LIMIT several times and then find more rows than the limit.
const REUSED_FAMILIES = `WITH removed AS MATERIALIZED (SELECT id FROM users
  WHERE "distributorId" = $1 AND role = 'invented' AND "removedAt" IS NOT NULL ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
UPDATE users SET "removedAt" = NULL WHERE id IN (SELECT id FROM removed) RETURNING id`;
const NEW_FAMILIES = `INSERT INTO users (email, role, "distributorId") SELECT ${PLACEHOLDER_SQL}, 'invented', $1 FROM generate_series(1, $2) RETURNING id`;
const CONTACTS = `INSERT INTO contacts ("userId", "firstName", "lastName", phone)
  SELECT id, "firstName", "lastName", phone FROM jsonb_to_recordset($1) AS family (id int, "firstName" text, "lastName" text, phone text)`;

/**
 * Returns the users for the families of a rehearsal. Reuses the families of the previous rehearsal that the cleanup has not deleted yet.
 * Otherwise a distributor who begins and deletes rehearsals again and again would leave more and more users to the cleanup.
 */
async function inventFamilies(db: Db, distributorId: number, count: number): Promise<{ id: number }[]> {
  const reused = await run<{ id: number }>(db, REUSED_FAMILIES, [distributorId, count]);
  return [...reused, ...(await run<{ id: number }>(db, NEW_FAMILIES, [distributorId, count - reused.length]))];
}

async function insertOrders(
  db: Db,
  by: Viewer,
  { distributorId, id }: DistributionRow,
  orders: readonly (RehearsedOrder & { readonly slot: CopiedSlot | undefined })[],
): Promise<number[]> {
  const families = await inventFamilies(db, distributorId, orders.length);
  const contacts = orders.map(({ family }, index) => ({ ...family, ...families[index] }));
  await run(db, CONTACTS, [JSON.stringify(contacts)]);
  const ids = await reserveOrderIds(db, orders.length);
  const items = orders.map(({ lines, slot }, index) => ({
    id: ids[index] ?? 0,
    customerId: families[index]?.id ?? 0,
    version: 1,
    updatedBy: by.userId,
    needsOpenOrdering: false,
    judgedBy: [],
    lines: lines.map(({ productId, quantity }) => ({ productId, quantity, originalQuantity: quantity, isAudited: true })),
    ...(slot && { slotId: slot.id, details: { note: null, slotId: slot.id, before: { slot: null }, after: { slot: slot.label } } }),
  }));
  const results = await saveOrders(
    db,
    items.map((item) => ({ distributionId: id, item })),
  );
  if (results.some(({ outcome }) => outcome !== 'saved')) throw new Error('an order of a rehearsal was not saved');
  return items.map((item) => item.id);
}

const LINES = 'SELECT id, "orderId", "productId" FROM order_products WHERE "distributorId" = $1 AND "distributionId" = $2 ORDER BY id';

/**
 * A rehearsal starts in the middle of the distribution day, so this function saves weights, payments and pick-ups as if they had already
 * happened.
 */
async function insertProgress(db: Db, by: Viewer, rehearsal: DistributionRow, orders: ReadonlyMap<number, RehearsedOrder>): Promise<void> {
  const lines = await run<Pick<Row<'order_products'>, 'id' | 'orderId' | 'productId'>>(db, LINES, [rehearsal.distributorId, rehearsal.id]);
  const weights = lines.flatMap(({ id, orderId, productId }): Weight[] => {
    const line = orders.get(orderId)?.lines.find((one) => one.productId === productId);
    return (line?.weights ?? []).map((weight, sortOrder) => ({ orderProductId: id, sortOrder, actualQuantity: weight / 1000 }));
  });
  await saveWeights(db, by, weights);
  for (const { id, balance } of await accountsOfOrders(db, rehearsal.distributorId, [...orders.keys()])) {
    if (orders.get(id)?.progress !== 'gone') continue;
    const payment = { amount: balance, paymentMethod: 'Cash' as const, description: null, feeAmount: cents(0) };
    if (balance > 0 && balance <= MAX_CENTS) await saveNewPayment(db, by, { id, distributionId: rehearsal.id }, payment);
    await savePickedUp(db, by, id, true);
  }
}

/** The tables whose rows belong to lines of orders. */
const TABLES_OF_LINES = ['actual_quantity_audit', 'actual_quantities', 'order_product_audit'];
/** One transaction deletes at most this many lines, and rows of each of the other tables, because other people may wait for its locks. */
const LINES_AT_ONCE = 200;
const ROWS_AT_ONCE = 5000;
const SOME_LINES = `SELECT id FROM order_products WHERE ${OF_DISTRIBUTION} LIMIT ${LINES_AT_ONCE}`;
const deleteSomeSql = (table: string): string => `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM ${table} WHERE "orderProductId" = ANY ($1::int[]) LIMIT ${ROWS_AT_ONCE})) RETURNING 1`;

/** Deletes some lines of a rehearsal. Returns whether no line is left. The distribution must be locked. */
async function deleteSomeLines(db: Db, { distributorId, id }: DistributionRow): Promise<boolean> {
  const lineIds = (await run<{ id: number }>(db, SOME_LINES, [distributorId, id])).map((line) => line.id);
  for (const table of TABLES_OF_LINES) {
    const deleted = await run(db, deleteSomeSql(table), [lineIds]);
    // The lines are deleted when the table has no more rows of them.
    if (deleted.length === ROWS_AT_ONCE) return false;
  }
  await run(db, 'DELETE FROM order_products WHERE id = ANY ($1::int[])', [lineIds]);
  return lineIds.length < LINES_AT_ONCE;
}

/**
 * Deletes the lines of a rehearsal before `deleteRehearsal` deletes the rest. A rehearsal may have hundreds of thousands of lines, and a
 * single transaction could not delete them in time. If the call ends early, the rehearsal stays with fewer lines, which are invented, and a
 * repeated call continues. The deleted rows do not count toward the limits of saves: each of them has counted when it was written.
 */
export async function deleteRehearsedLines(db: Db, by: Viewer, rehearsalId: number, signal: AbortSignal): Promise<void> {
  const deleteSome = async (db: Db) => {
    const distribution = await lockDistribution(db, by, rehearsalId);
    if (!distribution.rehearsal) throw new Error('only a rehearsal is deleted with its orders');
    return await deleteSomeLines(db, distribution);
  };
  for (let isEmpty = false; !isEmpty;) {
    const began = performance.now();
    isEmpty = await runInQueue({ distributorId: by.tenantId, signal }, () => transaction(db, deleteSome));
    // A pause as long as the transaction leaves half of a database connection's time to other people.
    if (!isEmpty) await pause(performance.now() - began);
  }
}

const OF_LINES = `"orderProductId" IN (SELECT id FROM order_products WHERE ${OF_DISTRIBUTION})`;
/** These statements delete all rows of a rehearsal. Rows that reference other rows are deleted before the rows they reference. */
const DELETIONS: readonly string[] = [
  ...TABLES_OF_LINES.map((table) => `DELETE FROM ${table} WHERE ${OF_LINES}`),
  ...[
    'payments',
    'tills',
    'order_audit',
    'order_products',
    'waiting_list',
    'orders',
    'slots',
    'product_uploads',
    'products',
    'fees',
    'catalogue_audit',
    'distribution_audit',
  ].map((table) => `DELETE FROM ${table} WHERE ${OF_DISTRIBUTION}`),
  'DELETE FROM distributions WHERE "distributorId" = $1 AND id = $2 AND rehearsal',
];
// This statement removes the names of the invented families immediately. The hourly cleanup deletes the rows of these users later, because
// deleting a user searches every table that names the author of a row.
const REMOVE_FAMILIES = `WITH gone AS (UPDATE users SET "removedAt" = now() WHERE "distributorId" = $1 AND role = 'invented' RETURNING id)
  DELETE FROM contacts USING gone WHERE contacts."userId" = gone.id`;

/**
 * Deletes a rehearsal with all its data, and all invented families of the distributor. A distributor has at most one rehearsal, so no other
 * rehearsal needs these families. Before this call, `deleteRehearsedLines` has deleted the lines.
 */
export async function deleteRehearsal(db: Db, { distributorId, id, rehearsal }: DistributionRow): Promise<void> {
  if (!rehearsal) throw new Error('only a rehearsal is deleted with its orders');
  await lockForDeletion(db, id);
  for (const deletion of DELETIONS) await run(db, deletion, [distributorId, id]);
  await run(db, REMOVE_FAMILIES, [distributorId]);
}
