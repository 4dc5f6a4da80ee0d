// Reads the data with which an order is validated.
import type { Line } from '../../domain/ordering/changed-lines.ts';
import type { QuantityLine } from '../../domain/order.ts';
import { definePreload } from '../../server/auth/session-preload.ts';
import { runOne, type Db } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { isoSql, NOW_SQL } from '../distributions/queries.ts';
import type { StoredDetails } from '../orders/contract.ts';

export interface Offered extends Pick<Row<'products'>, 'id' | 'name' | 'max_order_qty' | 'unit_price' | 'unit_qty' | 'notOffered'> {
  /**
   * How many more units the customer can order; null if the product has no limit (contract §12), if the order does not raise its quantity, or
   * if it was not read.
   */
  readonly left: number | null;
}

/** The data with which an order is validated: the distribution, the current order, and the requested products. */
export interface OrderState
  extends StoredDetails, Pick<Row<'distributions'>, 'published' | 'orderingOpen' | 'catalogueVersion' | 'opensAt' | 'closesAt'> {
  /** The time on the database's clock when this data was read. */
  readonly now: string;
  /** The id of the order; null if there is no order. */
  readonly orderId: number | null;
  /** The version of the current order; 0 if there is no order. */
  readonly version: number;
  readonly isPickedUp: boolean;
  readonly lines: readonly Line[];
  readonly products: readonly Offered[];
  /** How many order lines and entries of waiting lists were added up for the units left. */
  readonly summed: number;
  readonly hasSlots: boolean;
  /**
   * The requested pick-up time and that of the current order, if there are any. `taken` is the number of other customers' orders that have
   * this pick-up time; the count stops at the capacity. These orders are not counted, and `taken` is 0, in two cases: in the session preload,
   * and for the pick-up time that the order already has.
   */
  readonly slots: readonly Slot[];
}
interface Slot extends Pick<Row<'slots'>, 'id' | 'label' | 'capacity'> {
  readonly taken: number;
}

const stateOf = (
  tenant: string,
  customer: string,
  [distribution, products, slots]: readonly [string, string, string],
  [left, summed, taken]: readonly [string, string, string],
): string =>
  `SELECT d.published, d."orderingOpen", d."catalogueVersion", ${isoSql('d."opensAt"')} AS "opensAt", ${isoSql('d."closesAt"')} AS "closesAt", ${NOW_SQL} AS now, o.note, o."slotId",
    EXISTS (SELECT FROM slots s WHERE s."distributorId" = d."distributorId" AND s."distributionId" = d.id) AS "hasSlots",
    coalesce((SELECT json_agg(json_build_object('id', s.id, 'label', s.label, 'capacity', s.capacity, 'taken', ${taken}))
      FROM slots s WHERE (s.id = o."slotId" OR s.id = ANY(${slots}::int[])) AND s."distributorId" = d."distributorId" AND s."distributionId" = d.id), '[]') AS slots,
    o.id AS "orderId", coalesce(o.version, 0) AS version, o."pickedUpAt" IS NOT NULL AS "isPickedUp",
    coalesce((SELECT json_agg(json_build_object('productId', l."productId", 'quantity', l.quantity, 'originalQuantity', l."originalQuantity"))
      FROM order_products l WHERE l."orderId" = o.id), '[]') AS lines,
    coalesce((SELECT json_agg(json_build_object('id', p.id, 'name', p.name, 'max_order_qty', p.max_order_qty, 'unit_price', p.unit_price, 'unit_qty', p.unit_qty, 'notOffered', p."notOffered",
        'left', ${left}))
      FROM products p WHERE p.id = ANY(${products}::int[]) AND p."distributionId" = d.id), '[]') AS products, ${summed} AS summed
  FROM distributions d LEFT JOIN orders o ON o."distributorId" = d."distributorId" AND o."customerId" = ${customer} AND o."distributionId" = d.id
  WHERE d.id = ${distribution} AND d."distributorId" = ${tenant}`;

