// Reads the accounts of orders: their lines, weights, fees and payments. A few queries read these for many orders at once. Every amount is
// computed in src/domain.
import { setImmediate as nextLoop } from 'node:timers/promises';
import {
  expectedCount,
  hasAllActuals,
  orderedAmount,
  unconfirmedCount,
  unweighedCount,
  withActuals,
  type Actual,
} from '../../domain/weights/actuals.ts';
import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import type { Cents } from '../../domain/money.ts';
import { balanceOf } from '../../domain/payment.ts';
import { run, runOne, snapshot, type Db } from '../../server/database/db.ts';
import { assertFound, conflict, invalid } from '../../server/errors.ts';
import type { Row } from '../../server/database/schema.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { chunksOfFewRows, idChunks, readAhead, requestedPage, withNextCursor, type ListSource } from '../../server/database/id-chunks.ts';
import type { PageQuery } from '../../shared/pages.ts';
import { NO_KEY } from '../../shared/texts.ts';
import { lockOrder, type DistributionKey } from '../distributions/queries.ts';
import { lockOpenTill } from '../tills/queries.ts';
import { MAX_PAYMENTS, MAX_PAYMENTS_FOR_AGENTS, type PaymentRow as ListedPayment } from './contract.ts';
import { tooManyPayments, tooManyPaymentsForAgents } from './texts.ts';
import { NAME_COLUMNS } from '../contact/queries.ts';
import { ROWS_OF_LINES } from '../order-rows/queries.ts';

type OrderRow = Pick<Row<'orders'>, 'id' | 'distributionId' | 'customerId' | 'version' | 'pickedUpAt' | 'note' | 'slotId'>;
interface LineRow {
  readonly orderId: number;
  readonly orderProductId: number;
  readonly productId: number;
  readonly quantity: number;
}
type ProductRow = Pick<Row<'products'>, 'id' | 'unit_price' | 'unit_qty' | 'unit_qty_is_estimate'>;
type ActualRow = Actual & { readonly orderProductId: number; readonly updatedBy: number };
type PaymentRow = Pick<Row<'payments'>, 'orderId' | 'amount'>;

/** An order with its total and balance (contract §7). */
export interface Account extends OrderRow {
  readonly products: { readonly productId: number; readonly quantity: number }[];
  readonly order_quantity_count: number;
  readonly expected_count: number;
  readonly actual_count: number;
  /** The number of weights that the customer recorded and staff have not confirmed. */
  readonly unconfirmed_count: number;
  readonly has_all_actuals: boolean;
  readonly orderAmount: Cents;
  readonly balance: Cents;
}

// Each statement below reads the data of many orders, and JavaScript combines the results. A single join would cost more, because it would
// repeat the customer and the product on every line.
const ORDERS = 'SELECT id, "distributionId", "customerId", version, note, "slotId", "pickedUpAt" FROM orders';
const LINES = 'SELECT "orderId", id AS "orderProductId", "productId", quantity FROM order_products';
const PRODUCTS = 'SELECT id, unit_price, unit_qty, unit_qty_is_estimate FROM products';
const ACTUALS = `SELECT w."orderProductId", w."sortOrder", w."actualQuantity", w."updatedBy"
  FROM order_products l JOIN actual_quantities w ON w."orderProductId" = l.id`;
const PAYMENTS = 'SELECT "orderId", amount FROM payments';

const OF_CUSTOMERS = '"distributorId" = $1 AND "distributionId" = $2 AND "customerId" = ANY($3::int[])';
const ORDERS_OF_CUSTOMERS = `"orderId" IN (SELECT id FROM orders WHERE ${OF_CUSTOMERS})`;
const OF_WHOLE_DISTRIBUTION = '"distributorId" = $1 AND "distributionId" = $2 AND $3::int[] IS NOT NULL';
const BY_CUSTOMERS = {
  orders: `${ORDERS} WHERE ${OF_CUSTOMERS}`,
  lines: `${LINES} WHERE ${ORDERS_OF_CUSTOMERS} AND quantity > 0`,
  products: `${PRODUCTS} WHERE ${OF_WHOLE_DISTRIBUTION}`,
  fees: `SELECT * FROM fees WHERE ${OF_WHOLE_DISTRIBUTION}`,
  // This statement selects the lines first. If one SELECT also had the condition on products, PostgreSQL would read all lines of the
  // distribution.
  actuals: `WITH l AS MATERIALIZED (SELECT id, "productId" FROM order_products WHERE ${ORDERS_OF_CUSTOMERS})
    SELECT w."orderProductId", w."sortOrder", w."actualQuantity", w."updatedBy"
    FROM l JOIN products p ON p.id = l."productId" JOIN actual_quantities w ON w."orderProductId" = l.id WHERE p.unit_qty_is_estimate`,
  payments: `${PAYMENTS} WHERE "distributionId" = $2 AND ${ORDERS_OF_CUSTOMERS}`,
} as const;

