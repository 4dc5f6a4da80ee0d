import { expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder, makeOrders, weigh } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { run, runSingle, transaction, type Db } from '../../server/database/db.ts';
import { readOrderForActuals, saveActuals } from './contract.ts';
import { findOrderForActuals } from './queries.ts';

const testApp = setupTestApp();

test('staff get the usual weights of each product with at least eight recorded weights; customers get none (contract §14)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const agent = await makeAgent(testApp.db, distributor);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty: 5, unit_qty_is_estimate: true });
  const { id: orderId } = await makeOrder(testApp.db, distribution, customer, [[brisket, 1]]);
  const usualFor = async (by: Person) => {
    const { products } = await (await testApp.as(by))(readOrderForActuals, { params: { orderId } });
    return products[0]?.usual;
  };
  const others = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 8]]);
  await weigh(testApp.db, others.lines[0], [4, 4, 4, 4, 4, 4, 4], agent);
  expect(await usualFor(agent)).toBeUndefined();
  await weigh(testApp.db, others.lines[0], [null, null, null, null, null, null, null, 4], agent);
  expect([await usualFor(agent), await usualFor(distributor), await usualFor(customer)]).toEqual([
    { from: 3.401, to: 4.599 },
    { from: 3.401, to: 4.599 },
    undefined,
  ]);
});

test("customers' weights that staff have not confirmed do not change which weights are usual (reliability abuse)", async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty: 5, unit_qty_is_estimate: true });
  const order = await makeOrder(testApp.db, distribution, customer, [[brisket, 28]]);
  await weigh(
    testApp.db,
    order.lines[0],
    Array.from({ length: 8 }, () => 4),
    distributor,
  );
  await weigh(testApp.db, order.lines[0], [...Array.from({ length: 8 }, () => null), ...Array.from({ length: 20 }, () => 50)], customer);
  const { products } = await (await testApp.as(distributor))(readOrderForActuals, { params: { orderId: order.id } });
  expect(products[0]?.usual).toEqual({ from: 3.401, to: 4.599 });
});

test('weights that a customer entered decide which weights are usual as soon as staff confirm them (contract §14)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty: 5, unit_qty_is_estimate: true });
  const { id: orderId, lines } = await makeOrder(testApp.db, distribution, customer, [[brisket, 8]]);
  const weights = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${lines[0]?.id}-${index}`, 4]));
  const usualAfterSaveBy = async (by: Person) => {
    await (
      await testApp.as(by)
    )(saveActuals, { params: { orderId }, body: weights });
    const { products } = await (await testApp.as(distributor))(readOrderForActuals, { params: { orderId } });
    return products[0]?.usual;
  };
  expect([await usualAfterSaveBy(customer), await usualAfterSaveBy(distributor)]).toEqual([undefined, { from: 3.401, to: 4.599 }]);
});

/** Returns how many rows of these two tables a read reads. */
async function rowsReadBy(read: (db: Db) => Promise<unknown>): Promise<number> {
  const sumSql = `SELECT sum(seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
    WHERE relname IN ('order_products', 'actual_quantities')`;
  return await transaction(testApp.db, async (db) => {
    const before = await runSingle<{ rows: number }>(db, sumSql, []);
    await read(db);
    return (await runSingle<{ rows: number }>(db, sumSql, [])).rows - before.rows;
  });
}

test('the weighing page reads neither the order lines of other families nor the weights that customers entered for them (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  const chicken = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  const customer = await makeCustomer(testApp.db, distributor);
  const products = [brisket, chicken].map((product) => [product, 1] as const);
  const { id, lines } = await makeOrder(testApp.db, distribution, customer, products);
  await weigh(testApp.db, lines[0], [4.5], distributor);
  await makeOrders(testApp.db, distribution, { count: 500, productIds: [brisket.id, chicken.id] });
  const entered = `INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
    SELECT l.id, 0, 5, o."customerId" FROM order_products l JOIN orders o ON o.id = l."orderId" WHERE l."productId" = $1 AND o.id <> $2`;
  await run(testApp.db, entered, [brisket.id, id]);
  await run(testApp.db, 'ANALYZE order_products, actual_quantities', []);
  const viewer = { userId: distributor.id, tenantId: distributor.id, role: 'distributor' } as Viewer;
  const rows = await rowsReadBy(async (db) => {
    const { weights } = await findOrderForActuals(db, viewer, id);
    expect(weights).toEqual([{ productId: brisket.id, actualQuantity: 4.5 }]);
  });
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(20);
});
