// An order is written by one statement that checks, in the database, that nothing moved since it was read: the distribution's flags
// and the products of the order, and the order's version. When something did, the caller reads again.
import type { Cents } from '../../domain/money.ts';
import { intArrays, isWriteConflict, run, snapshot, transaction, type Db } from '../../server/database/db.ts';
import { notFound } from '../../server/http/errors.ts';
import { together } from '../../server/database/batcher.ts';
import { keyColumns, keysAlong, type KeyRow } from '../../server/http/idempotency.ts';
import type { Statement, Viewer } from '../../server/auth/session.ts';
import { CONTACT_COLUMNS } from '../contact/queries.ts';
import { distributionFor, lockOrder } from '../distributions/queries.ts';
import { listFeesOf } from '../fees/queries.ts';
import { findAccount } from '../payments/queries.ts';
import { listProductsOf } from '../products/queries.ts';
import type { StaffContact } from '../contact/contract.ts';
import type { OrderPageData } from './contract.ts';

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
export const OWN_STATE: Statement<OrderState> = stateOf('viewer."tenantId"', 'viewer."userId"', ['asked.first::int', 'asked.second']);

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

// FOR SHARE waits for a change of the distribution and then judges its flags anew: once closing has answered, nothing is written. Where
// there is a way back, alone or by `once`, no row is waited for longer than 300 ms, else 5 s; $4 has an entry for each order.
// A catalogue of another version does not matter where the products are as they were judged: an import changes it many times a second.
const held = (
  keys: KeysAlong | undefined,
  judged: readonly number[],
): string => `locked AS (SELECT id, "distributorId", "catalogueVersion" FROM distributions,
      set_config('lock_timeout', CASE WHEN ${keys ? 'true' : 'cardinality($4::int[]) > 1'} THEN '300ms'
        WHEN current_setting('lock_timeout') = '0' THEN '5s' ELSE current_setting('lock_timeout') END, true)
    WHERE id = $1 AND (NOT $3::boolean OR (published AND "orderingOpen")) FOR SHARE OF distributions),
  held AS (SELECT id, "distributorId" FROM locked
    WHERE CASE WHEN "catalogueVersion" = $2 THEN true ELSE products_are_as_judged(id, ${judged.map((n) => `$${n}::int[]`).join(', ')}) END)`;

type KeysAlong = ReturnType<typeof keysAlong>;

/** Of several customers of one distribution, in the order of their ids (their keys too), so that two of these statements never wait for each other. */
const insert = (keys?: KeysAlong): string => `WITH ${held(keys, [9, 10, 11, 12])},${keys ? `\n  ${keys.given},` : ''}
  placed AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
    SELECT held."distributorId", held.id, wanted.customer, wanted."by" FROM held, unnest($4::int[], $5::int[]) wanted (customer, "by")
    ${keys ? `WHERE ${keys.isFree('wanted."by"')}` : ''} ORDER BY wanted.customer ON CONFLICT ("distributorId", "customerId", "distributionId") DO NOTHING
    RETURNING id, version, "distributorId", "distributionId", "customerId", "updatedBy"),
  lines AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT placed."distributorId", placed."distributionId", placed.id, line.product, line.quantity, line.quantity
    FROM placed JOIN unnest($6::int[], $7::int[], $8::int[]) WITH ORDINALITY line (customer, product, quantity, place)
      ON line.customer = placed."customerId" ORDER BY line.place RETURNING id, "orderId", quantity),
  audit AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy")
    SELECT lines.id, lines.quantity, placed."updatedBy" FROM lines JOIN placed ON placed.id = lines."orderId"),
  ${keys ? `${keys.kept('placed')},` : ''}
  mail AS (INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId")
    SELECT 'confirmation', '', '', '', '', "distributorId", "customerId", id FROM placed WHERE id IN (SELECT "orderId" FROM lines))
  SELECT id, version, "customerId" FROM placed`;
const INSERTS = { keyed: insert(keysAlong(13)), plain: insert() };

