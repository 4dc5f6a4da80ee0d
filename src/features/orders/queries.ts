// An order is written by one statement that checks, in the database, that nothing moved since it was read: the distribution's flags
// and catalogue, and the order's version. When something did, the caller reads again.
import type { Cents } from '../../domain/money.ts';
import { run, snapshot, transaction, type Db } from '../../server/db.ts';
import { notFound } from '../../server/errors.ts';
import type { Viewer } from '../../server/session.ts';
import { distributionFor } from '../distributions/queries.ts';
import { listFeesOf } from '../fees/queries.ts';
import { findAccount } from '../payments/queries.ts';
import { listProductsOf } from '../products/queries.ts';
import { MOST_CHANGES, type HistoryRow, type OrderContact, type OrderPageData } from './contract.ts';

interface Line {
  readonly id: number;
  readonly productId: number;
  readonly quantity: number;
  readonly originalQuantity: number;
}
interface Offered {
  readonly id: number;
  readonly name: string;
  readonly max_order_qty: number;
  readonly unit_price: Cents;
  readonly unit_qty: number;
}

/** What an order is judged by: the distribution, the order as it is, and those of the asked products that are in the distribution. */
export interface OrderState {
  readonly published: boolean;
  readonly orderingOpen: boolean;
  readonly catalogueVersion: number;
  readonly orderId: number | null;
  /** 0 while there is no order. */
  readonly version: number;
  readonly lines: readonly Line[];
  readonly products: readonly Offered[];
}

const STATE = `SELECT d.published, d."orderingOpen", d."catalogueVersion", o.id AS "orderId", coalesce(o.version, 0) AS version,
    coalesce((SELECT json_agg(json_build_object('id', l.id, 'productId', l."productId", 'quantity', l.quantity, 'originalQuantity', l."originalQuantity"))
      FROM order_products l WHERE l."orderId" = o.id), '[]') AS lines,
    coalesce((SELECT json_agg(json_build_object('id', p.id, 'name', p.name, 'max_order_qty', p.max_order_qty, 'unit_price', p.unit_price, 'unit_qty', p.unit_qty))
      FROM products p WHERE p.id = ANY($4::int[]) AND p."distributionId" = d.id), '[]') AS products
  FROM distributions d LEFT JOIN orders o ON o."distributorId" = d."distributorId" AND o."customerId" = $2 AND o."distributionId" = d.id
  WHERE d.id = $3 AND d."distributorId" = $1`;

/** Null where the tenant has no such distribution. */
export async function findOrderState(
  db: Db,
  {
    tenantId,
    customerId,
    distributionId,
    productIds,
  }: { tenantId: number; customerId: number; distributionId: number; productIds: readonly number[] },
): Promise<OrderState | null> {
  const [state] = await run<OrderState>(db, STATE, [tenantId, customerId, distributionId, productIds]);
  return state ?? null;
}

// FOR SHARE waits for a change of the distribution and then judges its flags anew: once closing has answered, nothing is written.
const STILL_SO = `d AS (SELECT id, "distributorId" FROM distributions
    WHERE id = $1 AND "catalogueVersion" = $2 AND (NOT $3::boolean OR (published AND "orderingOpen")) FOR SHARE)`;

const INSERT = `WITH ${STILL_SO},
  o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
    SELECT d."distributorId", d.id, $4, $5 FROM d ON CONFLICT DO NOTHING RETURNING id, version),
  l AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT d."distributorId", d.id, o.id, v.p, v.q, v.q FROM d, o, unnest($6::int[], $7::int[]) v (p, q) RETURNING id, quantity),
  a AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy") SELECT id, quantity, $5 FROM l),
  m AS (INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId")
    SELECT 'confirmation', '', '', '', '', d."distributorId", $4, o.id FROM d, o WHERE EXISTS (SELECT FROM l))
  SELECT id, version FROM o`;

