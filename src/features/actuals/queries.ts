import type { OrderedLine } from '../../domain/actuals.ts';
import { run, snapshot, type Db } from '../../server/db.ts';
import { notFound } from '../../server/errors.ts';
import type { Viewer } from '../../server/session.ts';
import { orderToChange } from '../distributions/queries.ts';
import type { OrderedLine as ReportLine, OrderForActuals, ProductToWeigh, RecordedUnit } from './contract.ts';

interface OrderRow extends Omit<OrderForActuals, 'products' | 'whyNot'> {
  readonly hasPayments: boolean;
}

// A customer sees the own orders only; what is not the viewer's is not found.
const ORDER = `SELECT o.id, o."distributionId", d.name AS "distributionName", d.date AS "distributionDate", o."customerId",
    nullif(c."firstName", '') AS "firstName", nullif(c."lastName", '') AS "lastName", u.email, d."acceptActuals",
    EXISTS (SELECT FROM payments p WHERE p."distributionId" = o."distributionId" AND p."orderId" = o.id) AS "hasPayments"
  FROM orders o JOIN distributions d ON d.id = o."distributionId" JOIN users u ON u.id = o."customerId"
    LEFT JOIN contacts c ON c."userId" = o."customerId"
  WHERE o."distributorId" = $1 AND ($2::int IS NULL OR o."customerId" = $2) AND o.id = $3`;

const PRODUCTS = `SELECT l.id AS "orderProductId", l."productId", l.quantity AS "quantityOrdered", p.product_code AS "productCode",
    p.name, p.description, p.unit_qty, p.unit_price, p.uom
  FROM order_products l JOIN products p ON p.id = l."productId"
  WHERE l."orderId" = $1 AND l.quantity > 0 AND p.unit_qty_is_estimate ORDER BY p.product_code NULLS LAST, l.id`;

const RECORDED = `SELECT w."orderProductId", w."sortOrder", w."actualQuantity"
  FROM order_products l JOIN actual_quantities w ON w."orderProductId" = l.id AND w."sortOrder" < l.quantity
  WHERE l."orderId" = $1 ORDER BY w."orderProductId", w."sortOrder"`;

type RecordedRow = ProductToWeigh['actuals'][number] & { readonly orderProductId: number };

const ownerOf = (viewer: Viewer): number | null => (viewer.role === 'customer' ? viewer.userId : null);

/** The order with its products to weigh and their weights, of one moment. */
export async function findOrderForActuals(db: Db, viewer: Viewer, orderId: number) {
  return await snapshot(db, async (db) => {
    const [order] = await run<OrderRow>(db, ORDER, [viewer.tenantId, ownerOf(viewer), orderId]);
    if (!order) throw notFound('Order');
    const products = await run<Omit<ProductToWeigh, 'actuals'>>(db, PRODUCTS, [orderId]);
    return { order, products, recorded: await run<RecordedRow>(db, RECORDED, [orderId]) };
  });
}

const LINES = `SELECT l.id AS "orderProductId", l.quantity, p.unit_price, p.unit_qty, p.unit_qty_is_estimate
  FROM order_products l JOIN products p ON p.id = l."productId" WHERE l."orderId" = $1`;
const HAS_PAYMENTS = `SELECT FROM payments WHERE "distributionId" = $1 AND "orderId" = $2 LIMIT 1`;

/** The gate of entering weights: distribution and order are held until the transaction ends, and judged as they are then. */
export async function orderToWeigh(db: Db, viewer: Viewer, orderId: number) {
  const { distributionId, acceptActuals } = await orderToChange(db, viewer, orderId);
  const lines = await run<Omit<OrderedLine, 'actuals'>>(db, LINES, [orderId]);
  const payments = await run(db, HAS_PAYMENTS, [distributionId, orderId]);
  return { acceptActuals, hasPayments: payments.length > 0, lines: lines.map((line) => ({ ...line, actuals: [] })) };
}

