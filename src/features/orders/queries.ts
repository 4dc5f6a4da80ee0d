// An order is written by one statement that checks, in the database, that nothing moved since it was read: the distribution's flags
// and catalogue, and the order's version. When something did, the caller reads again.
import type { Cents } from '../../domain/money.ts';
import { run, snapshot, transaction, type Db } from '../../server/db.ts';
import { notFound } from '../../server/errors.ts';
import type { Statement, Viewer } from '../../server/session.ts';
import { MOST_CHANGES } from '../catalogue/texts.ts';
import { CONTACT_COLUMNS } from '../contact/queries.ts';
import { distributionFor, orderToChange } from '../distributions/queries.ts';
import { listFeesOf } from '../fees/queries.ts';
import { findAccount } from '../payments/queries.ts';
import { listProductsOf } from '../products/queries.ts';
import type { HistoryRow, OrderPageData, StaffContact } from './contract.ts';

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

const stateOf = (tenant: string, customer: string, [distribution, products]: readonly [string, string]): string =>
  `SELECT d.published, d."orderingOpen", d."catalogueVersion", o.id AS "orderId", coalesce(o.version, 0) AS version,
    coalesce((SELECT json_agg(json_build_object('id', l.id, 'productId', l."productId", 'quantity', l.quantity, 'originalQuantity', l."originalQuantity"))
      FROM order_products l WHERE l."orderId" = o.id), '[]') AS lines,
    coalesce((SELECT json_agg(json_build_object('id', p.id, 'name', p.name, 'max_order_qty', p.max_order_qty, 'unit_price', p.unit_price, 'unit_qty', p.unit_qty))
      FROM products p WHERE p.id = ANY(${products}::int[]) AND p."distributionId" = d.id), '[]') AS products
  FROM distributions d LEFT JOIN orders o ON o."distributorId" = d."distributorId" AND o."customerId" = ${customer} AND o."distributionId" = d.id
  WHERE d.id = ${distribution} AND d."distributorId" = ${tenant}`;

const STATE = stateOf('$1', '$2', ['$3', '$4']);
/** The same of the viewer's own order, read along with the session; its values are the distribution and the products. */
export const OWN_STATE: Statement<OrderState> = stateOf('viewer."tenantId"', 'viewer."userId"', ['$3', '$4']);

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
const HELD = `held AS (SELECT id, "distributorId" FROM distributions
    WHERE id = $1 AND "catalogueVersion" = $2 AND (NOT $3::boolean OR (published AND "orderingOpen")) FOR SHARE)`;

const INSERT = `WITH ${HELD},
  placed AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
    SELECT held."distributorId", held.id, $4, $5 FROM held ON CONFLICT DO NOTHING RETURNING id, version),
  lines AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT held."distributorId", held.id, placed.id, wanted.product, wanted.quantity, wanted.quantity
    FROM held, placed, unnest($6::int[], $7::int[]) wanted (product, quantity) RETURNING id, quantity),
  audit AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy") SELECT id, quantity, $5 FROM lines),
  mail AS (INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId")
    SELECT 'confirmation', '', '', '', '', held."distributorId", $4, placed.id FROM held, placed WHERE EXISTS (SELECT FROM lines))
  SELECT id, version FROM placed`;

// What every change of an order by user $5 sets on its row. A confirmation that is due later than this statement can take tells of this
// change too; else one more is due, five minutes after the last at the earliest (contract §8).
const NEXT_VERSION = `version = version + 1, "updatedAt" = clock_timestamp(), "updatedBy" = $5,
      "confirmVersion" = CASE WHEN "confirmAt" > clock_timestamp() + interval '1 minute' THEN "confirmVersion" ELSE version + 1 END,
      "confirmAt" = CASE WHEN "confirmAt" > clock_timestamp() + interval '1 minute' THEN "confirmAt"
        ELSE greatest(now(), "confirmAt" + interval '5 minutes') END`;
const CHANGED_COLUMNS =
  'orders.id, orders.version, orders."distributorId", orders."customerId", orders."confirmVersion", orders."confirmAt"';
