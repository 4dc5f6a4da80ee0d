// These tests check that one distributor cannot fill the database, even with a stolen or hostile account, and that a distributor's long
// lists do not block other users (reliability, "growth", "freeze").
// @module-tag long
import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { MAX_QUANTITY } from '../src/domain/order.ts';
import { MAX_DISTRIBUTIONS } from '../src/features/distributions/contract.ts';
import { MAX_LINES } from '../src/features/orders/contract.ts';
import { MAX_PRODUCTS_KEPT, ProductFields } from '../src/features/products/contract.ts';
import { saveNewProduct } from '../src/features/products/queries.ts';
import { MAX_PEOPLE_PER_DAY } from '../src/features/users/contract.ts';
import type { Viewer } from '../src/server/auth/session.ts';
import type { Row } from '../src/server/database/schema.ts';
import { runInQueue } from '../src/server/queues/expensive-queue.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { makeOrder } from './data/order-rows.ts';
import { longestBlock } from './longest-block.ts';
import { iterations } from './setup/iterations.ts';
import { setupTestApp, type Person } from './test-app.ts';

const ORDERS = iterations(2000, 5000);
const LONG_ORDERS = iterations(8, 20);

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
});

const post = async (url: string, payload: object = {}, by = distributor) => {
  const { statusCode, body } = await testApp.request(by, { method: 'POST', url, payload });
  return statusCode < 300 ? statusCode : `${statusCode} ${body}`;
};
const count = async (table: 'users' | 'distributions' | 'products') =>
  Number(
    (
      await testApp.db
        .selectFrom(table)
        .select(sql<number>`count(*)`.as('rows'))
        .executeTakeFirstOrThrow()
    ).rows,
  );
const addPeople = (people: number, daysAgo: number) =>
  sql`INSERT INTO users (email, role, "distributorId", "createdAt")
    SELECT ${`${distributor.id}-${daysAgo}-`} || n || '@mail.test', 'customer', ${distributor.id}, now() - ${daysAgo} * interval '1 day'
    FROM generate_series(1, ${people}::int) n`.execute(testApp.db);

test('a distributor can add at most 20,000 people a day; a call above the limit adds nobody, and other distributors are not refused', async () => {
  const add = (emails: readonly string[], by = distributor) =>
    post('/api/users/customer', { users: emails.map((email) => ({ email })), replyTo: by.email, invite: 'later' }, by);
  await addPeople(1000, 2);
  await addPeople(MAX_PEOPLE_PER_DAY - 1, 0);
  const before = await count('users');
  expect(await add(['one@mail.test', 'two@mail.test'])).toBe(
    '429 At most 20,000 people can be added in a day, including people who were removed since. Nobody was added.',
  );
  expect(await count('users')).toBe(before);
  // The refused call must not use up ids. An insertion that is rolled back would.
  const lastId = async () => (await sql<{ id: string }>`SELECT last_value AS id FROM users_id_seq`.execute(testApp.db)).rows[0]?.id;
  const usedBefore = await lastId();
  expect(await add(['one@mail.test', 'two@mail.test'])).toMatch(/^429 /);
  expect(await lastId()).toBe(usedBefore);
  expect(await add(['one@mail.test'])).toBe(201);
  const other = await makeDistributor(testApp.db);
  expect(await add(['two@mail.test'], other)).toBe(201);
});

test('reading a list of 20,000 customers blocks the event loop for less than a tenth of a second', async () => {
  await addPeople(MAX_PEOPLE_PER_DAY, 0);
  for (const url of ['/api/users/customer', `/api/distributions/${distribution.id}/contacts-with-has-order`, '/api/unused-customers']) {
    const { longest, result } = await longestBlock(() => testApp.request(distributor, { method: 'GET', url }));
    expect(result.json<unknown[]>()).toHaveLength(MAX_PEOPLE_PER_DAY);
    expect(longest, url).toBeLessThan(100);
  }
});

