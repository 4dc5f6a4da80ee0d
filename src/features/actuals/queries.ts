import { unitKey, type LineToWeigh } from '../../domain/weights/actuals.ts';
import { actorSql, realEmailSql } from '../../server/mail/placeholder-email.ts';
import { run, runOne, runSingle, snapshot, type Db } from '../../server/database/db.ts';
import {
  chunksOfFewRows,
  idChunks,
  splitLongChunks,
  withNextCursor,
  requestedPage,
  readAhead,
  type IdChunk,
  type ListSource,
} from '../../server/database/id-chunks.ts';
import type { PageQuery } from '../../shared/pages.ts';
import { assertFound } from '../../server/errors.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { inBatches } from '../../server/queues/event-loop.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { customerIdOf, lockOrder } from '../distributions/queries.ts';
import { readNameDetails } from '../product-names/queries.ts';
import type { OrderedLine as ReportLine, OrderForActuals, ProductToWeigh, RecordedUnit } from './contract.ts';
import { ENOUGH_WEIGHTS } from '../../domain/weights/plausibility.ts';
import { NAME_COLUMNS } from '../contact/queries.ts';
import { ROWS_OF_ORDER, wholeOrders } from '../order-rows/queries.ts';

interface OrderRow extends Omit<OrderForActuals, 'products' | 'whyNot' | 'rehearsal'> {
  readonly rehearsal: boolean;
  readonly hasPayments: boolean;
}

// Finds an order for weighing. Customers find only their own orders, and no user finds an order of another tenant.
const ORDER = `SELECT o.id, o."distributionId", d.name AS "distributionName", d.date AS "distributionDate", d.rehearsal, o."customerId",
    ${NAME_COLUMNS}, ${realEmailSql('u')} AS email, d."acceptActuals",
    EXISTS (SELECT FROM payments p WHERE p."distributionId" = o."distributionId" AND p."orderId" = o.id) AS "hasPayments"
  FROM orders o JOIN distributions d ON d.id = o."distributionId" JOIN users u ON u.id = o."customerId"
    LEFT JOIN contacts c ON c."userId" = o."customerId"
  WHERE o."distributorId" = $1 AND ($2::int IS NULL OR o."customerId" = $2) AND o.id = $3`;

const PRODUCTS = `SELECT l.id AS "orderProductId", l."productId", l.quantity AS "quantityOrdered", p.product_code AS "productCode",
    p.name, p.description, p.unit_qty, p.unit_price, p.uom
  FROM order_products l JOIN products p ON p.id = l."productId"
  WHERE l."orderId" = $1 AND l.quantity > 0 AND p.unit_qty_is_estimate ORDER BY p.product_code NULLS LAST, l.id`;

const RECORDED = `SELECT w."orderProductId", w."sortOrder", w."actualQuantity", ${actorSql('u')} AS by, u.role AS "byRole"
  FROM order_products l JOIN actual_quantities w ON w."orderProductId" = l.id AND w."sortOrder" < l.quantity
    JOIN users u ON u.id = w."updatedBy"
  WHERE l."orderId" = $1 ORDER BY w."orderProductId", w."sortOrder"`;

/**
 * The weighing page compares a typed weight with the usual weights of the product. These constants are the maximum numbers of weights that
 * are compared: of one product, and of all products of the order together. More weights would take longer to send and to compare. The median
 * of so many weights is close to the median of all weights.
 */
const MAX_COMPARED_OF_PRODUCT = 1000;
const MAX_COMPARED = 4000;
// Returns the newest weights of each product. The index of the weights of staff has this sequence, so PostgreSQL reads only these weights. A
// search in the order lines would read all lines of each product that staff have not weighed yet.
const WEIGHTS_OF_PRODUCTS = `SELECT p.id AS "productId", w."actualQuantity" FROM unnest($2::int[]) p (id), LATERAL (
    SELECT w."actualQuantity" FROM actual_quantities w WHERE w."confirmedProductId" = p.id
      AND w."sortOrder" < (SELECT l.quantity FROM order_products l WHERE l.id = w."orderProductId" AND l."distributorId" = $1)
    ORDER BY w."updatedAt" DESC LIMIT $3) w`;