// What every change of an order `o` by user $5 brings with it, and of the weights `gone` with their units. A confirmation that is due
// later than this statement can take tells of this change too; else one more is due, five minutes after the last at the earliest (contract §8).
const CHANGED = `version = version + 1, "updatedAt" = now(), "updatedBy" = $5,
      "confirmVersion" = CASE WHEN "confirmAt" > clock_timestamp() + interval '1 minute' THEN "confirmVersion" ELSE version + 1 END,
      "confirmAt" = CASE WHEN "confirmAt" > clock_timestamp() + interval '1 minute' THEN "confirmAt"
        ELSE greatest(now(), "confirmAt" + interval '5 minutes') END`;
const RETURNED = 'orders.id, orders.version, orders."distributorId", orders."customerId", orders."confirmVersion", orders."confirmAt"';
const AND_SO = `g AS (INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "previousQuantity", "updatedBy")
    SELECT "orderProductId", "sortOrder", "actualQuantity", $5 FROM gone),
  m AS (INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId", "nextAttemptAt")
    SELECT 'confirmation', '', '', '', '', "distributorId", "customerId", id, "confirmAt" FROM o WHERE "confirmVersion" = version)`;

const UPDATE = `WITH ${STILL_SO},
  o AS (UPDATE orders SET ${CHANGED} FROM d
    WHERE orders.id = $4 AND orders.version = $6 AND orders."distributionId" = d.id RETURNING ${RETURNED}),
  l AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT d."distributorId", d.id, o.id, v.p, v.q, v.original FROM d, o, unnest($7::int[], $8::int[], $9::int[]) v (p, q, original)
    ON CONFLICT ("orderId", "productId", "distributorId")
      DO UPDATE SET quantity = excluded.quantity, "originalQuantity" = excluded."originalQuantity"
    RETURNING id, "productId", quantity),
  a AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy")
    SELECT id, quantity, $5 FROM l WHERE "productId" = ANY($10::int[])),
  gone AS (DELETE FROM actual_quantities w USING l WHERE $11::boolean AND w."orderProductId" = l.id AND w."sortOrder" >= l.quantity
    RETURNING w."orderProductId", w."sortOrder", w."actualQuantity"),
  ${AND_SO}
  SELECT id, version FROM o`;

// A weight that is being saved meanwhile would not be seen by the statement that has to drop it: it goes first.
const HOLD = `WITH d AS (SELECT id FROM distributions WHERE id = $1 FOR SHARE)
  SELECT 1 FROM d, orders WHERE orders.id = $2 AND orders."distributionId" = d.id FOR NO KEY UPDATE OF orders`;

interface Saved {
  readonly id: number;
  readonly version: number;
}

export interface OrderWrite {
  readonly distributionId: number;
  readonly customerId: number;
  readonly by: Viewer;
  readonly state: OrderState;
  /** Every line whose quantity or original quantity changes. */
  readonly lines: readonly { productId: number; quantity: number; originalQuantity: number }[];
  /** The products whose quantity changes, for the audit. */
  readonly changed: readonly number[];
}

/** The order's id and new version, or null when something moved since `state` was read. */
export async function saveOrder(db: Db, { distributionId, customerId, by, state, lines, changed }: OrderWrite): Promise<Saved | null> {
  const still = [distributionId, state.catalogueVersion, by.role === 'customer'];
  const ids = lines.map((line) => line.productId);
  const quantities = lines.map((line) => line.quantity);
  if (state.orderId === null) {
    const [saved] = await run<Saved>(db, INSERT, [...still, customerId, by.userId, ids, quantities]);
    return saved ?? null;
  }
  const originals = lines.map((line) => line.originalQuantity);
  const before = new Map(state.lines.map((line) => [line.productId, line.quantity]));
  const isLess = lines.some((line) => line.quantity < (before.get(line.productId) ?? 0));
  const values = [...still, state.orderId, by.userId, state.version, ids, quantities, originals, changed, isLess];
  const update = async (db: Db): Promise<Saved | null> => (await run<Saved>(db, UPDATE, values))[0] ?? null;
  if (!isLess) return await update(db);
  return await transaction(db, async (db) => {
    await run(db, HOLD, [distributionId, state.orderId]);
    return await update(db);
  });
}

