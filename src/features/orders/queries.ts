// Saves orders with the SQL function save_orders_v3 (db/functions), several orders at once. The function first locks the data on which an
// order depends. It then checks that ordering is open, that the data with which the caller validated the order has not changed, and that
// the limits and the pick-up time still allow the order. If a check fails, the function does not write that order, and the caller validates
// it again with the current state.
import { sum } from '../../domain/money.ts';
import type { Quantities } from '../../domain/order.ts';
import type { ChangedLine } from '../../domain/ordering/changed-lines.ts';
import { withActuals } from '../../domain/weights/actuals.ts';
import { lossesOf } from '../../domain/weights/losses.ts';
import { run, runOne, snapshot, type Db } from '../../server/database/db.ts';
import { chunksOfFewRows, readAhead } from '../../server/database/id-chunks.ts';
import { assertFound } from '../../server/errors.ts';
import { queuePositionOf, runInQueue } from '../../server/queues/expensive-queue.ts';
import { batchPerDb } from '../../server/database/batcher.ts';
import type { Row } from '../../server/database/schema.ts';
import type { Viewer } from '../../server/auth/session.ts';
import type { CountRows } from '../../server/database/count-rows.ts';
import type { IdempotencyRecord } from '../../server/database/idempotency-record.ts';
import { CONTACT_COLUMNS } from '../contact/queries.ts';
import { distributionFor } from '../distributions/queries.ts';
import { listFeesOf } from '../fees/queries.ts';
import { accountsOfOrders, findAccount, readAccountData } from '../payments/queries.ts';
import { listProductsOf } from '../products/queries.ts';
import type { StaffContact } from '../contact/contract.ts';
import { withDetails, type Order, type OrderPageData, type StoredDetails } from './contract.ts';
import type { Offered } from '../order-state/queries.ts';
import { queueForOrders, ROWS_OF_ORDER } from '../order-rows/queries.ts';

const RESERVE = `SELECT nextval('orders_id_seq')::int AS id FROM generate_series(1, $1)`;

/** Reserves ids for new orders. Nothing else gets these ids, even if the orders are never saved. */
export const reserveOrderIds = async (db: Db, count: number): Promise<number[]> =>
  (await run<{ id: number }>(db, RESERVE, [count])).map(({ id }) => id);

const RESERVED_AT_ONCE = 20;
/** The reserved ids that no order has got yet, for each database. */
const reserved = new WeakMap<Db, number[]>();

/**
 * Returns an id for a new order. The id is known before the order is written, so that the reply can be stored together with the order. The
 * caller must call `giveBackOrderId` if the order is not saved. Otherwise, such orders would use up the 2,147,483,647 ids that all
 * distributors share.
 */
export async function newOrderId(db: Db): Promise<number> {
  const ids = reserved.get(db) ?? [];
  reserved.set(db, ids);
  if (ids.length === 0) ids.push(...(await reserveOrderIds(db, db.isTransaction ? 1 : RESERVED_AT_ONCE)));
  // Concurrent requests may have taken all ids that this request has reserved.
  return ids.shift() ?? (await newOrderId(db));
}

/** Makes the id of an order that was not saved available for another new order. */
export const giveBackOrderId = (db: Db, id: number): void => void reserved.get(db)?.push(id);

/** A changed note or pick-up time. `before` and `after` contain the changed fields, for the audit row. */
export interface OrderDetails extends StoredDetails {
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
}

/** One order to save, in the JSON format of save_orders_v3. */
interface OrderItem extends Partial<IdempotencyRecord> {
  readonly id: number;
  readonly customerId: number;
  /** The version after the save: the version with which the order was validated, plus one. */
  readonly version: number;
  readonly updatedBy: number;
  readonly needsOpenOrdering: boolean;
  /** The products with which the order was validated, and the version of the catalogue that contains them. */
  readonly judgedBy: readonly Omit<Offered, 'name' | 'left'>[];
  readonly catalogueVersion?: number;
  readonly lines: readonly ChangedLine[];
  /** The pick-up time of the saved order. A customer's save is refused if this pick-up time is full, unless the order already had it. */
  readonly slotId?: number | null;
  /** False if the order may be saved without a pick-up time although the distribution has pick-up times. */
  readonly needsSlot?: boolean;
  readonly details?: OrderDetails | null;
  /** The products whose limit the order may exceed. Only staff can confirm this. */
  readonly beyondLimits?: readonly number[];
  /** The version of the order's row from `findLosses`. If the row was written since, the order is validated again. */
  readonly rowVersion?: string;
}
export interface OrderWrite {
  readonly distributionId: number;
  readonly item: OrderItem;
}
/**
 * What save_orders_v3 did with an order. 'key used': another request used the Idempotency-Key before. 'no customer': the customer has no
 * order yet, and was removed before the save. 'outdated': a check failed, so the caller validates the order again.
 */
export type SaveOutcome = 'saved' | 'key used' | 'no customer' | 'outdated';
export interface SaveResult {
  readonly outcome: SaveOutcome;
  /** How many order lines and entries of waiting lists save_orders_v3 has added up for the limited products of the order. */
  readonly summed: number;
}