/**
 * Returns weights of these products that staff recorded or confirmed in any order of the distribution. The products share the maximum
 * MAX_COMPARED equally. For a customer, returns no weights.
 */
async function weightsOfProducts(db: Db, viewer: Viewer, products: readonly { readonly productId: number }[]) {
  if (viewer.role === 'customer' || products.length === 0) return [];
  const share = Math.max(ENOUGH_WEIGHTS, Math.min(MAX_COMPARED_OF_PRODUCT, Math.ceil(MAX_COMPARED / products.length)));
  const values = [viewer.tenantId, products.map(({ productId }) => productId), share];
  return await run<{ productId: number; actualQuantity: number }>(db, WEIGHTS_OF_PRODUCTS, values);
}

type RecordedRow = ProductToWeigh['actuals'][number] & { readonly orderProductId: number; readonly by: string };

export async function findOrderForActuals(db: Db, viewer: Viewer, orderId: number) {
  return await snapshot(db, async (db) => {
    const order = assertFound(await runOne<OrderRow>(db, ORDER, [viewer.tenantId, customerIdOf(viewer), orderId]), 'Order');
    const products = await run<Omit<ProductToWeigh, 'actuals'>>(db, PRODUCTS, [orderId]);
    const weights = await weightsOfProducts(db, viewer, products);
    const { rehearsal, ...rest } = order;
    return {
      order: { ...rest, ...(rehearsal && { rehearsal }) },
      products,
      weights,
      recorded: await run<RecordedRow>(db, RECORDED, [orderId]),
    };
  });
}

const LINES = `SELECT l.id AS "orderProductId", l.quantity, p.name, p.unit_qty_is_estimate
  FROM order_products l JOIN products p ON p.id = l."productId" WHERE l."orderId" = $1`;
const HAS_PAYMENTS = `SELECT FROM payments WHERE "distributionId" = $1 AND "orderId" = $2 LIMIT 1`;

/**
 * Checks the viewer's access before weights are saved. Locks the distribution and the order until the transaction ends, and checks their
 * current state.
 */
export async function lockOrderToWeigh(db: Db, viewer: Viewer, orderId: number) {
  const { distributionId, acceptActuals } = await lockOrder(db, viewer, orderId);
  const lines = await run<LineToWeigh & { readonly name: string }>(db, LINES, [orderId]);
  const payments = await run(db, HAS_PAYMENTS, [distributionId, orderId]);
  return { acceptActuals, hasPayments: payments.length > 0, lines };
}

interface Unit {
  readonly orderProductId: number;
  readonly sortOrder: number;
}
const columnsOf = (units: readonly Unit[]) => [units.map((unit) => unit.orderProductId), units.map((unit) => unit.sortOrder)] as const;

// An order can have thousands of weights, so saving one weight must not read all of them.
const RECORDED_OF_UNITS = `SELECT w."orderProductId", w."sortOrder", w."actualQuantity", ${actorSql('u')} AS by, u.role AS "byRole"
  FROM unnest($1::int[], $2::int[]) unit (line, index) JOIN actual_quantities w ON w."orderProductId" = line AND w."sortOrder" = index
    JOIN users u ON u.id = w."updatedBy"`;

/** Returns the recorded weights of these units. The caller must have checked that the order has these units. */
export async function recordedOf(db: Db, units: readonly Unit[]): Promise<Map<string, RecordedRow>> {
  const rows = await run<RecordedRow>(db, RECORDED_OF_UNITS, columnsOf(units));
  return new Map(rows.map((row) => [unitKey(row.orderProductId, row.sortOrder), row]));
}

const RECORDED_COUNT = `SELECT count(*)::int AS count FROM order_products l
    JOIN actual_quantities w ON w."orderProductId" = l.id AND w."sortOrder" < l.quantity
  WHERE l."orderId" = $1`;