const WITH_PRODUCT = `SELECT id FROM orders o WHERE "distributorId" = $1 AND "distributionId" = $2
    AND EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id AND l."productId" = $3 AND l."distributorId" = $1 AND l.quantity > 0)
  ORDER BY id FOR NO KEY UPDATE`;

// What the customers last asked for stays in "originalQuantity" (contract §5).
const CLEAR = `WITH c AS (SELECT id, "orderId", quantity FROM order_products
    WHERE "distributorId" = $1 AND "distributionId" = $2 AND "productId" = $3 AND "orderId" = ANY($4::int[]) AND quantity > 0),
  l AS (UPDATE order_products SET quantity = 0 FROM c WHERE order_products.id = c.id AND order_products."distributorId" = $1),
  a AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy") SELECT id, 0, $5 FROM c),
  gone AS (DELETE FROM actual_quantities w USING c WHERE w."orderProductId" = c.id
    RETURNING w."orderProductId", w."sortOrder", w."actualQuantity"),
  o AS (UPDATE orders SET ${CHANGED} FROM c WHERE orders.id = c."orderId" AND orders."distributorId" = $1 RETURNING ${RETURNED}),
  ${AND_SO}
  SELECT count(*) AS orders, coalesce(sum(quantity), 0) AS units FROM c`;

/** Nobody gets anything of the product; its distribution is held by the caller, so that no order is being saved meanwhile. */
export async function clearProduct(
  db: Db,
  by: Viewer,
  product: { distributorId: number; distributionId: number; id: number },
): Promise<{ orders: number; units: number }> {
  const place = [product.distributorId, product.distributionId, product.id];
  const orders = await run<{ id: number }>(db, WITH_PRODUCT, place);
  const values = [...place, orders.map((order) => order.id), by.userId];
  const [cleared] = await run<{ orders: number; units: number }>(db, CLEAR, values);
  return cleared ?? { orders: 0, units: 0 };
}

/** The own order of a customer, lines above 0; null when there is none. */
export async function findOwnOrder(db: Db, { tenantId, userId }: Viewer, distributionId: number) {
  const text = `SELECT o.id, o."distributionId", o.version,
      coalesce((SELECT json_agg(json_build_object('productId', l."productId", 'quantity', l.quantity) ORDER BY l."productId")
        FROM order_products l WHERE l."orderId" = o.id AND l.quantity > 0), '[]') AS products
    FROM orders o WHERE o."distributorId" = $1 AND o."customerId" = $2 AND o."distributionId" = $3`;
  const [order] = await run<{ id: number; distributionId: number; version: number; products: { productId: number; quantity: number }[] }>(
    db,
    text,
    [tenantId, userId, distributionId],
  );
  return order ?? null;
}

const CONTACT = `SELECT u.id AS "userId", u.email, nullif(c."firstName", '') AS "firstName", nullif(c."lastName", '') AS "lastName",
    nullif(c.address, '') AS address, nullif(c.city, '') AS city, nullif(c.state, '') AS state, nullif(c.zip, '') AS zip, nullif(c.phone, '') AS phone
  FROM users u LEFT JOIN contacts c ON c."userId" = u.id WHERE u."distributorId" = $1 AND u.id = $2 AND u.role = 'customer'`;

/** The gate of whose order staff open: a customer of the viewer's distributor, disabled ones too. */
export async function customerFor(db: Db, { tenantId }: Viewer, customerId: number): Promise<OrderContact> {
  const [contact] = await run<OrderContact>(db, CONTACT, [tenantId, customerId]);
  if (!contact) throw notFound('Customer');
  return contact;
}