// What every change of an order sets on its row. A confirmation that is due later than this statement can take tells of this change
// too; else one more is due, five minutes after the last at the earliest (contract §8).
export const nextVersion = (by: string): string => `version = orders.version + 1, "updatedAt" = clock_timestamp(), "updatedBy" = ${by},
      "confirmVersion" = CASE WHEN "confirmAt" > clock_timestamp() + interval '1 minute' THEN "confirmVersion" ELSE orders.version + 1 END,
      "confirmAt" = CASE WHEN "confirmAt" > clock_timestamp() + interval '1 minute' THEN "confirmAt"
        ELSE greatest(now(), "confirmAt" + interval '5 minutes') END`;
export const CHANGED_COLUMNS =
  'orders.id, orders.version, orders."distributorId", orders."customerId", orders."updatedBy", orders."confirmVersion", orders."confirmAt"';
// What follows from the orders in `changed` and from the weights in `dropped`, which went with their units.
export const AUDIT_AND_MAIL = `dropped_audit AS (INSERT INTO actual_quantity_audit ("orderProductId", "sortOrder", "previousQuantity", "updatedBy")
    SELECT dropped."orderProductId", dropped."sortOrder", dropped."actualQuantity", changed."updatedBy"
    FROM dropped JOIN changed ON changed.id = dropped."orderId"),
  mail AS (INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId", "nextAttemptAt")
    SELECT 'confirmation', '', '', '', '', "distributorId", "customerId", id, "confirmAt" FROM changed WHERE "confirmVersion" = version)`;

const update = (keys?: KeysAlong): string => `WITH ${held(keys, [13, 14, 15, 16])},${keys ? `\n  ${keys.given},` : ''}
  own AS (SELECT orders.id, wanted."by" FROM held, orders, unnest($4::int[], $5::int[], $6::int[]) wanted (id, "by", version)
    WHERE orders.id = wanted.id AND orders.version = wanted.version AND orders."distributionId" = held.id
      ${keys ? `AND ${keys.isFree('wanted."by"')}` : ''}
    ORDER BY orders.id FOR NO KEY UPDATE OF orders),
  changed AS (UPDATE orders SET ${nextVersion('own."by"')} FROM own WHERE orders.id = own.id RETURNING ${CHANGED_COLUMNS}),
  wanted AS (SELECT * FROM unnest($7::int[], $8::int[], $9::int[], $10::int[], $11::int[]) WITH ORDINALITY
    line ("orderId", "productId", quantity, original, audited, place)),
  lines AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT held."distributorId", held.id, changed.id, wanted."productId", wanted.quantity, wanted.original
    FROM held, changed JOIN wanted ON wanted."orderId" = changed.id ORDER BY wanted.place
    ON CONFLICT ("orderId", "productId", "distributorId")
      DO UPDATE SET quantity = excluded.quantity, "originalQuantity" = excluded."originalQuantity"
    RETURNING id, "orderId", "productId", quantity),
  audit AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy")
    SELECT lines.id, lines.quantity, changed."updatedBy" FROM lines JOIN changed ON changed.id = lines."orderId"
    WHERE (lines."orderId", lines."productId") NOT IN (SELECT "orderId", "productId" FROM wanted WHERE audited = 0)),
  dropped AS (DELETE FROM actual_quantities w USING lines
    WHERE $12::boolean AND w."orderProductId" = lines.id AND w."sortOrder" >= lines.quantity
    RETURNING lines."orderId", w."orderProductId", w."sortOrder", w."actualQuantity"),
  ${keys ? `${keys.kept('changed')},` : ''}
  ${AUDIT_AND_MAIL}
  SELECT id, version, "customerId" FROM changed`;
const UPDATES = { keyed: update(keysAlong(17)), plain: update() };

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
  /** Only for `saveWithKey`: within `once` the row of the key is there already. */
  readonly key?: KeyRow;
}