/** Returns how many units of the order have a weight. */
export const recordedCount = async (db: Db, orderId: number): Promise<number> =>
  (await runSingle<{ count: number }>(db, RECORDED_COUNT, [orderId])).count;

// Reads the weights that staff recorded. The source is the audit trail, because it keeps the weight of a unit even after the customer has
// lowered the quantity.
const STAFF_WEIGHTS = `SELECT DISTINCT ON (a."orderProductId", a."sortOrder") a."orderProductId", a."sortOrder", a."actualQuantity"
  FROM unnest($1::int[], $2::int[]) unit (line, index) JOIN actual_quantity_audit a ON a."orderProductId" = line AND a."sortOrder" = index
    JOIN users u ON u.id = a."updatedBy" AND u.role <> 'customer'
  ORDER BY a."orderProductId", a."sortOrder", a.id DESC`;

/** Returns, for each of these units, the weight that staff recorded last; null where staff later removed the weight. */
export async function lastStaffWeights(db: Db, units: readonly Unit[]): Promise<Map<string, number | null>> {
  const rows = await run<{ orderProductId: number; sortOrder: number; actualQuantity: number | null }>(db, STAFF_WEIGHTS, columnsOf(units));
  return new Map(rows.map((row) => [unitKey(row.orderProductId, row.sortOrder), row.actualQuantity]));
}

export interface Weight extends Unit {
  readonly actualQuantity: number;
}

const MANY_WEIGHTS = 100;
/** Whether a call contains so many weights that it must wait in the queue of expensive reads. */
export const hasManyWeights = (weights: Readonly<Record<string, unknown>>): boolean => Object.keys(weights).length > MANY_WEIGHTS;

// Saves the weights and their audit rows. For an unchanged weight nothing is written, with one exception: if the user confirms a weight
// that the customer recorded, the weight and an audit row are written.
const SAVE = `WITH changed AS (SELECT v.line, v.unit, v.weight, w."actualQuantity" AS before
    FROM unnest($2::int[], $3::int[], $4::numeric[]) v (line, unit, weight)
      LEFT JOIN actual_quantities w ON w."orderProductId" = v.line AND w."sortOrder" = v.unit
      LEFT JOIN users recorder ON recorder.id = w."updatedBy"
    WHERE w."actualQuantity" IS DISTINCT FROM v.weight OR (recorder.role = 'customer' AND recorder.id <> $1)),
  saved AS (INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
    SELECT line, unit, weight, $1 FROM changed ORDER BY line, unit
    ON CONFLICT ("orderProductId", "sortOrder")
      DO UPDATE SET "actualQuantity" = excluded."actualQuantity", "updatedAt" = clock_timestamp(), "updatedBy" = excluded."updatedBy")
  INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "actualQuantity", "previousQuantity", "updatedBy")
    SELECT line, unit, weight, before, $1 FROM changed ORDER BY line, unit`;

/** Saves all weights in one statement. The caller must have locked the order. */
export async function saveWeights(db: Db, by: Viewer, weights: readonly Weight[]): Promise<void> {
  await run(db, SAVE, [by.userId, ...columnsOf(weights), weights.map((weight) => weight.actualQuantity)]);
}