/**
 * How long PostgreSQL waits for the locks of several orders that are saved together. The time is short, because one locked order delays all
 * of them. After this time, each order is saved alone.
 */
const BATCH_LOCK_WAIT = '300ms';
const LOCK_WAIT = '5s';
const SAVE = 'SELECT id, outcome, summed FROM save_orders_v3($1, $2, $3)';

const OUTDATED: SaveResult = { outcome: 'outdated', summed: 0 };

/**
 * Saves orders of one distribution. If several of these orders compete for the last units of a product, the first ones are saved. If several
 * are of the same customer, only the first one is saved. The outcome of the others is 'outdated'.
 */
export async function saveOrders(db: Db, orders: readonly OrderWrite[]): Promise<SaveResult[]> {
  const [first] = orders;
  if (!first) return [];
  const firstOfCustomer = new Map(orders.toReversed().map(({ item }) => [item.customerId, item]));
  const isFirst = ({ item }: OrderWrite): boolean => firstOfCustomer.get(item.customerId) === item;
  const items = JSON.stringify(orders.filter(isFirst).map(({ item }) => item));
  const lockWait = orders.length > 1 && !db.isTransaction ? BATCH_LOCK_WAIT : LOCK_WAIT;
  const rows = await run<SaveResult & { id: number }>(db, SAVE, [first.distributionId, items, lockWait]);
  const results = new Map(rows.map(({ id, ...result }) => [id, result]));
  return orders.map((order) => (isFirst(order) && results.get(order.item.id)) || OUTDATED);
}

const saveInBatch = batchPerDb(saveOrders, {
  leavesRoom: true,
  personOf: ({ item }) => String(item.updatedBy),
  weightOf: ({ item }) => item.lines.length + 1,
});

/** An order with more lines is long: its save waits in the queue of expensive reads, and no other order waits for it in a batch. */
export const MANY_LINES = 100;

/**
 * Saves one order in a transaction. If the order is not saved, the locks that the save has taken are released. An outdated order is validated
 * and saved again, perhaps with other products. With the locks of both saves, the transaction would not have locked the products in the
 * sequence of their ids, so that two such transactions could cause a deadlock.
 */
async function saveInTransaction(db: Db, order: OrderWrite): Promise<SaveResult> {
  await run(db, 'SAVEPOINT before_save', []);
  const [result = OUTDATED] = await saveOrders(db, [order]);
  if (result.outcome !== 'saved') await run(db, 'ROLLBACK TO SAVEPOINT before_save', []);
  return result;
}

/**
 * Saves one order. Unless `db` is a transaction or the order is long, the order is saved together with other orders of the distribution that
 * are saved at the same time.
 */
export async function saveOrder(db: Db, { tenantId }: Pick<Viewer, 'tenantId'>, order: OrderWrite): Promise<SaveResult> {
  if (db.isTransaction) return await saveInTransaction(db, order);
  if (order.item.lines.length <= MANY_LINES) return await saveInBatch(db, String(order.distributionId), order, String(tenantId));
  const [result = OUTDATED] = await saveOrders(db, [order]);
  return result;
}

const ROW_VERSION = 'SELECT xmin::text AS "rowVersion" FROM orders WHERE "distributorId" = $1 AND id = $2';

/**
 * Returns what the order would lose with these quantities, and the version of its row. Each change of its weights or payments writes this row.
 * `offered` are the products with a quantity.
 */
export async function findLosses(
  db: Db,
  { tenantId, orderId, offered }: { tenantId: number; orderId: number; offered: readonly Offered[] },
  quantities: Quantities,
) {
  // The version is read first, so that a change after it makes the save outdated.
  const row = await runOne<{ rowVersion: string }>(db, ROW_VERSION, [tenantId, orderId]);
  const { lines, actuals, products, fees, payments } = await readAccountData(db, tenantId, orderId);
  const saved = new Set(products.map(({ id }) => id));
  // No unit of an added product is weighed, so its price is the same whether it is sold by weight or not.
  const added = offered.filter(({ id }) => !saved.has(id)).map((product) => ({ ...product, unit_qty_is_estimate: false }));
  const paid = sum(payments.map(({ amount }) => amount));
  const losses = lossesOf({ lines: withActuals(lines, actuals), products: [...products, ...added], fees, paid }, quantities);
  return { losses, rowVersion: row?.rowVersion, rowsRead: lines.length + actuals.length };
}

type OwnOrder = Pick<Order, 'id' | 'distributionId' | 'version' | 'products'> & StoredDetails;

/** Returns the customer's own order, with the lines whose quantity is above 0; null if there is none. */
export async function findOwnOrder(db: Db, { tenantId, userId }: Viewer, distributionId: number) {
  const text = `SELECT o.id, o."distributionId", o.version, o.note, o."slotId",
      coalesce((SELECT json_agg(json_build_object('productId', l."productId", 'quantity', l.quantity) ORDER BY l."productId")
        FROM order_products l WHERE l."orderId" = o.id AND l.quantity > 0), '[]') AS products
    FROM orders o WHERE o."distributorId" = $1 AND o."customerId" = $2 AND o."distributionId" = $3`;
  const [order] = await run<OwnOrder>(db, text, [tenantId, userId, distributionId]);
  return order ? withDetails(order) : null;
}