/** The products that these orders are judged by, each once. */
function judgedProducts(orders: readonly OrderWrite[]): unknown[] {
  const products = new Map(orders.flatMap(({ state }) => state.products.map((product) => [product.id, product])));
  return intArrays(
    4,
    [...products.values()].map(({ id, max_order_qty, unit_price, unit_qty }) => [id, max_order_qty, unit_price, unit_qty]),
  );
}

/** What all orders of one statement are judged by. */
const judgedBy = ({ distributionId, state, by }: OrderWrite) => [distributionId, state.catalogueVersion, by.role === 'customer'];

function newOrders(orders: readonly OrderWrite[]): unknown[] {
  const lines = orders.flatMap(({ customerId, lines }) => lines.map(({ productId, quantity }) => [customerId, productId, quantity]));
  return [
    ...intArrays(
      2,
      orders.map(({ customerId, by }) => [customerId, by.userId]),
    ),
    ...intArrays(3, lines),
  ];
}

function changedOrders(orders: readonly OrderWrite[]): unknown[] {
  const own = orders.map(({ state, by }) => [state.orderId ?? 0, by.userId, state.version]);
  const lines = orders.flatMap(({ state, lines, changed }) =>
    lines.map((line) => [
      state.orderId ?? 0,
      line.productId,
      line.quantity,
      line.originalQuantity,
      changed.includes(line.productId) ? 1 : 0,
    ]),
  );
  return [...intArrays(3, own), ...intArrays(5, lines), orders.some(isLess)];
}

const isLess = ({ state, lines }: OrderWrite): boolean => {
  const before = new Map(state.lines.map((line) => [line.productId, line.quantity]));
  return lines.some((line) => line.quantity < (before.get(line.productId) ?? 0));
};

/** Of orders that are judged by the same, all new or all changed. Of a customer who is there twice only the first is saved. */
async function saveOrders(db: Db, orders: readonly OrderWrite[]): Promise<(Saved | null)[]> {
  const [any] = orders;
  if (!any) return [];
  const first = new Map(orders.toReversed().map((order) => [order.customerId, order]));
  const own = [...first.values()];
  const [texts, values] = any.state.orderId === null ? [INSERTS, newOrders(own)] : [UPDATES, changedOrders(own)];
  const keys = keyColumns(own.flatMap(({ key }) => key ?? []));
  const judged = [...judgedBy(any), ...values, ...judgedProducts(own)];
  const all = any.key ? [...judged, ...keys] : judged;
  const saved = await run<Saved & { customerId: number }>(db, any.key ? texts.keyed : texts.plain, all);
  const byCustomer = new Map(saved.map(({ id, version, customerId }) => [customerId, { id, version }]));
  return orders.map((order) => (first.get(order.customerId) === order && byCustomer.get(order.customerId)) || null);
}

const saveTogether = together(saveOrders);
/** Those of the same lane may be written by one statement. */
const laneOf = (order: OrderWrite): string => `${judgedBy(order).join()} ${order.state.orderId === null} ${order.key !== undefined}`;

/** The own order of a customer with the row of the key, in one statement; null where nothing was written. A user has one key in a statement. */
export async function saveWithKey(db: Db, order: OrderWrite & { readonly key: KeyRow }): Promise<Saved | null> {
  const { state, by, customerId } = order;
  if (by.userId !== customerId || (state.orderId !== null && isLess(order))) return null;
  return await saveTogether(db, laneOf(order), order).catch((error: unknown) => {
    if (isWriteConflict(error)) return null;
    throw error;
  });
}

/** The order's id and new version, or null when something moved since `state` was read. */
export async function saveOrder(db: Db, order: OrderWrite): Promise<Saved | null> {
  const { by, state } = order;
  const save = async (db: Db): Promise<Saved | null> => (await saveOrders(db, [order]))[0] ?? null;
  if (state.orderId !== null && isLess(order)) {
    const { orderId } = state;
    // A weight that is being saved meanwhile would not be seen by the statement that has to drop it: it goes first.
    return await transaction(db, async (db) => {
      await lockOrder(db, by, orderId);
      return await save(db);
    });
  }
  return await (db.isTransaction ? save(db) : saveTogether(db, laneOf(order), order));
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