/** All of it as it is at one moment. */
export const findOrderPageData = (
  db: Db,
  viewer: Viewer,
  { distributionId, customerId }: { distributionId: number; customerId: number },
): Promise<OrderPageData> =>
  snapshot(db, async (db) => {
    const distribution = await distributionFor(db, viewer, distributionId);
    const contact = await customerFor(db, viewer, customerId);
    const [order = null] = await run<NonNullable<OrderPageData['order']>>(
      db,
      'SELECT id, "distributionId", "customerId", version FROM orders WHERE "distributorId" = $1 AND "customerId" = $2 AND "distributionId" = $3',
      [viewer.tenantId, customerId, distributionId],
    );
    const lines = 'SELECT id, "productId", quantity, "originalQuantity" FROM order_products WHERE "orderId" = $1 ORDER BY id';
    return {
      order,
      distribution,
      distributionProducts: await listProductsOf(db, distribution),
      fees: await listFeesOf(db, distribution),
      orderProducts: order ? await run<Line>(db, lines, [order.id]) : [],
      contact,
      account: order && (await findAccount(db, viewer.tenantId, order.id)),
    };
  });

// A quantity was 0 before its first row; prices and fees count from the order's first row on.
const HISTORY = `WITH o AS (SELECT id, "distributorId", "distributionId" FROM orders WHERE id = $1),
  l AS (SELECT l.id, l."productId" FROM order_products l JOIN o ON o.id = l."orderId"),
  q AS (SELECT a.*, lag(a.quantity, 1, 0) OVER (PARTITION BY a."orderProductId" ORDER BY a.id) AS before
    FROM order_product_audit a JOIN l ON l.id = a."orderProductId"),
  h AS (
    SELECT 'quantity' AS kind, q."updatedAt" AS at, q."updatedBy", l."productId", NULL::text AS "feeName", NULL::int AS unit,
      q.before::numeric AS "from", q.quantity::numeric AS "to", NULL::jsonb AS before, NULL::jsonb AS after, q.id
    FROM q JOIN l ON l.id = q."orderProductId"
    UNION ALL SELECT 'weight', w."updatedAt", w."updatedBy", l."productId", NULL, w."sortOrder" + 1, w."previousQuantity", w."actualQuantity", NULL, NULL, w.id
    FROM actual_quantity_audit w JOIN l ON l.id = w."orderProductId"
    UNION ALL SELECT CASE WHEN c."feeId" IS NULL THEN 'price' ELSE 'fee' END, c."updatedAt", c."updatedBy", c."productId",
      CASE WHEN c."feeId" IS NOT NULL THEN c.name END, NULL, NULL, NULL, c.before, c.after, c.id
    FROM catalogue_audit c JOIN o ON o."distributorId" = c."distributorId" AND o."distributionId" = c."distributionId"
    WHERE (c."feeId" IS NOT NULL OR c."productId" IN (SELECT "productId" FROM l))
      AND c."updatedAt" >= coalesce((SELECT min("updatedAt") FROM q), c."updatedAt"))
  SELECT h.kind, h.at, u.email AS by, u.role AS "byRole", p.name AS "productName", p.product_code AS "productCode", h."feeName", h.unit,
    h."from", h."to", h.before, h.after
  FROM h JOIN users u ON u.id = h."updatedBy" LEFT JOIN products p ON p.id = h."productId"
  ORDER BY h.at DESC, h.kind, p.product_code, p.name, h.unit, h.id DESC LIMIT ${MOST_CHANGES}`;

/** Newest first. */
export async function listHistory(db: Db, { tenantId }: Viewer, orderId: number): Promise<HistoryRow[]> {
  const [own] = await run(db, 'SELECT 1 FROM orders WHERE "distributorId" = $1 AND id = $2', [tenantId, orderId]);
  if (!own) throw notFound('Order');
  return await run<HistoryRow>(db, HISTORY, [orderId]);
}