export interface Weight {
  readonly orderProductId: number;
  readonly sortOrder: number;
  readonly actualQuantity: number;
}

// A value that is recorded already is neither written nor audited again.
const SAVE = `WITH changed AS (SELECT v.line, v.unit, v.weight, w."actualQuantity" AS before
    FROM unnest($2::int[], $3::int[], $4::numeric[]) v (line, unit, weight)
      LEFT JOIN actual_quantities w ON w."orderProductId" = v.line AND w."sortOrder" = v.unit
    WHERE w."actualQuantity" IS DISTINCT FROM v.weight),
  saved AS (INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
    SELECT line, unit, weight, $1 FROM changed ORDER BY line, unit
    ON CONFLICT ("orderProductId", "sortOrder")
      DO UPDATE SET "actualQuantity" = excluded."actualQuantity", "updatedAt" = clock_timestamp(), "updatedBy" = excluded."updatedBy")
  INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "actualQuantity", "previousQuantity", "updatedBy")
    SELECT line, unit, weight, before, $1 FROM changed ORDER BY line, unit`;

/** Every weight in one statement, under the lock of its order. */
export async function saveWeights(db: Db, by: Viewer, weights: readonly Weight[]): Promise<void> {
  const columns = [
    weights.map((weight) => weight.orderProductId),
    weights.map((weight) => weight.sortOrder),
    weights.map((weight) => weight.actualQuantity),
  ];
  await run(db, SAVE, [by.userId, ...columns]);
}

const DELETE = `WITH removed AS (DELETE FROM actual_quantities WHERE "orderProductId" = $2 AND "sortOrder" = $3 RETURNING *)
  INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "previousQuantity", "updatedBy")
    SELECT "orderProductId", "sortOrder", "actualQuantity", $1 FROM removed`;

/** Leaves the unit as if it had never been weighed; of one that is not weighed nothing is told. */
export async function deleteWeight(db: Db, by: Viewer, unit: { readonly orderProductId: number; readonly index: number }): Promise<void> {
  await run(db, DELETE, [by.userId, unit.orderProductId, unit.index]);
}

const REPORT = `SELECT l."orderId", l.id AS "orderProductId", l."productId", l.quantity, p.product_code AS "productCode",
    p.name AS "productName", p.unit_qty, p.uom, u.email, nullif(c."firstName", '') AS "firstName", nullif(c."lastName", '') AS "lastName"
  FROM order_products l JOIN products p ON p.id = l."productId" JOIN orders o ON o.id = l."orderId" JOIN users u ON u.id = o."customerId"
    LEFT JOIN contacts c ON c."userId" = o."customerId"
  WHERE l."distributorId" = $1 AND l."distributionId" = $2 AND l.quantity > 0 AND p.unit_qty_is_estimate
  ORDER BY c."lastName", c."firstName", u.email, p.product_code NULLS LAST, l.id`;
const REPORT_ACTUALS = `SELECT w."orderProductId", w."sortOrder", w."actualQuantity", w."updatedAt", u.email AS by,
    u.role AS "byRole"
  FROM order_products l JOIN products p ON p.id = l."productId"
    JOIN actual_quantities w ON w."orderProductId" = l.id AND w."sortOrder" < l.quantity
    JOIN users u ON u.id = w."updatedBy"
  WHERE l."distributorId" = $1 AND l."distributionId" = $2 AND p.unit_qty_is_estimate ORDER BY w."orderProductId", w."sortOrder"`;

/** What is to be weighed in a distribution, by customer, and what is: of one moment. */
export const actualsReport = (db: Db, distribution: { readonly distributorId: number; readonly id: number }) =>
  snapshot(db, async (db) => {
    const values = [distribution.distributorId, distribution.id];
    return {
      reportData: await run<ReportLine>(db, REPORT, values),
      actualsData: await run<RecordedUnit>(db, REPORT_ACTUALS, values),
    };
  });