/** The limited products of which the order gets more units, with the units left. The parameters $4 and $6 are the products and quantities. */
const RAISED = `SELECT "productId", sum(units)::int AS units, sum(summed)::int AS summed FROM units_left_v2(ARRAY(
    SELECT p.id FROM unnest($4::int[], $6::bigint[]) wanted (id, quantity)
      JOIN products p ON p.id = wanted.id AND p."distributorId" = $1 AND p."distributionId" = $3 AND p.total_limit IS NOT NULL
      LEFT JOIN orders o ON o."distributorId" = $1 AND o."customerId" = $2 AND o."distributionId" = $3
      LEFT JOIN order_products l ON l."orderId" = o.id AND l."productId" = p.id
    WHERE wanted.quantity > coalesce(l.quantity, 0)))
  WHERE "customerId" IS NULL OR "customerId" = $2 GROUP BY "productId"`;
const LEFT = '(SELECT raised.units FROM raised WHERE raised."productId" = p.id)';
const SUMMED = 'coalesce((SELECT sum(raised.summed)::int FROM raised), 0)';
/**
 * The lines of the orders are not read, because only orders with units have a pick-up time (contract §16). Servers of an earlier version
 * left the pick-up time of orders without units. If there are such orders, an order can be refused although there is a place left.
 */
const TAKEN = `CASE WHEN s.id IS DISTINCT FROM o."slotId" THEN (SELECT count(*) FROM (SELECT FROM orders other
    WHERE other."distributorId" = s."distributorId" AND other."distributionId" = s."distributionId" AND other."slotId" = s.id AND other."customerId" <> $2
    LIMIT s.capacity) counted) ELSE 0 END`;
const STATE = `WITH raised AS MATERIALIZED (${RAISED}) ${stateOf('$1', '$2', ['$3', '$4', '$5'], [LEFT, SUMMED, TAKEN])}`;
/**
 * The session preload with the same data as `findOrderState`, for the viewer's own order. It reads no orders of other customers, because
 * that would delay the saves of others: `left` (the units that the customer can still order) is null, and `taken` is 0.
 * save_orders_v3 checks both limits under its locks. If an order exceeds one, `findOrderState` reads the numbers before the order is refused.
 */
export const ownOrderState = definePreload<
  { distributionId: number; productIds: readonly number[]; slotIds: readonly number[] },
  OrderState
>({
  name: 'own order state',
  args: { distributionId: 'int', productIds: 'int[]', slotIds: 'int[]' },
  sql: stateOf(
    'viewer."tenantId"',
    'viewer."userId"',
    ['args."distributionId"', 'args."productIds"', 'args."slotIds"'],
    ['NULL', '0', '0'],
  ),
});

/** Returns the number of lines of the customer's order; for staff, whose save waits in a queue if the order has many. */
export const savedLineCount = definePreload<{ distributionId: number; customerId: number }, { lines: number }>({
  name: 'number of saved order lines',
  args: { distributionId: 'int', customerId: 'int' },
  sql: `SELECT count(*)::int AS lines FROM orders o JOIN order_products l ON l."orderId" = o.id
    WHERE o."distributorId" = viewer."tenantId" AND o."customerId" = args."customerId" AND o."distributionId" = args."distributionId"`,
});

interface WantedState {
  readonly tenantId: number;
  readonly customerId: number;
  readonly distributionId: number;
  readonly products: readonly QuantityLine[];
  readonly slotIds: readonly number[];
}

/** Returns the data with which an order is validated; null if the distributor has no such distribution. */
export async function findOrderState(
  db: Db,
  { tenantId, customerId, distributionId, products, slotIds }: WantedState,
): Promise<OrderState | null> {
  const [productIds, quantities] = [products.map((line) => line.productId), products.map((line) => line.quantity)];
  return await runOne<OrderState>(db, STATE, [tenantId, customerId, distributionId, productIds, slotIds, quantities]);
}