const DISTRIBUTIONS_OF_ORDERS =
  '"distributionId" IN (SELECT "distributionId" FROM orders WHERE "distributorId" = $1 AND id = ANY($2::int[]))';
const BY_ORDERS = {
  orders: `${ORDERS} WHERE "distributorId" = $1 AND id = ANY($2::int[])`,
  lines: `${LINES} WHERE "distributorId" = $1 AND "orderId" = ANY($2::int[]) AND quantity > 0`,
  products: `${PRODUCTS} WHERE "distributorId" = $1 AND id IN (SELECT "productId" FROM order_products WHERE "orderId" = ANY($2::int[]))`,
  fees: `SELECT * FROM fees WHERE "distributorId" = $1 AND ${DISTRIBUTIONS_OF_ORDERS}`,
  actuals: `${ACTUALS} WHERE l."distributorId" = $1 AND l."orderId" = ANY($2::int[])`,
  payments: `${PAYMENTS} WHERE ${DISTRIBUTIONS_OF_ORDERS} AND "orderId" = ANY($2::int[])`,
} as const;

type Scope = typeof BY_CUSTOMERS | typeof BY_ORDERS;

/** The data from which totals and balances are computed, from one consistent snapshot. */
export interface AccountData {
  readonly orders: readonly OrderRow[];
  readonly lines: readonly LineRow[];
  readonly products: readonly ProductRow[];
  readonly fees: readonly Row<'fees'>[];
  readonly actuals: readonly ActualRow[];
  readonly payments: readonly PaymentRow[];
}

const read = (db: Db, scope: Scope, values: readonly [tenantId: number, ...unknown[]]): Promise<AccountData> =>
  snapshot(db, async (db) => ({
    orders: await run<OrderRow>(db, scope.orders, values),
    lines: await run<LineRow>(db, scope.lines, values),
    products: await run<ProductRow>(db, scope.products, values),
    fees: await run<Row<'fees'>>(db, scope.fees, values),
    actuals: await run<ActualRow>(db, scope.actuals, values),
    payments: await run<PaymentRow>(db, scope.payments, values),
  }));

export function accountsIn({ orders, lines, products, fees, actuals, payments }: AccountData): Account[] {
  const productById = new Map(products.map((product) => [product.id, product]));
  const linesByOrder = Map.groupBy(withActuals(lines, actuals), (line) => line.orderId);
  const feesByDistribution = Map.groupBy(fees, (fee) => fee.distributionId);
  const paymentsByOrder = Map.groupBy(payments, (payment) => payment.orderId);
  return orders.map((order) => {
    const ordered = (linesByOrder.get(order.id) ?? []).flatMap((line) => {
      const product = productById.get(line.productId);
      return product ? [{ ...product, ...line }] : [];
    });
    const orderAmount = orderedAmount(ordered, feesByDistribution.get(order.distributionId) ?? []);
    const expected = expectedCount(ordered);
    return {
      ...order,
      products: ordered.map(({ productId, quantity }) => ({ productId, quantity })),
      order_quantity_count: ordered.reduce((count, line) => count + line.quantity, 0),
      expected_count: expected,
      actual_count: expected - unweighedCount(ordered),
      unconfirmed_count: unconfirmedCount(ordered, order.customerId),
      has_all_actuals: hasAllActuals(ordered),
      orderAmount,
      balance: balanceOf(orderAmount, paymentsByOrder.get(order.id) ?? []),
    };
  });
}

/** Returns the accounts of some orders. `orderIds` may be a list of ids in PostgreSQL's text format for int[]. */
export const accountsOfOrders = async (db: Db, tenantId: number, orderIds: readonly number[] | string): Promise<Account[]> =>
  accountsIn(await read(db, BY_ORDERS, [tenantId, orderIds]));