test('a distributor can have at most 500 distributions, including copies', async () => {
  await sql`INSERT INTO distributions ("distributorId", name, date) SELECT ${distributor.id}, 'Draft ' || n, '2027-04-01'
    FROM generate_series(1, ${MAX_DISTRIBUTIONS - 2}::int) n`.execute(testApp.db);
  const draft = { name: 'Passover', date: '2027-04-01' };
  expect(await post('/api/distributions', draft)).toBe(201);
  const before = await count('distributions');
  const refused = '409 There are 500 distributions already. Delete drafts that nobody needs.';
  expect(await post('/api/distributions', draft)).toBe(refused);
  expect(await post(`/api/distributions/${distribution.id}/copy`, { ...draft, estimates: 'same' })).toBe(refused);
  expect(await count('distributions')).toBe(before);
});

test('a distribution can have at most 10,000 products', async () => {
  await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price)
    SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100 FROM generate_series(1, ${MAX_PRODUCTS_KEPT - 1}::int) n`.execute(
    testApp.db,
  );
  const add = () => post(`/api/distributions/${distribution.id}/products`, { name: 'Wine' });
  expect([await add(), await add()]).toEqual([201, '409 A distribution has at most 10,000 products.']);
  expect(await count('products')).toBe(MAX_PRODUCTS_KEPT);
  expect(await post('/api/distributions/999999/products', { name: 'Wine' })).toBe('404 Distribution not found');
});

test('when several products are added at once, the server saves as many of them as the distribution has room for', async () => {
  await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price)
    SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100 FROM generate_series(1, ${MAX_PRODUCTS_KEPT - 2}::int) n`.execute(
    testApp.db,
  );
  const viewer = { ...distributor, tenantId: distributor.id, userId: distributor.id } as unknown as Viewer;
  const added = await Promise.allSettled(
    ['Wine', 'Beer', 'Rum', 'Gin'].map((name) =>
      saveNewProduct(testApp.db, viewer, distribution.id, { fields: ProductFields.parse({ name }), uploadId: undefined }),
    ),
  );
  expect(added.map((one) => (one.status === 'fulfilled' ? one.value.name : one.reason.message))).toEqual([
    'Wine',
    'Beer',
    ...Array.from({ length: 2 }, () => 'A distribution has at most 10,000 products.'),
  ]);
});

