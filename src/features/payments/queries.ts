// The account of an order: its lines, weights, fees and payments, read in a few set-based queries; every amount is computed by domain/.
import { expectedCount, hasAllActuals, orderedAmount, unweighedCount, withActuals, type Actual } from '../../domain/actuals.ts';
import type { Cents } from '../../domain/money.ts';
import { balanceOf } from '../../domain/payment.ts';
import { run, snapshot, type Db } from '../../server/db.ts';
import type { Row } from '../../server/schema.ts';
import type { Viewer } from '../../server/session.ts';

interface OrderRow {
  readonly id: number;
  readonly distributionId: number;
  readonly customerId: number;
  readonly version: number;
}
interface LineRow {
  readonly orderId: number;
  readonly orderProductId: number;
  readonly productId: number;
  readonly quantity: number;
}
type ProductRow = Pick<Row<'products'>, 'id' | 'unit_price' | 'unit_qty' | 'unit_qty_is_estimate'>;
type ActualRow = Actual & { readonly orderProductId: number };
interface PaymentRow {
  readonly orderId: number;
  readonly amount: Cents;
}

/** What an order comes to and what is left of it (contract §7). */
export interface Account extends OrderRow {
  readonly products: { readonly productId: number; readonly quantity: number }[];
  readonly order_quantity_count: number;
  readonly expected_count: number;
  readonly actual_count: number;
  readonly has_all_actuals: boolean;
  readonly orderAmount: Cents;
  readonly balance: Cents;
}

// Narrow reads by distribution, put together here: a join that repeats customer and product on every line costs more than all of them.
const BY_DISTRIBUTION = {
  orders: 'SELECT id, "distributionId", "customerId", version FROM orders WHERE "distributorId" = $1 AND "distributionId" = $2',
  lines: `SELECT "orderId", id AS "orderProductId", "productId", quantity FROM order_products WHERE "distributorId" = $1 AND "distributionId" = $2 AND quantity > 0`,
  products: 'SELECT id, unit_price, unit_qty, unit_qty_is_estimate FROM products WHERE "distributorId" = $1 AND "distributionId" = $2',
  fees: 'SELECT * FROM fees WHERE "distributorId" = $1 AND "distributionId" = $2',
  actuals: `SELECT w."orderProductId", w."sortOrder", w."actualQuantity" FROM order_products l JOIN actual_quantities w ON w."orderProductId" = l.id
    WHERE l."distributorId" = $1 AND l."distributionId" = $2`,
  payments: 'SELECT "orderId", amount FROM payments WHERE "distributorId" = $1 AND "distributionId" = $2',
} as const;

const OWN =
  '"distributorId" = $1 AND "distributionId" IN (SELECT "distributionId" FROM orders WHERE "distributorId" = $1 AND "customerId" = $2)';
const OWN_ORDER = '"orderId" IN (SELECT id FROM orders WHERE "distributorId" = $1 AND "customerId" = $2)';
const BY_CUSTOMER = {
  orders: 'SELECT id, "distributionId", "customerId", version FROM orders WHERE "distributorId" = $1 AND "customerId" = $2',
  lines: `SELECT "orderId", id AS "orderProductId", "productId", quantity FROM order_products WHERE ${OWN_ORDER} AND quantity > 0`,
  products: `SELECT id, unit_price, unit_qty, unit_qty_is_estimate FROM products WHERE ${OWN} AND id IN (SELECT "productId" FROM order_products WHERE ${OWN_ORDER})`,
  fees: `SELECT * FROM fees WHERE ${OWN}`,
  actuals: `SELECT w."orderProductId", w."sortOrder", w."actualQuantity" FROM order_products l JOIN actual_quantities w ON w."orderProductId" = l.id
    WHERE l.${OWN_ORDER}`,
  payments: `SELECT "orderId", amount FROM payments WHERE ${OWN} AND ${OWN_ORDER}`,
} as const;

type Scope = typeof BY_DISTRIBUTION | typeof BY_CUSTOMER;

async function accountsOf(db: Db, scope: Scope, values: readonly [tenantId: number, id: number]): Promise<Account[]> {
  const { orders, lines, products, fees, actuals, payments } = await snapshot(db, async (db) => ({
    orders: await run<OrderRow>(db, scope.orders, values),
    lines: await run<LineRow>(db, scope.lines, values),
    products: await run<ProductRow>(db, scope.products, values),
    fees: await run<Row<'fees'>>(db, scope.fees, values),
    actuals: await run<ActualRow>(db, scope.actuals, values),
    payments: await run<PaymentRow>(db, scope.payments, values),
  }));
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
      has_all_actuals: hasAllActuals(ordered),
      orderAmount,
      balance: balanceOf(orderAmount, paymentsByOrder.get(order.id) ?? []),
    };
  });
}

/** The accounts of every order of a distribution. */
export const listAccounts = (db: Db, distribution: { distributorId: number; id: number }): Promise<Account[]> =>
  accountsOf(db, BY_DISTRIBUTION, [distribution.distributorId, distribution.id]);

/** The viewer's own orders with name and date of their distributions, newest first. */
export async function listOwnAccounts(db: Db, viewer: Viewer) {
  const accounts = await accountsOf(db, BY_CUSTOMER, [viewer.tenantId, viewer.userId]);
  const text = `SELECT id, name, date FROM distributions WHERE "distributorId" = $1 AND id = ANY($2::int[])`;
  const distributions = await run<Pick<Row<'distributions'>, 'id' | 'name' | 'date'>>(db, text, [
    viewer.tenantId,
    accounts.map((account) => account.distributionId),
  ]);
  const byId = new Map(distributions.map((distribution) => [distribution.id, distribution]));
  return accounts
    .map((account) => {
      const distribution = byId.get(account.distributionId);
      return { ...account, distributionName: distribution?.name ?? null, distributionDate: distribution?.date ?? null };
    })
    .toSorted((a, b) => (b.distributionDate ?? '').localeCompare(a.distributionDate ?? '') || b.id - a.id);
}