// What follows from the orders in `changed` and from the weights in `dropped`, which went with their units.
const AUDIT_AND_MAIL = `dropped_audit AS (INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "previousQuantity", "updatedBy")
    SELECT "orderProductId", "sortOrder", "actualQuantity", $5 FROM dropped),
  mail AS (INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId", "nextAttemptAt")
    SELECT 'confirmation', '', '', '', '', "distributorId", "customerId", id, "confirmAt" FROM changed WHERE "confirmVersion" = version)`;

const UPDATE = `WITH ${HELD},
  changed AS (UPDATE orders SET ${NEXT_VERSION} FROM held
    WHERE orders.id = $4 AND orders.version = $6 AND orders."distributionId" = held.id RETURNING ${CHANGED_COLUMNS}),
  lines AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT held."distributorId", held.id, changed.id, wanted.product, wanted.quantity, wanted.original
    FROM held, changed, unnest($7::int[], $8::int[], $9::int[]) wanted (product, quantity, original)
    ON CONFLICT ("orderId", "productId", "distributorId")
      DO UPDATE SET quantity = excluded.quantity, "originalQuantity" = excluded."originalQuantity"
    RETURNING id, "productId", quantity),
  audit AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy")
    SELECT id, quantity, $5 FROM lines WHERE "productId" = ANY($10::int[])),
  dropped AS (DELETE FROM actual_quantities w USING lines
    WHERE $11::boolean AND w."orderProductId" = lines.id AND w."sortOrder" >= lines.quantity
    RETURNING w."orderProductId", w."sortOrder", w."actualQuantity"),
  ${AUDIT_AND_MAIL}
  SELECT id, version FROM changed`;

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
  const { orderId } = state;
  // A weight that is being saved meanwhile would not be seen by the statement that has to drop it: it goes first.
  return await transaction(db, async (db) => {
    await orderToChange(db, by, orderId);
    return await update(db);
  });
}

const WITH_PRODUCT = `SELECT id FROM orders o WHERE "distributorId" = $1 AND "distributionId" = $2
    AND EXISTS (SELECT FROM order_products l WHERE l."orderId" = o.id AND l."productId" = $3 AND l."distributorId" = $1 AND l.quantity > 0)
  ORDER BY id FOR NO KEY UPDATE`;

// What the customers last asked for stays in "originalQuantity" (contract §5).
const CLEAR = `WITH cleared AS (SELECT id, "orderId", quantity FROM order_products
    WHERE "distributorId" = $1 AND "distributionId" = $2 AND "productId" = $3 AND "orderId" = ANY($4::int[]) AND quantity > 0),
  lines AS (UPDATE order_products SET quantity = 0 FROM cleared
    WHERE order_products.id = cleared.id AND order_products."distributorId" = $1),
  audit AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy") SELECT id, 0, $5 FROM cleared),
  dropped AS (DELETE FROM actual_quantities w USING cleared WHERE w."orderProductId" = cleared.id
    RETURNING w."orderProductId", w."sortOrder", w."actualQuantity"),
  changed AS (UPDATE orders SET ${NEXT_VERSION} FROM cleared
    WHERE orders.id = cleared."orderId" AND orders."distributorId" = $1 RETURNING ${CHANGED_COLUMNS}),
  ${AUDIT_AND_MAIL}
  SELECT count(*) AS orders, coalesce(sum(quantity), 0) AS units FROM cleared`;

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

const CONTACT = `SELECT u.id AS "userId", ${CONTACT_COLUMNS}
  FROM users u LEFT JOIN contacts c ON c."userId" = u.id WHERE u."distributorId" = $1 AND u.id = $2 AND u.role = 'customer'`;

/** The gate of whose order staff open: a customer of the viewer's distributor, disabled ones too. */
export async function customerFor(db: Db, { tenantId }: Viewer, customerId: number): Promise<StaffContact> {
  const [contact] = await run<StaffContact>(db, CONTACT, [tenantId, customerId]);
  if (!contact) throw notFound('Customer');
  return contact;
}