test('the descriptions of a distribution have at most 4 MB together, however they are saved (reliability growth)', async () => {
  const long = 'x'.repeat(2000);
  await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price, description)
    SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100, ${long} FROM generate_series(1, 1999) n`.execute(testApp.db);
  const url = `/api/distributions/${distribution.id}/products`;
  const wine = await testApp.request(distributor, { method: 'POST', url, payload: { name: 'Wine' } });
  const { id } = wine.json<{ id: number }>();
  const patch = async (path: string, payload: object) => {
    const { statusCode, body } = await testApp.request(distributor, { method: 'PATCH', url: path, payload });
    return statusCode < 300 ? statusCode : `${statusCode} ${body}`;
  };
  const refused = '409 The descriptions of all products together may have at most 4 MB. Shorten some of them first.';
  const change = (description: string) => patch(`${url}/${id}`, { description });
  const changeAll = (before: string | null, after: string) =>
    patch(url, { products: [{ id, before: { description: before }, after: { description: after } }] });
  expect([await changeAll(null, long), await post(url, { name: 'Beer', description: long })]).toEqual([200, refused]);
  expect([await change('short'), await change(long), await post(url, { name: 'Beer', description: long })]).toEqual([200, 200, refused]);
  const beer = await testApp.request(distributor, { method: 'POST', url, payload: { name: 'Beer' } });
  expect(beer.statusCode).toBe(201);
  const path = `${url}/${beer.json<{ id: number }>().id}`;
  expect([await patch(path, { description: long }), await patch(path, { unit_price: 900 }), await change(`${long.slice(1)}y`)]).toEqual([
    refused,
    200,
    200,
  ]);
});

test('creating people whose e-mail addresses are in use uses up no ids of the table that all distributors share (reliability growth)', async () => {
  const users = Array.from({ length: 50 }, (_, index) => ({ email: `known${index}@mail.test` }));
  const create = () => post('/api/users/customer', { users, replyTo: distributor.email, invite: 'later' });
  expect(await create()).toBe(201);
  const lastId = async () => (await sql<{ id: number }>`SELECT last_value::int AS id FROM users_id_seq`.execute(testApp.db)).rows[0]?.id;
  const before = await lastId();
  expect(await create()).toBe(201);
  expect(await lastId()).toBe(before);
});

test('orders that are refused use up no ids of the table that all distributors share (reliability growth)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution, { max_order_qty: 9 });
  const order = (quantity: number, by = customer) =>
    post('/api/orders', { distributionId: distribution.id, products: [{ productId: wine.id, quantity }] }, by);
  const lastId = async () => (await sql<{ id: number }>`SELECT last_value::int AS id FROM orders_id_seq`.execute(testApp.db)).rows[0]?.id;
  const before = await lastId();
  expect([await order(0), await order(10), await order(1, distributor)]).toEqual([
    expect.stringMatching(/^400/),
    expect.stringMatching(/^400/),
    expect.stringMatching(/^403/),
  ]);
  expect(await lastId()).toBe(before);
  expect([await order(1), await order(2)]).toEqual([201, 200]);
});

test('a customer can record at most 10,000 weights for an order, so that reading the order does not block other requests (reliability freeze)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  const { id, lines } = await makeOrder(testApp.db, distribution, customer, [[brisket, MAX_QUANTITY]]);
  const weighed = (from: number, units: number) =>
    Object.fromEntries(Array.from({ length: units }, (_, index) => [`${lines[0]?.id}-${from + index}`, 4.5]));
  const record = (from: number, units: number) => post(`/api/order-product-quantities/${id}`, weighed(from, units), customer);
  expect([await record(0, 5000), await record(5000, 4999), await record(9999, 2)]).toEqual([
    200,
    200,
    '409 At most 10,000 weights can be recorded for one order.',
  ]);
  expect([await record(9999, 1), await record(0, 5000), await record(10_000, 1)]).toEqual([200, 200, expect.stringMatching(/^409/)]);
  for (const by of [customer, distributor]) {
    const read = () => testApp.request(by, { method: 'GET', url: `/api/order-for-actuals/${id}` });
    const { longest, result } = await longestBlock(read);
    expect(result.statusCode).toBe(200);
    expect(longest).toBeLessThan(100);
  }
});

test('previewing a price change of thousands of orders blocks the event loop for less than a tenth of a second (reliability freeze)', async () => {
  const [brisket, ...others] = await Promise.all(Array.from({ length: 20 }, () => makeProduct(testApp.db, distribution)));
  const products = [brisket?.id ?? 0, ...others.map(({ id }) => id)];
  await addPeople(ORDERS, 0);
  const place = sql`${distributor.id}, ${distribution.id}`;
  await sql`INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
    SELECT ${place}, id, id FROM users WHERE "distributorId" = ${distributor.id} AND role = 'customer'`.execute(testApp.db);
  await sql`INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT ${place}, o.id, p, 2, 2 FROM orders o, unnest(${products}::int[]) p WHERE o."distributionId" = ${distribution.id}`.execute(
    testApp.db,
  );
  const payload = { products: [{ id: products[0], unit_price: 700, unit_qty: 1, unit_qty_is_estimate: false }] };
  const preview = () => testApp.request(distributor, { method: 'POST', url: `/api/distributions/${distribution.id}/repricing`, payload });
  await preview();
  const { longest, result } = await longestBlock(preview);
  expect(result.json()).toMatchObject({ orders: { count: ORDERS }, units: 2 * ORDERS });
  expect(longest).toBeLessThan(100);
});

test('reads that return a whole catalogue wait in the queue of expensive reads, so that parallel reads do not delay other people (reliability abuse)', async () => {
  await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
  const customer = await makeCustomer(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  const { id: orderId } = await makeOrder(testApp.db, distribution, customer, [[wine, 2]]);
  const get = async (url: string) => await testApp.request(distributor, { method: 'GET', url });
  const counter = `/api/distributions/${distribution.id}/counter`;
  const { mark } = (await get(counter)).json<{ mark: string }>();
  const running = Promise.withResolvers<void>();
  const signal = new AbortController().signal;
  const other = runInQueue({ distributorId: 0, signal }, () => running.promise);
  let finished = 0;
  const lists = ['product-uploads', 'estimates', 'progress', 'tills'].map((list) => `/api/distributions/${distribution.id}/${list}`);
  const share = { method: 'POST', url: `/api/distributions/${distribution.id}/products/${wine.id}/share` } as const;
  const payload = { units: 1, rule: 'first', preview: true };
  const reads = [
    testApp.request(distributor, { ...share, payload }),
    testApp.request(distributor, { ...share, payload, headers: { 'idempotency-key': 'preview' } }),
    ...[`/api/orders/${orderId}/history`, `/api/distributor-order-page-data/${distribution.id}/${customer.id}`, counter, ...lists].map(get),
  ].map(async (read) => {
    const { statusCode } = await read;
    finished++;
    return statusCode;
  });
  // A read of the counter that needs no catalogue does not wait in the queue.
  expect((await get(`${counter}?since=${mark}`)).json()).toMatchObject({ catalogue: null });
  await pause(200);
  expect(finished).toBe(0);
  running.resolve();
  await other;
  expect(new Set(await Promise.all(reads))).toEqual(new Set([200]));
});

test.each([
  ['slots', 1],
  ['progress', 2],
])(
  'sixty concurrent reads of %s share a few statements, because each of them counts all orders of the distribution (reliability abuse)',
  async (list, statementsOfEach) => {
    const read = () => testApp.request(distributor, { method: 'GET', url: `/api/distributions/${distribution.id}/${list}` });
    const before = testApp.db.poolStats().statements;
    await Promise.all(Array.from({ length: 60 }, read));
    // Each of the 60 requests also looks up its session, and each request for the progress reads the distribution. The server looks up new
    // sessions together, at most sixteen at once. If each request read its own list, there would be at least 60 more statements than the
    // maximum below.
    expect(testApp.db.poolStats().statements - before).toBeLessThan(60 * statementsOfEach + 60);
  },
);

test('reading the lists of orders with 5,000 lines each blocks the event loop for less than a tenth of a second', async () => {
  await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price, unit_qty_is_estimate)
    SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100, true FROM generate_series(1, ${MAX_LINES}::int) n`.execute(
    testApp.db,
  );
  await addPeople(LONG_ORDERS, 0);
  await sql`WITH ordered AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", version, "updatedBy")
      SELECT "distributorId", ${distribution.id}, id, 1, id FROM users WHERE "distributorId" = ${distributor.id} AND role = 'customer' RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT ${distributor.id}, ${distribution.id}, ordered.id, p.id, 1, 1 FROM ordered, products p WHERE p."distributionId" = ${distribution.id}`.execute(
    testApp.db,
  );
  await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
  for (const list of ['actuals-report', 'report', 'counter-orders', 'print-orders', 'customer-report']) {
    const url = `/api/distributions/${distribution.id}/${list}`;
    const { longest, result } = await longestBlock(() => testApp.request(distributor, { method: 'GET', url }));
    expect(result.statusCode).toBe(200);
    expect(longest, list).toBeLessThan(100);
  }
});

test('reading the lists that distinguish 10,000 products of one name blocks the event loop for less than a tenth of a second', async () => {
  await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price, unit_qty_is_estimate, description)
    SELECT ${distributor.id}, ${distribution.id}, ${'x'.repeat(200)}, 100, true,
      (SELECT string_agg(md5((n * 7 + i / (1 + n % 5))::text), ' ') FROM generate_series(1, 6) i)
    FROM generate_series(1, ${MAX_PRODUCTS_KEPT}::int) n`.execute(testApp.db);
  for (const list of ['products', 'estimates', 'audit']) {
    const url = `/api/distributions/${distribution.id}/${list}`;
    const { longest, result } = await longestBlock(() => testApp.request(distributor, { method: 'GET', url }));
    expect(result.statusCode).toBe(200);
    expect(longest, list).toBeLessThan(100);
  }
});
