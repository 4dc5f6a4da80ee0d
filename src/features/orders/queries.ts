// An order is written by one statement that checks, in the database, that nothing moved since it was read: the distribution's flags
// and catalogue, and the order's version. When something did, the caller reads again.
import type { Cents } from '../../domain/money.ts';
import { run, type Db } from '../../server/db.ts';
import type { Viewer } from '../../server/session.ts';

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
    SELECT 'confirmation', '', '', '', '', d."distributorId", $4, o.id FROM d, o)
  SELECT id, version FROM o`;

// A confirmation that is due later than this statement can take tells of this change too; else one more is due, five minutes after the last at the earliest (contract §8).
const UPDATE = `WITH ${STILL_SO},
  o AS (UPDATE orders SET version = version + 1, "updatedAt" = now(), "updatedBy" = $5,
      "confirmVersion" = CASE WHEN "confirmAt" > clock_timestamp() + interval '1 minute' THEN "confirmVersion" ELSE version + 1 END,
      "confirmAt" = CASE WHEN "confirmAt" > clock_timestamp() + interval '1 minute' THEN "confirmAt"
        ELSE greatest(now(), "confirmAt" + interval '5 minutes') END FROM d
    WHERE orders.id = $4 AND orders.version = $6 AND orders."distributionId" = d.id
    RETURNING orders.id, orders.version, orders."distributorId", orders."customerId", orders."confirmVersion", orders."confirmAt"),
  l AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT d."distributorId", d.id, o.id, v.p, v.q, v.original FROM d, o, unnest($7::int[], $8::int[], $9::int[]) v (p, q, original)
    ON CONFLICT ("orderId", "productId", "distributorId")
      DO UPDATE SET quantity = excluded.quantity, "originalQuantity" = excluded."originalQuantity"
    RETURNING id, "productId", quantity),
  a AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy")
    SELECT id, quantity, $5 FROM l WHERE "productId" = ANY($10::int[])),
  gone AS (DELETE FROM actual_quantities w USING l WHERE $11::boolean AND w."orderProductId" = l.id AND w."sortOrder" >= l.quantity),
  m AS (INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId", "nextAttemptAt")
    SELECT 'confirmation', '', '', '', '', "distributorId", "customerId", id, "confirmAt" FROM o WHERE "confirmVersion" = version)
  SELECT id, version FROM o`;

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
  const [saved] = await run<Saved>(db, UPDATE, values);
  return saved ?? null;
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