const PAGE_LINES = `SELECT l.id, l."productId", l.quantity, l."originalQuantity",
    coalesce((SELECT json_agg(json_build_object('sortOrder', w."sortOrder", 'actualQuantity', w."actualQuantity") ORDER BY w."sortOrder")
      FROM actual_quantities w WHERE w."orderProductId" = l.id AND w."sortOrder" < l.quantity), '[]') AS actuals
  FROM order_products l WHERE l."orderId" = $1 ORDER BY l.id`;

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
    return {
      order,
      distribution,
      distributionProducts: await listProductsOf(db, distribution),
      fees: await listFeesOf(db, distribution),
      orderProducts: order ? await run<OrderPageData['orderProducts'][number]>(db, PAGE_LINES, [order.id]) : [],
      contact,
      account: order && (await findAccount(db, viewer.tenantId, order.id)),
    };
  });

// A quantity was 0 before its first row. A price counts while something of its product was ordered, a fee while anything was.
const HISTORY = `WITH place AS (SELECT id, "distributorId", "distributionId" FROM orders WHERE id = $1),
  lines AS (SELECT l.id, l."productId" FROM order_products l JOIN place ON place.id = l."orderId"),
  quantities AS (SELECT a.*, lines."productId", lag(a.quantity, 1, 0) OVER of_line AS before,
      lead(a."updatedAt", 1, 'infinity') OVER of_line AS until
    FROM order_product_audit a JOIN lines ON lines.id = a."orderProductId" WINDOW of_line AS (PARTITION BY a."orderProductId" ORDER BY a.id)),
  changes AS (
    SELECT 'quantity' AS kind, "updatedAt" AS at, "updatedBy", "productId", NULL::text AS "feeName", NULL::int AS unit,
      before::numeric AS "from", quantity::numeric AS "to", NULL::jsonb AS before, NULL::jsonb AS after,
      NULL::bigint AS amount, NULL::text AS "paymentMethod", id FROM quantities
    UNION ALL SELECT 'weight', w."updatedAt", w."updatedBy", lines."productId", NULL, w."sortOrder" + 1, w."previousQuantity", w."actualQuantity",
      NULL, NULL, NULL, NULL, w.id FROM actual_quantity_audit w JOIN lines ON lines.id = w."orderProductId"
    UNION ALL SELECT CASE WHEN c."feeId" IS NULL THEN 'price' ELSE 'fee' END, c."updatedAt", c."updatedBy", c."productId",
      CASE WHEN c."feeId" IS NOT NULL THEN c.name END, NULL, NULL, NULL, c.before, c.after, NULL, NULL, c.id
    FROM catalogue_audit c JOIN place ON place."distributorId" = c."distributorId" AND place."distributionId" = c."distributionId"
    WHERE EXISTS (SELECT FROM quantities q WHERE (c."feeId" IS NOT NULL OR q."productId" = c."productId")
      AND q.quantity > 0 AND c."updatedAt" >= q."updatedAt" AND c."updatedAt" < q.until)
    UNION ALL SELECT 'payment', y."createdAt", y."createdBy", NULL, NULL, NULL, NULL, NULL, NULL, NULL, y.amount, y."paymentMethod", y.id
    FROM payments y JOIN place ON place."distributorId" = y."distributorId" AND place."distributionId" = y."distributionId" AND place.id = y."orderId")
  SELECT kind, at, u.email AS by, u.role AS "byRole", p.name AS "productName", p.product_code AS "productCode", "feeName", unit,
    CASE WHEN kind = 'weight' THEN p.uom END AS uom, "from", "to", before, after, amount, "paymentMethod"
  FROM changes JOIN users u ON u.id = changes."updatedBy" LEFT JOIN products p ON p.id = changes."productId"
  ORDER BY at DESC, kind, changes.id DESC LIMIT ${MOST_CHANGES}`;

/** Newest first. */
export async function listHistory(db: Db, { tenantId }: Viewer, orderId: number): Promise<HistoryRow[]> {
  const [own] = await run(db, 'SELECT 1 FROM orders WHERE "distributorId" = $1 AND id = $2', [tenantId, orderId]);
  if (!own) throw notFound('Order');
  return await run<HistoryRow>(db, HISTORY, [orderId]);
}