// A value is restored only if the customer has recorded it for the unit, as the audit trail shows. The audit trail keeps at most three changes
// of a unit within a minute, so the value may be missing there. If the unit was changed three times within a minute, any value is therefore
// restored, but only while the distribution accepts weights. A restored weight stays a weight of the customer, so that staff still see that it
// is not confirmed. Its audit row names the user who has restored it.
const RESTORE = `WITH changed AS (SELECT v.line, v.unit, v.weight, w."actualQuantity" AS before
    FROM unnest($3::bigint[], $4::bigint[], $5::numeric[]) v (line, unit, weight)
      JOIN order_products l ON l.id = v.line AND l."orderId" = $2
      JOIN distributions d ON d.id = l."distributionId"
      JOIN actual_quantities w ON w."orderProductId" = v.line AND w."sortOrder" = v.unit AND w."actualQuantity" <> v.weight
      JOIN users recorder ON recorder.id = w."updatedBy" AND recorder.role = 'customer'
    WHERE EXISTS (SELECT FROM (
      SELECT "actualQuantity", "updatedAt" - lag("updatedAt", 2) OVER (ORDER BY id) < interval '1 minute' AS "mayHaveReplacedRows"
      FROM actual_quantity_audit
      WHERE "orderProductId" = w."orderProductId" AND "sortOrder" = w."sortOrder" AND "updatedBy" = recorder.id) change
      WHERE change."actualQuantity" = v.weight OR (d."acceptActuals" AND change."mayHaveReplacedRows"))),
  saved AS (UPDATE actual_quantities w SET "actualQuantity" = changed.weight, "updatedAt" = clock_timestamp()
    FROM changed WHERE w."orderProductId" = changed.line AND w."sortOrder" = changed.unit)
  INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "actualQuantity", "previousQuantity", "updatedBy")
    SELECT line, unit, weight, before, $1 FROM changed ORDER BY line, unit RETURNING id`;

/**
 * Restores these earlier weights of the customer where the customer has changed them since. Does not change weights that staff recorded, and
 * ignores units that the order does not have. Returns the number of restored weights. The caller must have locked the order.
 */
export async function restoreWeights(db: Db, by: Viewer, orderId: number, weights: readonly Weight[]): Promise<number> {
  const values = [by.userId, orderId, ...columnsOf(weights), weights.map((weight) => weight.actualQuantity)];
  return (await run(db, RESTORE, values)).length;
}

const DELETE = `WITH removed AS (DELETE FROM actual_quantities WHERE "orderProductId" = $2 AND "sortOrder" = $3 RETURNING *)
  INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "previousQuantity", "updatedBy")
    SELECT "orderProductId", "sortOrder", "actualQuantity", $1 FROM removed`;

/** Removes a unit's weight. If the unit has no weight, nothing is written, not even an audit row. */
export async function deleteWeight(db: Db, by: Viewer, unit: { readonly orderProductId: number; readonly index: number }): Promise<void> {
  await run(db, DELETE, [by.userId, unit.orderProductId, unit.index]);
}

const NUMBERED_ORDERS = `SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM orders
  WHERE "distributorId" = $1 AND "distributionId" = $2 AND id > $3`;
// This statement selects the lines only by the ids of their orders. If it also selected them by product, PostgreSQL would read all lines of
// the distribution for each page.
const REPORT_LINES = `WITH whose AS MATERIALIZED (
    SELECT o.id, ${realEmailSql('u')} AS email, ${NAME_COLUMNS}
    FROM unnest($3::int[]) part (id) JOIN orders o ON o.id = part.id JOIN users u ON u.id = o."customerId"
      LEFT JOIN contacts c ON c."userId" = o."customerId"
    WHERE o."distributorId" = $1 AND o."distributionId" = $2),
  l AS MATERIALIZED (SELECT l.id, l."orderId", l."productId", l.quantity, whose.email, whose."firstName", whose."lastName"
    FROM whose JOIN order_products l ON l."orderId" = whose.id WHERE l.quantity > 0)
  SELECT l."orderId", l.id AS "orderProductId", l."productId", l.quantity, p.product_code AS "productCode",
    p.name AS "productName", p.unit_qty, p.uom, l.email, l."firstName", l."lastName"
  FROM l JOIN products p ON p.id = l."productId" WHERE p.unit_qty_is_estimate ORDER BY l."orderId", p.product_code NULLS LAST, l.id`;
const ORDERS_AT_ONCE = 500;

const NUMBERED_LINES = `SELECT l.id, row_number() OVER (ORDER BY l.id) AS place FROM order_products l JOIN products p ON p.id = l."productId"
  WHERE l."distributorId" = $1 AND l."distributionId" = $2 AND p.unit_qty_is_estimate AND ($3::int[] IS NULL OR l.id = ANY($3))`;
