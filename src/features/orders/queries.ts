// Saves orders in batches with the SQL function save_orders_v2 (db/migrations). Under its locks the function checks that the data used to
// validate an order has not changed, that ordering is open, and that limits and the pick-up time still allow the order. If not, it does not
// write that order, and the caller validates it again with the current state.
import type { Cents } from '../../domain/money.ts';
import { run, snapshot, type Db } from '../../server/database/db.ts';
import { notFound } from '../../server/http/errors.ts';
import { batchPerDb } from '../../server/database/batcher.ts';
import { definePreload } from '../../server/auth/session-preload.ts';
import type { Row } from '../../server/database/schema.ts';
import type { Viewer } from '../../server/auth/session.ts';
import type { IdempotencyRecord } from '../../server/http/pipeline/idempotency.ts';
import { CONTACT_COLUMNS } from '../contact/queries.ts';
import { distributionFor, isoSql, NOW_SQL } from '../distributions/queries.ts';
import { listFeesOf } from '../fees/queries.ts';
import { findAccount } from '../payments/queries.ts';
import { leftFor, listProductsOf } from '../products/queries.ts';
import type { StaffContact } from '../contact/contract.ts';
import { withDetails, type StoredDetails } from './contract.ts';
import type { OrderPageData } from './contract.ts';

interface Line {
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
  /** The units that the customer can order in addition; null without a limit (contract §12). */
  readonly left: number | null;
  readonly notOffered: boolean;
}

/** The data that an order is judged by: the distribution, the current order, and the requested products of the distribution. */
export interface OrderState {
  readonly published: boolean;
  readonly orderingOpen: boolean;
  readonly opensAt: string | null;
  readonly closesAt: string | null;
  /** The time of this read by the database's clock. */
  readonly now: string;
  /** The id of a new order is reserved, so that its reply is complete before the order is written. */
  readonly orderId: number;
  /** 0 if there is no order. */
  readonly version: number;
  readonly lines: readonly Line[];
  readonly products: readonly Offered[];
  readonly note: string | null;
  readonly slotId: number | null;
  readonly hasSlots: boolean;
  /** The requested pick-up time, or else that of the order. `taken` counts other orders. */
  readonly slots: readonly Slot[];
}
interface Slot {
  readonly id: number;
  readonly label: string;
  readonly capacity: number;
  readonly taken: number;
}

const stateOf = (tenant: string, customer: string, [distribution, products, slots]: readonly [string, string, string]): string =>
  `SELECT d.published, d."orderingOpen", ${isoSql('d."opensAt"')} AS "opensAt", ${isoSql('d."closesAt"')} AS "closesAt", ${NOW_SQL} AS now, o.note, o."slotId",
    EXISTS (SELECT FROM slots s WHERE s."distributorId" = d."distributorId" AND s."distributionId" = d.id) AS "hasSlots",
    coalesce((SELECT json_agg(json_build_object('id', s.id, 'label', s.label, 'capacity', s.capacity, 'taken', (SELECT count(*) FROM orders other
        WHERE other."slotId" = s.id AND other."customerId" <> ${customer} AND EXISTS (SELECT FROM order_products l WHERE l."orderId" = other.id AND l.quantity > 0))))
      FROM slots s WHERE (s.id = o."slotId" OR s.id = ANY(${slots}::int[])) AND s."distributorId" = d."distributorId" AND s."distributionId" = d.id), '[]') AS slots,
    coalesce(o.id, nextval('orders_id_seq')::int) AS "orderId", coalesce(o.version, 0) AS version,
    coalesce((SELECT json_agg(json_build_object('productId', l."productId", 'quantity', l.quantity, 'originalQuantity', l."originalQuantity"))
      FROM order_products l WHERE l."orderId" = o.id), '[]') AS lines,
    coalesce((SELECT json_agg(json_build_object('id', p.id, 'name', p.name, 'max_order_qty', p.max_order_qty, 'unit_price', p.unit_price, 'unit_qty', p.unit_qty, 'notOffered', p."notOffered",
        'left', CASE WHEN p.total_limit IS NOT NULL THEN ${leftFor('p', customer)} END))
      FROM products p WHERE p.id = ANY(${products}::int[]) AND p."distributionId" = d.id), '[]') AS products
  FROM distributions d LEFT JOIN orders o ON o."distributorId" = d."distributorId" AND o."customerId" = ${customer} AND o."distributionId" = d.id
  WHERE d.id = ${distribution} AND d."distributorId" = ${tenant}`;

const STATE = stateOf('$1', '$2', ['$3', '$4', '$5']);
/** The same data for the viewer's own order, read together with the session. */
export const ownOrderState = definePreload<
  { distributionId: number; productIds: readonly number[]; slotIds: readonly number[] },
  OrderState
>({
  name: 'own order state',
  args: { distributionId: 'int', productIds: 'int[]', slotIds: 'int[]' },
  sql: stateOf('viewer."tenantId"', 'viewer."userId"', ['args."distributionId"', 'args."productIds"', 'args."slotIds"']),
});

interface WantedState {
  readonly tenantId: number;
  readonly customerId: number;
  readonly distributionId: number;
  readonly productIds: readonly number[];
  readonly slotIds?: readonly number[];
}

/** Null if the tenant has no such distribution. */
export async function findOrderState(
  db: Db,
  { tenantId, customerId, distributionId, productIds, slotIds = [] }: WantedState,
): Promise<OrderState | null> {
  const [state] = await run<OrderState>(db, STATE, [tenantId, customerId, distributionId, productIds, slotIds]);
  return state ?? null;
}

/** A changed note or pick-up time; `before` and `after` are the changed fields for the audit row. */
export interface OrderDetails {
  readonly note: string | null;
  readonly slotId: number | null;
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
}

