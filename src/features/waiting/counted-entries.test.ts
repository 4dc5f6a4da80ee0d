// Tests that changes which begin, move or end many holds count the entries of the waiting lists toward the limits of saves.
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor } from '../../../test/data/factories.ts';
import { makeOrder } from '../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { countEntries } from './queries.ts';

// With this limit, staff can send 100 saves at once. A change of all 1,000 entries counts as 50 saves, so a third change is refused.
const testApp = setupTestApp({ SAVES_PER_MINUTE: '4' });
const CUSTOMERS = 50;
const PRODUCTS = 20;

let distributor: Person;
let distribution: Row<'distributions'>;
let productIds: number[];
let customerId: number;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
  customerId = (await makeCustomer(testApp.db, distributor)).id;
  const { rows } = await sql<{ id: number }>`WITH u AS (INSERT INTO users (email, role, "distributorId")
      SELECT gen_random_uuid() || '@mail.test', 'customer', ${distributor.id} FROM generate_series(1, ${CUSTOMERS}::int) RETURNING id),
    p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price, total_limit)
      SELECT ${distributor.id}, ${distribution.id}, 'Brisket ' || n, 100, 1 FROM generate_series(1, ${PRODUCTS}::int) n RETURNING id),
    w AS (INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity)
      SELECT ${distributor.id}, ${distribution.id}, p.id, u.id, 1 FROM p, u)
    SELECT id FROM p`.execute(testApp.db);
  productIds = rows.map(({ id }) => id);
  const place = { distributorId: distributor.id, id: distribution.id };
  expect(await countEntries(testApp.db, place, null)).toBe(CUSTOMERS * PRODUCTS);
});

const patch = async (path: string, payload: object): Promise<number> =>
  (await testApp.request(distributor, { method: 'PATCH', url: `/api/distributions/${distribution.id}${path}`, payload })).statusCode;

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
/** Changes the limits of all products. */
const setLimits = (total_limit: number) =>
  patch('/products', { products: productIds.map((id) => ({ id, before: { total_limit: total_limit - 1 }, after: { total_limit } })) });

/** Orders this number of units of each product for a customer, also beyond the limits. */
const orderOfStaff = async (quantity: number): Promise<number> => {
  const order = { distributionId: distribution.id, customerId, beyondLimits: productIds };
  const payload = { ...order, products: productIds.map((productId) => ({ productId, quantity })) };
  return (await testApp.request(distributor, { method: 'POST', url: '/api/distributor/order', payload })).statusCode;
};

test.each([
  ['moving the opening time', (round: number) => patch('', { opensAt: inHours(round + 1) })],
  ['moving the closing time', (round: number) => patch('', { closesAt: inHours(round + 1) })],
  ['unpublishing and publishing', (round: number) => patch('', { published: round % 2 === 1 })],
  ['changing the limits of all products', (round: number) => setLimits(round + 2)],
  ['raising an order beyond the limits, and lowering it,', (round: number) => orderOfStaff(round % 2 === 0 ? 9 : 0)],
])('%s counts as a change of all entries of the waiting lists (reliability abuse)', { tags: ['long'] }, async (_, change) => {
  const replies: number[] = [];
  for (let round = 0; round < 4; round++) replies.push(await change(round));
  expect(Math.max(...replies.slice(0, 2))).toBeLessThan(300);
  expect(replies.slice(-1)).toEqual([429]);
});

/** Adds customers to the waiting list of the product, so that it has 1,000 entries. */
const lengthenList = (productId?: number) =>
  sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
      SELECT gen_random_uuid() || '@mail.test', 'customer', ${distributor.id} FROM generate_series(1, ${1000 - CUSTOMERS}::int) RETURNING id)
    INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity)
    SELECT ${distributor.id}, ${distribution.id}, ${productId}, u.id, 1 FROM u`.execute(testApp.db);

test.each([
  ['clearing a product', (id: number) => ({ url: '/clear-product-quantities', payload: { productId: id } })],
  ['a short delivery', (id: number) => ({ url: `/products/${id}/share`, payload: { units: 1, rule: 'first' } })],
])('%s counts as a change of each entry of the waiting list of the product (reliability abuse)', { tags: ['long'] }, async (_, callFor) => {
  const product = await testApp.db
    .selectFrom('products')
    .selectAll()
    .where('distributionId', '=', distribution.id)
    .executeTakeFirstOrThrow();
  await lengthenList(product.id);
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[product, 2]]);
  const { url, payload } = callFor(product.id);
  const replies: number[] = [];
  for (let round = 0; round < 3; round++) {
    await testApp.db.updateTable('order_products').set({ quantity: 2 }).where('productId', '=', product.id).execute();
    const call = { method: 'POST', url: `/api/distributions/${distribution.id}${url}`, payload } as const;
    replies.push((await testApp.request(distributor, call)).statusCode);
  }
  expect(replies).toEqual([200, 200, 429]);
});

/** Returns the counted rows. The server stores them each time that another 500 rows were counted. */
const countedRows = async (): Promise<number> => {
  const rows = testApp.db.selectFrom('saved_rows').select('rows').where('userId', '=', distributor.id).where('ofAllStaff', '=', false);
  return (await rows.executeTakeFirst())?.rows ?? 0;
};

test("a new limit of a product counts as a change of each entry of the product's waiting list; a new price does not (reliability abuse)", async () => {
  const path = `/products/${productIds[0]}`;
  for (let round = 0; round < 20; round++) expect(await patch(path, { unit_price: round + 200 })).toBe(200);
  expect(await countedRows()).toBe(0);
  for (let round = 0; round < 20; round++) expect(await patch(path, { total_limit: round + 2 })).toBe(200);
  // The 20 changes count as 20 rows and 20 times the 50 entries.
  expect(await countedRows()).toBeGreaterThanOrEqual(500);
});

test(
  'a new limit of one product is refused while the counted entries of earlier ones exceed the limit of saves (reliability abuse)',
  { tags: ['long'] },
  async () => {
    await lengthenList(productIds[0]);
    const setLimit = (total_limit: number) => {
      const url = `/api/distributions/${distribution.id}/products/${productIds[0]}`;
      return testApp.request(distributor, { method: 'PATCH', url, payload: { total_limit } });
    };
    const replies: number[] = [];
    for (let round = 0; round < 5; round++) replies.push((await setLimit(round % 2 === 0 ? 1000 : 1)).statusCode);
    // Each change counts as 50 saves, the first one of them toward the limit of imports.
    expect(replies).toEqual([200, 200, 200, 429, 429]);
    const wait = Number((await setLimit(1)).headers['retry-after']);
    testApp.time = new Date(testApp.time.getTime() + wait * 1000);
    expect((await setLimit(1)).statusCode).toBe(200);
  },
);

test.each([
  ['deleting', { method: 'DELETE' }, ''],
  ['withdrawing', { method: 'POST', payload: { notOffered: true } }, '/offer'],
] as const)('%s a product counts as a change of each entry of its waiting list (reliability abuse)', async (_, call, path) => {
  for (const id of productIds) {
    const url = `/api/distributions/${distribution.id}/products/${id}${path}`;
    expect((await testApp.request(distributor, { ...call, url })).statusCode).toBeLessThan(300);
  }
  // The 20 changes count as 20 rows and 1,000 entries.
  expect(await countedRows()).toBeGreaterThanOrEqual(500);
});