const UNITS_OF_LINE = '(SELECT l.quantity FROM order_products l WHERE l.id = c.id)';
const REPORT_ACTUALS = `SELECT w."orderProductId", w."sortOrder", w."actualQuantity", w."updatedAt", ${actorSql('u')} AS by,
    u.role AS "byRole"
  FROM order_products l JOIN products p ON p.id = l."productId"
    JOIN actual_quantities w ON w."orderProductId" = l.id AND w."sortOrder" < l.quantity
    JOIN users u ON u.id = w."updatedBy"
  WHERE l."distributorId" = $1 AND l."distributionId" = $2 AND l.id = ANY($3::int[]) AND p.unit_qty_is_estimate
  ORDER BY w."orderProductId", w."sortOrder"`;

const valuesOf = ({ distributorId, id }: ListSource) => [distributorId, id] as const;

async function lineReader(db: Db, distribution: ListSource): Promise<(chunk: IdChunk) => Promise<ReportLine[]>> {
  const details = await readNameDetails(db, distribution);
  return async ({ ids }) => {
    const lines = await runInQueue(distribution, () => run<ReportLine>(db, REPORT_LINES, [...valuesOf(distribution), ids]));
    return lines.map((line) => {
      const nameDetail = details.get(line.productId);
      return nameDetail ? { ...line, nameDetail } : line;
    });
  };
}

/** Returns the ids of the orders after the order `after` in chunks. */
async function ordersAfter(db: Db, distribution: ListSource, after: number): Promise<AsyncGenerator<IdChunk>> {
  const values = [...valuesOf(distribution), after];
  const chunks = await idChunks(db, { numbered: NUMBERED_ORDERS, values, queue: distribution, size: ORDERS_AT_ONCE });
  return splitLongChunks(db, chunks, ROWS_OF_ORDER, { queue: distribution });
}

async function* linesToWeigh(db: Db, distribution: ListSource): AsyncGenerator<ReportLine[]> {
  yield* readAhead(await ordersAfter(db, distribution, 0), await lineReader(db, distribution));
}

/** Yields the weights of the lines with these ids, or of all lines of the distribution. */
async function* weightsOf(db: Db, distribution: ListSource, lineIds: readonly number[] | null): AsyncGenerator<RecordedUnit[]> {
  const search = { numbered: NUMBERED_LINES, values: [...valuesOf(distribution), lineIds], queue: distribution };
  const chunks = await chunksOfFewRows(db, search, UNITS_OF_LINE);
  const read = (ids: string) => runInQueue(distribution, () => run<RecordedUnit>(db, REPORT_ACTUALS, [...valuesOf(distribution), ids]));
  for await (const weights of readAhead(chunks, ({ ids }) => read(ids))) yield* inBatches(weights);
}

/**
 * Reads the order lines of estimate products, and their weights, in several statements that are not in one transaction. The weights are
 * read after the lines. If the quantity of a line changes in between, the weights belong to the newer quantity.
 */
export async function actualsReport(db: Db, distribution: ListSource, query: PageQuery) {
  const page = requestedPage(query);
  if (!page) return { reportData: linesToWeigh(db, distribution), actualsData: weightsOf(db, distribution, null) };
  const lines = await firstLines(db, distribution, page);
  const lineIds = lines.map((line) => line.orderProductId);
  const rows = lines.length < page.limit ? lines : withNextCursor(lines, (line) => line.orderId);
  return { reportData: inBatches(rows), actualsData: weightsOf(db, distribution, lineIds) };
}

/** Returns the lines of the orders after the order `after`, until there are `limit` lines. Reads no further orders than necessary. */
async function firstLines(
  db: Db,
  distribution: ListSource,
  { limit, after = 0 }: { limit: number; after?: number },
): Promise<ReportLine[]> {
  const chunks = await ordersAfter(db, distribution, after);
  const read = await lineReader(db, distribution);
  const first: ReportLine[] = [];
  for await (const chunk of chunks) {
    first.push(...wholeOrders(await read(chunk), limit - first.length));
    if (first.length >= limit) break;
  }
  return first;
}
