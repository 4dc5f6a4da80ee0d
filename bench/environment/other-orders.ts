// Inserts the same additional orders into the databases of Feastday and of the baseline, in distributions that the measured report does not
// read. The edit jobs change some of these orders. The others make the tables as large as in production, which must not slow the report.
import type pg from 'pg';
import { customerOf, EDITED, OTHERS } from '../jobs.ts';

interface Tables {
  readonly orders: string;
  readonly lines: string;
  readonly audit: string;
}

const FLOOR: Tables = {
  orders: `INSERT INTO orders (customer_id, distribution_id) SELECT c, d FROM wanted RETURNING id, distribution_id AS d`,
  lines: `INSERT INTO order_products (order_id, product_id, quantity, original_quantity) SELECT o.id, (o.d - 1) * 200 + 1 + k * 16, 1, 1
    FROM o, generate_series(0, 11) k RETURNING id, order_id AS o, quantity`,
  audit: `INSERT INTO order_product_audit (order_product_id, quantity, updated_by) SELECT id, quantity, 1 FROM l`,
};
const OURS: Tables = {
  orders: `INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy") SELECT 1, d, c, c FROM wanted
    RETURNING id, "distributionId" AS d`,
  lines: `INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT 1, o.d, o.id, (o.d - 1) * 200 + 1 + k * 16, 1, 1 FROM o, generate_series(0, 11) k RETURNING id, "orderId" AS o, quantity`,
  audit: `INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy") SELECT id, quantity, 1 FROM l`,
};
export const TABLES = { floor: FLOOR, ours: OURS };

async function insertOrders(client: pg.ClientBase, { orders, lines, audit }: Tables, from: number, count: number): Promise<void> {
  const first = customerOf(0);
  await client.query(
    `WITH wanted AS (SELECT ${first} + i % 4000 AS c, ${from} + i / 4000 AS d FROM generate_series(0, ${count} - 1) i),
      o AS (${orders}), l AS (${lines}) ${audit}`,
  );
}

/** Runs `work` without foreign key checks, which saves half a minute. Only a superuser may switch the checks off. */
async function withoutKeys(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('SET session_replication_role = replica').catch(() => undefined);
  await work();
  await client.query('RESET session_replication_role').catch(() => undefined);
  await client.query('VACUUM ANALYZE');
}

export const insertEdited = (client: pg.ClientBase, tables: Tables): Promise<void> =>
  withoutKeys(client, () => insertOrders(client, tables, EDITED.distribution, EDITED.orders));

export const insertOthers = (client: pg.ClientBase, tables: Tables, count: number): Promise<void> =>
  withoutKeys(client, () => insertOrders(client, tables, OTHERS.distribution, count));
