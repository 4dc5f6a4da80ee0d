import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, runSingle, transaction } from '../../server/database/db.ts';
import type { Row } from '../../server/database/schema.ts';
import { newOrderId, saveOrders } from '../orders/queries.ts';
import { findOrderState } from './queries.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
});

/** Returns the data with which an order with these quantities is validated. */
async function stateOf(quantities: readonly (readonly [Row<'products'>, quantity: number])[], by = customer) {
  const products = quantities.map(([{ id: productId }, quantity]) => ({ productId, quantity }));
  const state = await findOrderState(testApp.db, {
    tenantId: distributor.id,
    customerId: by.id,
    distributionId: distribution.id,
    products,
    slotIds: [],
  });
  if (!state) throw new Error('The distribution is missing.');
  return state;
}

/** Returns the data to save for an order with these quantities. */
async function orderOf(quantities: readonly (readonly [Row<'products'>, quantity: number])[]) {
  const { version, orderId, products: judgedBy, catalogueVersion } = await stateOf(quantities);
  const lines = quantities.map(([{ id: productId }, quantity]) => ({ productId, quantity, originalQuantity: quantity, isAudited: true }));
  const saver = { id: orderId ?? (await newOrderId(testApp.db)), customerId: customer.id, version: version + 1, updatedBy: customer.id };
  return { distributionId: distribution.id, item: { ...saver, needsOpenOrdering: true, judgedBy, catalogueVersion, lines } };
}

/** Puts new customers on the waiting list of a product, each for one unit. */
const addWaiting = (product: Row<'products'>, customers: number) =>
  sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
      SELECT 'waits' || n || '.' || ${product.id}::int || '@mail.test', 'customer', ${distributor.id} FROM generate_series(1, ${customers}::int) n RETURNING id)
    INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity)
      SELECT ${distributor.id}, ${product.distributionId}, ${product.id}, id, 1 FROM u`.execute(testApp.db);

test('the server finds an order only in the tenant that it belongs to', async () => {
  const wine = await makeProduct(testApp.db, distribution);
  await makeOrder(testApp.db, distribution, customer, [[wine, 1]]);
  const wanted = { customerId: customer.id, distributionId: distribution.id, products: [{ productId: wine.id, quantity: 1 }], slotIds: [] };
  expect(await findOrderState(testApp.db, { ...wanted, tenantId: (await makeDistributor(testApp.db)).id })).toBeNull();
});

describe('orders of all customers', () => {
  let raised: Row<'products'>;
  let lowered: Row<'products'>;
  let sameAsBefore: Row<'products'>;
  let unlimited: Row<'products'>;
  beforeEach(async () => {
    const limited = () => makeProduct(testApp.db, distribution, { total_limit: 100 });
    [raised, lowered, sameAsBefore] = [await limited(), await limited(), await limited()];
    unlimited = await makeProduct(testApp.db, distribution);
    const goods = [raised, lowered, sameAsBefore, unlimited] as const;
    for (let n = 0; n < 5; n++)
      await makeOrder(
        testApp.db,
        distribution,
        await makeCustomer(testApp.db, distributor),
        goods.map((product) => [product, 2]),
      );
    await makeOrder(
      testApp.db,
      distribution,
      customer,
      goods.map((product) => [product, 3]),
    );
    await addWaiting(raised, 7);
  });

  test('are added up only for limited products of which an order gets more units, and the sum has the number of lines and waiting customers (reliability abuse)', async () => {
    const quantities = [
      [raised, 4],
      [lowered, 1],
      [sameAsBefore, 3],
      [unlimited, 9],
    ] as const;
    const { products, summed } = await stateOf(quantities);
    expect(new Map(products.map(({ id, left }) => [id, left]))).toEqual(
      // 100 units less those of five orders, of the customer and of those who wait
      new Map(quantities.map(([product]) => [product.id, product === raised ? 100 - 10 - 3 - 7 : null])),
    );
    expect(summed).toBe(6 + 7);
    // The route refuses such a quantity with the state of the order.
    expect((await stateOf([[raised, Number.MAX_SAFE_INTEGER]])).summed).toBe(6 + 7);
    expect(await saveOrders(testApp.db, [await orderOf(quantities)])).toEqual([{ outcome: 'saved', summed: 6 + 7 }]);
    expect(await saveOrders(testApp.db, [await orderOf(quantities.map(([product]) => [product, 0] as const))])).toEqual([
      { outcome: 'saved', summed: 0 },
    ]);
  });
});

const READ = `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'waiting_list'`;

test.each([
  ['no product with a waiting list', 0],
  ['a product with one waiting customer', 1],
])('a save of %s reads no entries of the waiting lists of products that it does not order (reliability abuse)', async (_, entries) => {
  const [ordered, sold, other] = [
    await makeProduct(testApp.db, distribution, { total_limit: entries > 0 ? 100 : null }),
    await makeProduct(testApp.db, distribution, { total_limit: 1 }),
    await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor), { total_limit: 1 }),
  ];
  await addWaiting(ordered, entries);
  for (const product of [sold, other]) await addWaiting(product, 300);
  await run(testApp.db, 'ANALYZE waiting_list', []);
  const order = await orderOf([[ordered, 1]]);
  await transaction(testApp.db, async (db) => {
    // Small tables would be read as a whole.
    for (const text of ['DISCARD PLANS', 'SET LOCAL enable_seqscan = off', 'SET LOCAL enable_bitmapscan = off']) await run(db, text, []);
    const readEntries = async () => (await runSingle<{ rows: number }>(db, READ, [])).rows;
    const before = await readEntries();
    expect(await saveOrders(db, [order])).toMatchObject([{ outcome: 'saved' }]);
    expect((await readEntries()) - before).toBeLessThan(30);
    await run(db, 'DISCARD PLANS', []);
  });
});