const OWN_ORDERS = `SELECT o.id, row_number() OVER (ORDER BY d.date DESC, o.id DESC) AS place
  FROM orders o JOIN distributions d ON d.id = o."distributionId" WHERE o."distributorId" = $1 AND o."customerId" = $2`;
const DISTRIBUTIONS = `SELECT id, name, date FROM distributions WHERE "distributorId" = $1 AND id = ANY($2::int[])`;

/**
 * Yields the accounts of the viewer's own orders (lines, payments and balance) with the name and date of their distributions, newest first.
 * Counts their lines before it reads them.
 */
export async function* ownAccountsOf(db: Db, viewer: Viewer, { signal, countRows }: { signal: AbortSignal; countRows: CountRows }) {
  const { tenantId, userId } = viewer;
  const queue = await queueForOrders(db, { ...queuePositionOf(viewer, signal), order: { customerId: userId } });
  const chunks = await chunksOfFewRows(db, { numbered: OWN_ORDERS, values: [tenantId, userId], queue }, ROWS_OF_ORDER);
  countRows({ read: chunks.reduce((sum, { rows }) => sum + rows, 0) });
  yield* readAhead(chunks, async ({ ids }) => {
    const accounts = await runInQueue(queue, () => accountsOfOrders(db, tenantId, ids));
    const values = [tenantId, accounts.map((account) => account.distributionId)];
    const distributions = await run<Pick<Row<'distributions'>, 'id' | 'name' | 'date'>>(db, DISTRIBUTIONS, values);
    const byId = new Map(distributions.map((distribution) => [distribution.id, distribution]));
    return accounts
      .map((account) => {
        const { name = null, date = null } = byId.get(account.distributionId) ?? {};
        return { ...withDetails(account), distributionName: name, distributionDate: date };
      })
      .toSorted((a, b) => (b.distributionDate ?? '').localeCompare(a.distributionDate ?? '') || b.id - a.id);
  });
}

const CONTACT = `SELECT u.id AS "userId", ${CONTACT_COLUMNS}
  FROM users u LEFT JOIN contacts c ON c."userId" = u.id WHERE u."distributorId" = $1 AND u.id = $2
    AND u.role = CASE WHEN $3 THEN 'invented' ELSE 'customer' END
    AND (u."removedAt" IS NULL OR EXISTS (SELECT FROM orders o WHERE o."distributorId" = $1 AND o."customerId" = u.id))`;

/**
 * Returns the customer whose order a member of staff has opened. Throws 'not found' unless the customer belongs to the viewer's
 * distributor. Also finds disabled customers, and former customers who have an order. In a rehearsal, the customer must be one of its
 * invented families.
 */
export async function customerFor(
  db: Db,
  { distributorId, rehearsal }: Pick<Row<'distributions'>, 'distributorId' | 'rehearsal'>,
  customerId: number,
): Promise<StaffContact> {
  return assertFound(await runOne<StaffContact>(db, CONTACT, [distributorId, customerId, rehearsal]), 'Customer');
}

const PAGE_LINES = `SELECT l.id, l."productId", l.quantity, l."originalQuantity",
    coalesce((SELECT json_agg(json_build_object('sortOrder', w."sortOrder", 'actualQuantity', w."actualQuantity") ORDER BY w."sortOrder")
      FROM actual_quantities w WHERE w."orderProductId" = l.id AND w."sortOrder" < l.quantity), '[]') AS actuals
  FROM order_products l WHERE l."orderId" = $1 ORDER BY l.id`;

type OrderOfPage = Pick<NonNullable<OrderPageData['order']>, 'id' | 'distributionId' | 'customerId' | 'version'> & StoredDetails;

/**
 * Returns the data for editing a customer's order, all from one consistent snapshot. The units left are missing: the shared read of them
 * follows.
 */
export const findOrderPageData = (
  db: Db,
  viewer: Viewer,
  { distributionId, customerId }: { distributionId: number; customerId: number },
): Promise<OrderPageData> =>
  snapshot(db, async (db) => {
    const distribution = await distributionFor(db, viewer, distributionId);
    const contact = await customerFor(db, distribution, customerId);
    const [order = null] = await run<OrderOfPage>(
      db,
      'SELECT id, "distributionId", "customerId", version, note, "slotId" FROM orders WHERE "distributorId" = $1 AND "customerId" = $2 AND "distributionId" = $3',
      [viewer.tenantId, customerId, distributionId],
    );
    return {
      order: order && withDetails(order),
      distribution,
      distributionProducts: await listProductsOf(db, distribution),
      fees: await listFeesOf(db, distribution),
      orderProducts: order ? await run<OrderPageData['orderProducts'][number]>(db, PAGE_LINES, [order.id]) : [],
      contact,
      account: order && (await findAccount(db, viewer.tenantId, order.id)),
    };
  });
