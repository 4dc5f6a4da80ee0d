// Statements that read the largest valid amount of data do not take long in PostgreSQL, where they would delay other people (reliability,
// "abuse").
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { MAX_LINES } from '../src/features/orders/contract.ts';
import type { Row } from '../src/server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor } from './data/factories.ts';
import { makeOrder } from './data/order-rows.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
});

/** Returns the shortest time of three calls, in milliseconds. */
async function shortestTime(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  while (times.length < 3) {
    const began = performance.now();
    await read();
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}

test('the history of an order with 5,000 lines is read fast, also after thousands of changes of prices and fees (reliability abuse)', async () => {
  const { id } = await makeOrder(testApp.db, distribution, customer, []);
  await sql`WITH added AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price)
      SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100 FROM generate_series(1, ${MAX_LINES}::int) n RETURNING id),
    lines AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, ${distribution.id}, ${id}, id, 1, 1 FROM added RETURNING id)
    INSERT INTO order_product_audit ("orderProductId", quantity, "updatedAt", "updatedBy")
      SELECT id, 1, now() - interval '2 days', ${customer.id}::int FROM lines`.execute(testApp.db);
  const read = async () => {
    const answer = await testApp.request(distributor, { method: 'GET', url: `/api/orders/${id}/history?limit=1` });
    return answer.json<{ kind: string }[]>();
  };
  await sql`ANALYZE`.execute(testApp.db);
  const withoutChanges = await shortestTime(read);
  // The fees changed before the order was placed, so no order line is found for them.
  await sql`INSERT INTO catalogue_audit ("distributorId", "distributionId", "productId", "feeId", name, before, after, "updatedAt", "updatedBy")
    SELECT ${distributor.id}::int, ${distribution.id}::int, id, NULL, name, to_jsonb(products), to_jsonb(products), now(), ${distributor.id}::int
      FROM products WHERE "distributionId" = ${distribution.id}
    UNION ALL SELECT ${distributor.id}, ${distribution.id}, NULL, n, 'Fee', '{"amount": 100}', '{"amount": 200}', now() - interval '3 days', ${distributor.id}
      FROM generate_series(1, 5000) n`.execute(testApp.db);
  await sql`ANALYZE`.execute(testApp.db);
  expect(await shortestTime(read)).toBeLessThan(withoutChanges * 8);
  expect((await read())[0]?.kind).toBe('price');
}, 60_000);