/** An order of a batch in the format of save_orders_v2. */
interface OrderItem extends Partial<IdempotencyRecord> {
  readonly id: number;
  readonly customerId: number;
  /** The new version: one more than the version that the order was validated with. */
  readonly version: number;
  readonly updatedBy: number;
  readonly needsOpenOrdering: boolean;
  readonly judgedBy: readonly Omit<Offered, 'name' | 'left'>[];
  /** Every line whose quantity or original quantity changes; only a changed quantity is audited. */
  readonly lines: readonly (Line & { readonly isAudited: boolean })[];
  /** The pick-up time in which the order takes a place. */
  readonly slotId?: number | null;
  readonly details?: OrderDetails | null;
  /** Staff may exceed the limits of products. */
  readonly beyondLimits?: boolean;
}
export interface OrderWrite {
  readonly distributionId: number;
  readonly item: OrderItem;
}
/** 'no customer': the customer of a first order has been removed. */
export type SaveOutcome = 'saved' | 'key used' | 'no customer' | 'outdated';

/** The maximum lock wait of a batch, because its orders wait together; afterwards each order is saved alone. */
const BATCH_LOCK_WAIT = '300ms';
const LOCK_WAIT = '5s';
const SAVE = 'SELECT id, outcome FROM save_orders_v2($1, $2, $3)';

/** Saves orders of one distribution. Of several orders of one customer only the first is saved; the others are outdated. */
export async function saveOrders(db: Db, orders: readonly OrderWrite[]): Promise<SaveOutcome[]> {
  const [first] = orders;
  if (!first) return [];
  const byCustomer = new Map(orders.toReversed().map(({ item }) => [item.customerId, item]));
  const items = JSON.stringify([...byCustomer.values()]);
  const lockWait = orders.length > 1 && !db.isTransaction ? BATCH_LOCK_WAIT : LOCK_WAIT;
  const rows = await run<{ id: number; outcome: SaveOutcome }>(db, SAVE, [first.distributionId, items, lockWait]);
  const outcomes = new Map(rows.map(({ id, outcome }) => [id, outcome]));
  return orders.map(({ item }) => (byCustomer.get(item.customerId) === item && outcomes.get(item.id)) || 'outdated');
}

const saveInBatch = batchPerDb(saveOrders);

/** Outside of a transaction, the order joins a batch of concurrent saves of its distribution. */
export async function saveOrder(db: Db, order: OrderWrite): Promise<SaveOutcome> {
  if (!db.isTransaction) return await saveInBatch(db, String(order.distributionId), order);
  const [outcome = 'outdated'] = await saveOrders(db, [order]);
  return outcome;
}

interface OwnOrder extends StoredDetails {
  readonly id: number;
  readonly distributionId: number;
  readonly version: number;
  readonly products: { readonly productId: number; readonly quantity: number }[];
}

/** The customer's own order with lines above 0; null when there is none. */
export async function findOwnOrder(db: Db, { tenantId, userId }: Viewer, distributionId: number) {
  const text = `SELECT o.id, o."distributionId", o.version, o.note, o."slotId",
      coalesce((SELECT json_agg(json_build_object('productId', l."productId", 'quantity', l.quantity) ORDER BY l."productId")
        FROM order_products l WHERE l."orderId" = o.id AND l.quantity > 0), '[]') AS products
    FROM orders o WHERE o."distributorId" = $1 AND o."customerId" = $2 AND o."distributionId" = $3`;
  const [order] = await run<OwnOrder>(db, text, [tenantId, userId, distributionId]);
  return order ? withDetails(order) : null;
}

const CONTACT = `SELECT u.id AS "userId", ${CONTACT_COLUMNS}
  FROM users u LEFT JOIN contacts c ON c."userId" = u.id WHERE u."distributorId" = $1 AND u.id = $2
    AND u.role = CASE WHEN $3 THEN 'invented' ELSE 'customer' END
    AND (u."removedAt" IS NULL OR EXISTS (SELECT FROM orders o WHERE o."distributorId" = $1 AND o."customerId" = u.id))`;

/**
 * The access check for orders that staff open: a customer of the viewer's distributor, including disabled and forgotten ones; in a rehearsal
 * one of its families.
 */
export async function customerFor(
  db: Db,
  { distributorId, rehearsal }: Pick<Row<'distributions'>, 'distributorId' | 'rehearsal'>,
  customerId: number,
): Promise<StaffContact> {
  const [contact] = await run<StaffContact>(db, CONTACT, [distributorId, customerId, rehearsal]);
  if (!contact) throw notFound('Customer');
  return contact;
}

const PAGE_LINES = `SELECT l.id, l."productId", l.quantity, l."originalQuantity",
    coalesce((SELECT json_agg(json_build_object('sortOrder', w."sortOrder", 'actualQuantity', w."actualQuantity") ORDER BY w."sortOrder")
      FROM actual_quantities w WHERE w."orderProductId" = l.id AND w."sortOrder" < l.quantity), '[]') AS actuals
  FROM order_products l WHERE l."orderId" = $1 ORDER BY l.id`;

type OrderOfPage = Pick<NonNullable<OrderPageData['order']>, 'id' | 'distributionId' | 'customerId' | 'version'> & StoredDetails;

/** All parts come from one consistent snapshot. */
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
      distributionProducts: await listProductsOf(db, distribution, customerId),
      fees: await listFeesOf(db, distribution),
      orderProducts: order ? await run<OrderPageData['orderProducts'][number]>(db, PAGE_LINES, [order.id]) : [],
      contact,
      account: order && (await findAccount(db, viewer.tenantId, order.id)),
    };
  });