/** Reads the data for the accounts of some customers. `customers` is a list of ids in PostgreSQL's text format for int[]. */
export const readAccountsOf = (db: Db, distribution: DistributionKey, customers: string): Promise<AccountData> =>
  read(db, BY_CUSTOMERS, [distribution.distributorId, distribution.id, customers]);

/** Returns the SQL expression for the rows that `readAccountsOf` reads for the customer `c.id` in a distribution. */
export const rowsOfCustomer = (tenant: string, distribution: string): string =>
  `(SELECT ${ROWS_OF_LINES} FROM orders o JOIN order_products l ON l."orderId" = o.id
    WHERE o."distributorId" = ${tenant} AND o."customerId" = c.id AND o."distributionId" = ${distribution})`;

const ORDERING = `SELECT "customerId" AS id, row_number() OVER (ORDER BY "customerId") AS place FROM orders
  WHERE "distributorId" = $1 AND "distributionId" = $2 AND ($3::int[] IS NULL OR "customerId" = ANY($3))`;

/**
 * Yields the data for the accounts of all orders of a distribution, or of the orders of these customers, in batches. Each batch is read
 * from its own consistent snapshot. Other requests can run between two batches.
 */
export async function* readInBatches(
  db: Db,
  distribution: ListSource,
  customers: readonly number[] | null = null,
): AsyncGenerator<AccountData> {
  const values = [distribution.distributorId, distribution.id, customers];
  for (const { ids } of await chunksOfFewRows(db, { numbered: ORDERING, values, queue: distribution }, rowsOfCustomer('$1', '$2')))
    yield await runInQueue(distribution, () => readAccountsOf(db, distribution, ids));
}

/**
 * Yields the account of each order (lines, payments and balance) before and after a planned change. Yields them in batches, because all
 * accounts together could fill the memory.
 */
export async function* accountsUnder(
  db: Db,
  distribution: ListSource,
  change: (data: AccountData) => AccountData,
): AsyncGenerator<{ readonly before: Account; readonly after: Account }[]> {
  for await (const data of readInBatches(db, distribution)) {
    const before = accountsIn(data);
    await nextLoop();
    // `change` keeps the orders and their sequence, so the same index is the same order before and after.
    yield accountsIn(change(data)).flatMap((after, index) => (before[index] ? [{ before: before[index], after }] : []));
  }
}

/** Reads the data for the account of one order. */
export const readAccountData = (db: Db, tenantId: number, orderId: number): Promise<AccountData> =>
  read(db, BY_ORDERS, [tenantId, [orderId]]);

/** Returns the account of an order; null if the distributor has no such order. */
export async function findAccount(db: Db, tenantId: number, orderId: number): Promise<Account | null> {
  const [account] = await accountsOfOrders(db, tenantId, [orderId]);
  return account ?? null;
}

/** Checks the viewer's access and locks the order until the transaction ends. Returns the order with its total and balance. */
export async function lockOrderToPay(db: Db, viewer: Viewer, orderId: number): Promise<Account> {
  await lockOrder(db, viewer, orderId);
  return assertFound(await findAccount(db, viewer.tenantId, orderId), 'Order');
}

const ADD = `INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", description, "feeAmount", "createdBy", "updatedBy", "tillId")
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $8, $9
  WHERE (SELECT count(*) FROM payments WHERE "distributorId" = $1 AND "distributionId" = $2 AND "orderId" = $3 AND "reversesId" IS NULL) < $10 RETURNING *`;

type NewPayment = Pick<Row<'payments'>, 'amount' | 'paymentMethod' | 'description' | 'feeAmount'>;

export async function saveNewPayment(
  db: Db,
  by: Viewer,
  order: Pick<OrderRow, 'id' | 'distributionId'>,
  { amount, paymentMethod, description, feeAmount }: NewPayment,
): Promise<Row<'payments'>> {
  const tillId = await lockOpenTill(db, by, order.distributionId);
  const [most, refusal] = by.role === 'agent' ? [MAX_PAYMENTS_FOR_AGENTS, tooManyPaymentsForAgents] : [MAX_PAYMENTS, tooManyPayments];
  const values = [by.tenantId, order.distributionId, order.id, amount, paymentMethod, description, feeAmount, by.userId, tillId, most];
  const saved = await runOne<Row<'payments'>>(db, ADD, values);
  if (!saved) throw conflict(refusal(most));
  return saved;
}

