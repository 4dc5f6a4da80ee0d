// These tests check that orders of many units and weights neither fill the server's memory nor block its event loop. The server reads the
// lists of such orders in parts (reliability, "freeze").
// @module-tag long
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { findOrderForActuals } from '../src/features/actuals/queries.ts';
import type { Viewer } from '../src/server/auth/session.ts';
import type { Row } from '../src/server/database/schema.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { makeOrder } from './data/order-rows.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();

const ORDERS = 30;
let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
});

/** Returns how many statements the requests need when each order has one unit, and when each order has 10,000 units. */
async function statementsFor(requests: () => Promise<{ statusCode: number }>) {
  const count = async (quantity: number) => {
    await testApp.db.updateTable('order_products').set({ quantity }).where('distributorId', '=', distributor.id).execute();
    const before = testApp.db.poolStats().statements;
    expect((await requests()).statusCode).toBe(200);
    return testApp.db.poolStats().statements - before;
  };
  return [await count(1), await count(10_000)] as const;
}

test.each(['counter-orders', 'print-orders', 'customer-report', 'actuals-report', 'progress', 'repricing'])(
  'the list %s of orders with 10,000 units each is read in parts, because each unit may have a weight (reliability freeze)',
  async (list) => {
    // The control room's list "progress" reads the balances only of orders without an unweighed unit. For this list, the test therefore
    // orders a product that is not sold by weight.
    const isWeighed = list !== 'progress';
    const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: isWeighed });
    for (let order = 0; order < ORDERS; order++)
      await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 1]]);
    const url = `/api/distributions/${distribution.id}/${list}`;
    const payload = { products: [{ id: brisket.id, unit_price: 700, unit_qty: 1, unit_qty_is_estimate: isWeighed }] };
    const read = async () => {
      // A new catalogue version makes the screen "progress" read all balances again.
      await sql`UPDATE distributions SET "catalogueVersion" = "catalogueVersion" + 1 WHERE id = ${distribution.id}`.execute(testApp.db);
      return await testApp.request(distributor, list === 'repricing' ? { method: 'POST', url, payload } : { method: 'GET', url });
    };
    const [few, many] = await statementsFor(read);
    expect(many - few).toBeGreaterThan(10);
  },
);

test("a customer's own orders with 10,000 units each are read in parts (reliability freeze)", async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  for (let order = 0; order < ORDERS; order++) {
    const one = await makeDistribution(testApp.db, distributor);
    await makeOrder(testApp.db, one, customer, [[await makeProduct(testApp.db, one, { unit_qty_is_estimate: true }), 1]]);
  }
  const [few, many] = await statementsFor(() => testApp.request(customer, { method: 'GET', url: '/api/orders' }));
  expect(many - few).toBeGreaterThan(10);
});

test('the weighing page compares typed weights with at most 1,000 recorded weights of each product, and at most 4,000 of all products of the order (reliability abuse)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  const products: Row<'products'>[] = [];
  for (let count = 0; count < 10; count++) products.push(await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true }));
  const viewer = { ...distributor, userId: distributor.id, tenantId: distributor.id } as unknown as Viewer;
  const weightsRead = async (orderId: number) => {
    const { weights } = await findOrderForActuals(testApp.db, viewer, orderId);
    const byProduct = Map.groupBy(weights, ({ productId }) => productId);
    return products.flatMap(({ id }) => byProduct.get(id)?.length ?? []);
  };
  const all = await makeOrder(
    testApp.db,
    distribution,
    customer,
    products.map((product) => [product, 2000]),
  );
  await sql`INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
    SELECT l, n, 1.5, ${distributor.id} FROM unnest(${all.lines.map((line) => line.id)}::int[]) l, generate_series(1, 1800) n
    WHERE l <> ${all.lines[1]?.id ?? 0} OR n <= 300`.execute(testApp.db);
  expect(await weightsRead(all.id)).toEqual([400, 300, ...Array.from({ length: 8 }, () => 400)]);
  const two = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [
    [products[0] as Row<'products'>, 1],
    [products[1] as Row<'products'>, 1],
  ]);
  expect(await weightsRead(two.id)).toEqual([1000, 300]);
});
