// Inserts orders, weights and payments directly into the database, and reads the lines that orders have.
import { sql } from 'kysely';
import { cents } from '../../src/domain/money.ts';
import type { NewRow, Row } from '../database/tables.ts';
import type { Person } from '../test-app.ts';
import type { TestDb } from '../database/test-db.ts';

type Line = readonly [product: Row<'products'>, quantity: number];

export async function makeOrder(
  db: TestDb,
  distribution: Row<'distributions'>,
  customer: Person,
  lines: readonly Line[],
): Promise<{ id: number; lines: Row<'order_products'>[] }> {
  const place = { distributorId: distribution.distributorId, distributionId: distribution.id };
  const order = { ...place, customerId: customer.id, updatedBy: customer.id };
  const { id } = await db.insertInto('orders').values(order).returning('id').executeTakeFirstOrThrow();
  const rows = lines.map(([product, quantity]) => ({
    ...place,
    orderId: id,
    productId: product.id,
    quantity,
    originalQuantity: quantity,
  }));
  return { id, lines: rows.length ? await db.insertInto('order_products').values(rows).returningAll().execute() : [] };
}

interface ManyOrders {
  readonly count: number;
  readonly productIds: readonly number[];
  readonly slotId?: number;
}

/** Creates this number of customers, each with an order of one unit of each of these products. */
export async function makeOrders(db: TestDb, distribution: Row<'distributions'>, { count, productIds, slotId }: ManyOrders): Promise<void> {
  const place = sql`${distribution.distributorId}::int, ${distribution.id}::int`;
  await sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
      SELECT gen_random_uuid() || '@mail.test', 'customer', ${distribution.distributorId} FROM generate_series(1, ${count}::int) RETURNING id),
    o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy", "slotId")
      SELECT ${place}, id, id, ${slotId ?? null}::int FROM u RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${place}, o.id, p, 1, 1 FROM o, unnest(${[...productIds]}::int[]) p`.execute(db);
}

/** Records one weight for each unit of a line. Where a weight is null, the unit stays without a weight. */
export async function weigh(
  db: TestDb,
  line: Row<'order_products'> | undefined,
  weights: readonly (number | null)[],
  by: Person,
): Promise<void> {
  for (const [sortOrder, actualQuantity] of weights.entries()) {
    if (actualQuantity === null || !line) continue;
    await db.insertInto('actual_quantities').values({ orderProductId: line.id, sortOrder, actualQuantity, updatedBy: by.id }).execute();
  }
}

export async function pay(
  db: TestDb,
  distribution: Row<'distributions'>,
  { orderId, amount, by, ...values }: { orderId: number; amount: number; by: Person } & Partial<Omit<NewRow<'payments'>, 'amount'>>,
): Promise<number> {
  const place = { distributorId: distribution.distributorId, distributionId: distribution.id, orderId };
  const payment = { ...place, amount: cents(amount), paymentMethod: 'Cash' as const, createdBy: by.id, updatedBy: by.id, ...values };
  const { id } = await db.insertInto('payments').values(payment).returning('id').executeTakeFirstOrThrow();
  return id;
}

/**
 * Returns all lines of all orders of a distribution, including lines with quantity 0. Each line contains the quantities of its audit rows
 * and their authors, oldest first.
 */
export async function linesOf(db: TestDb, distributionId: number) {
  const { rows } = await sql<{
    customerId: number;
    productId: number;
    quantity: number;
    originalQuantity: number;
    audit: number[];
    by: number[];
  }>`SELECT o."customerId", l."productId", l.quantity, l."originalQuantity",
      coalesce((SELECT json_agg(a.quantity ORDER BY a.id) FROM order_product_audit a WHERE a."orderProductId" = l.id), '[]') AS audit,
      coalesce((SELECT json_agg(a."updatedBy" ORDER BY a.id) FROM order_product_audit a WHERE a."orderProductId" = l.id), '[]') AS by
    FROM orders o JOIN order_products l ON l."orderId" = o.id WHERE o."distributionId" = ${distributionId}
    ORDER BY o."customerId", l."productId"`.execute(db);
  return rows;
}