const IS_REVERSED = 'EXISTS (SELECT FROM payments r WHERE r."reversesId" = p.id) AS "isReversed"';

type PaymentToReverse = Row<'payments'> & { readonly isReversed: boolean };

/** Checks the viewer's access and locks the order until the transaction ends. Returns the payment that is to be reversed. */
export async function lockPaymentToReverse(
  db: Db,
  viewer: Viewer,
  { orderId, paymentId }: { orderId: number; paymentId: number },
): Promise<PaymentToReverse> {
  await lockOrder(db, viewer, orderId);
  const text = `SELECT p.*, ${IS_REVERSED} FROM payments p WHERE p."distributorId" = $1 AND p."orderId" = $2 AND p.id = $3`;
  return assertFound(await runOne<PaymentToReverse>(db, text, [viewer.tenantId, orderId, paymentId]), 'Payment');
}

/** Inserts a payment that reverses another payment. It has the same amounts with a minus sign (contract §7). */
export async function saveReversal(db: Db, by: Viewer, payment: Row<'payments'>, description: string): Promise<Row<'payments'>> {
  const tillId = await lockOpenTill(db, by, payment.distributionId);
  const text = `INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "feeAmount", "paymentMethod", description, "createdBy", "updatedBy", "reversesId", "tillId")
    SELECT "distributorId", "distributionId", "orderId", -amount, -"feeAmount", "paymentMethod", $2, $3, $3, id, $4 FROM payments WHERE id = $1 RETURNING *`;
  return assertFound(await runOne<Row<'payments'>>(db, text, [payment.id, description, by.userId, tillId]), 'Payment');
}

const NEWEST_FIRST = 'p."createdAt" DESC, p.id DESC';
const NUMBERED = `SELECT p.id, row_number() OVER (ORDER BY ${NEWEST_FIRST}) - 1 AS place FROM payments p
  WHERE p."distributorId" = $1 AND p."distributionId" = $2 AND ($3::int IS NULL OR (p."createdAt", p.id) <
    (SELECT a."createdAt", a.id FROM payments a WHERE a."distributorId" = $1 AND a."distributionId" = $2 AND a.id = $3))
  ORDER BY ${NEWEST_FIRST}`;
const LISTED = `SELECT p.id, p."orderId", p.amount, p."feeAmount", p."paymentMethod", p.description, p."createdAt", p."reversesId", p."tillId", ${IS_REVERSED},
    ${NAME_COLUMNS}, ${realEmailSql('u')} AS email
  FROM payments p JOIN orders o ON o.id = p."orderId" JOIN users u ON u.id = o."customerId" LEFT JOIN contacts c ON c."userId" = u.id
  WHERE p."distributorId" = $1 AND p."distributionId" = $2 AND p.id = ANY($3::int[]) ORDER BY ${NEWEST_FIRST}`;
const LISTED_ONE = 'SELECT FROM payments WHERE "distributorId" = $1 AND "distributionId" = $2 AND id = $3';
const PAYMENTS_AT_ONCE = 1000;

/**
 * Yields the payments of a distribution with their payers, newest first (contract §9). `after` in the query must be the id of a payment of
 * the same distribution.
 */
export async function* paymentsOf(db: Db, distribution: ListSource, query: PageQuery): AsyncGenerator<ListedPayment[]> {
  const key = [distribution.distributorId, distribution.id];
  const { limit, after } = requestedPage(query) ?? {};
  if (after !== undefined && (await run(db, LISTED_ONE, [...key, after])).length === 0) throw invalid(NO_KEY);
  const search = { numbered: NUMBERED, values: [...key, after ?? null], queue: distribution };
  const chunks = await idChunks(db, { ...search, size: PAYMENTS_AT_ONCE, most: limit });
  type Row = Omit<ListedPayment['payments'], 'tillId'> &
    ListedPayment['contacts'] &
    ListedPayment['users'] & { readonly tillId: number | null };
  yield* readAhead(chunks, async (chunk) => {
    const read = await runInQueue(distribution, () => run<Row>(db, LISTED, [...key, chunk.ids]));
    const rows = read.map(({ firstName, lastName, email, tillId, ...payments }) => ({
      payments: { ...payments, ...(tillId !== null && { tillId }) },
      contacts: { firstName, lastName },
      users: { email },
    }));
    return chunk.endsPage ? withNextCursor<ListedPayment>(rows, (row) => row.payments.id) : rows;
  });
}
