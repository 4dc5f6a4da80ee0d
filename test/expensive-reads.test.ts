// Reads that take long do not delay other people: they wait in the queue of expensive reads, or are sent in parts (reliability, "abuse").
// @module-tag long
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { MAX_LINES } from '../src/features/orders/contract.ts';
import { findOrderToConfirm } from '../src/features/emails/queries.ts';
import { moneyIsDueText } from '../src/features/former-customers/texts.ts';
import { MAX_PRODUCTS_KEPT } from '../src/features/products/contract.ts';
import type { CounterState } from '../src/features/counter/contract.ts';
import type { PrintData } from '../src/features/print/contract.ts';
import type { Row } from '../src/server/database/schema.ts';
import { run, transaction } from '../src/server/database/db.ts';
import { previewQueue, runInQueue } from '../src/server/queues/expensive-queue.ts';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { makeOrder } from './data/order-rows.ts';
import { longestBlock } from './longest-block.ts';
import { iterations } from './setup/iterations.ts';
import { setupTestApp, type Person } from './test-app.ts';

const ORDERS = iterations(8, 40);

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
});

/** Adds lines with new products to the order. */
const addLines = (orderId: number, count: number) =>
  sql`WITH added AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price)
      SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100 FROM generate_series(1, ${count}::int) n RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, ${distribution.id}, ${orderId}, id, 1, 1 FROM added`.execute(testApp.db);

test("a read of the counter's changes since a mark waits in the queue of expensive reads when the changes contain many order lines (reliability abuse)", async () => {
  await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
  const url = `/api/distributions/${distribution.id}/counter`;
  const { mark } = (await testApp.request(distributor, { method: 'GET', url })).json<{ mark: string }>();
  const since = async () => {
    const { changed } = (await testApp.request(distributor, { method: 'GET', url: `${url}?since=${mark}` })).json<{ changed: unknown[] }>();
    return changed.length;
  };
  await sql`WITH added AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price)
      SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100 FROM generate_series(1, 60) n RETURNING id),
    people AS (INSERT INTO users (email, role, "distributorId")
      SELECT 'family' || n || '-' || ${distribution.id}::int || '@mail.test', 'customer', ${distributor.id} FROM generate_series(1, 20) n RETURNING id),
    placed AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
      SELECT ${distributor.id}, ${distribution.id}, id, id FROM people RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, ${distribution.id}, placed.id, added.id, 1, 1 FROM placed, added`.execute(testApp.db);
  const running = Promise.withResolvers<void>();
  const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
  let isDone = false;
  const reading = since().finally(() => (isDone = true));
  await pause(300);
  expect(isDone).toBe(false);
  running.resolve();
  await other;
  expect(await reading).toBe(20);
});

test('for 10,000 products with the same name, the distinguishing parts of the descriptions are computed once for each version of the catalogue, in the queue of expensive reads (reliability abuse)', async () => {
  await testApp.db.updateTable('distributions').set({ acceptActuals: true }).where('id', '=', distribution.id).execute();
  const customer = await makeCustomer(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution, { name: 'Same', description: 'Kedem, red' });
  const { id } = await makeOrder(testApp.db, distribution, customer, [[wine, 1]]);
  // Descriptions that consist of many short phrases take the longest to compare.
  await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price, description)
    SELECT ${distributor.id}, ${distribution.id}, 'Same', 100,
      (SELECT string_agg(chr(97 + ((n >> (i % 13)) & 1)), ',') || n FROM generate_series(0, 59) i)
    FROM generate_series(1, ${MAX_PRODUCTS_KEPT - 1}::int) n`.execute(testApp.db);
  const get = (by: Person, url: string) => testApp.request(by, { method: 'GET', url });
  const print = () => get(customer, `/api/customer-print-order/${distribution.id}`);
  const running = Promise.withResolvers<void>();
  const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
  let isDone = false;
  const first = longestBlock(print).finally(() => (isDone = true));
  await pause(300);
  expect(isDone).toBe(false);
  running.resolve();
  await other;
  const { longest, result } = await first;
  expect(result.json<PrintData>().products).toMatchObject([{ name: 'Same', nameDetail: 'Kedem' }]);
  expect(longest).toBeLessThan(60);
  const staffPrint = () => get(distributor, `/api/distributor-print-order/${id}`);
  const history = () => get(distributor, `/api/orders/${id}/history`);
  for (const [name, read] of Object.entries({ print, staffPrint, history, mail: () => findOrderToConfirm(testApp.db, id) })) {
    const before = process.threadCpuUsage();
    for (let times = 0; times < 5; times++) await read();
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 5000, name).toBeLessThan(30);
  }
  const counter = await get(distributor, `/api/distributions/${distribution.id}/counter`);
  expect(counter.json<CounterState>().catalogue?.products.find((product) => product.id === wine.id)?.nameDetail).toBe('Kedem');
  const change = { description: 'Barkan, white' };
  await testApp.request(distributor, {
    method: 'PATCH',
    url: `/api/distributions/${distribution.id}/products/${wine.id}`,
    payload: change,
  });
  expect((await print()).json<PrintData>().products).toMatchObject([{ nameDetail: 'Barkan' }]);
}, 60_000);

test("reading a customer's own orders with 5,000 lines each blocks the event loop for less than 60 ms (reliability freeze)", async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  await sql`WITH d AS (INSERT INTO distributions ("distributorId", name, date, published)
      SELECT ${distributor.id}, 'Year ' || n, '2027-01-01'::date + n % 7, true FROM generate_series(1, ${ORDERS}::int) n RETURNING id),
    p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price)
      SELECT ${distributor.id}, d.id, 'Product ' || n, 100 FROM d, generate_series(1, ${MAX_LINES}::int) n RETURNING id, "distributionId"),
    o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
      SELECT ${distributor.id}, d.id, ${customer.id}, ${customer.id} FROM d RETURNING id, "distributionId")
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, o."distributionId", o.id, p.id, 1, 1 FROM o JOIN p USING ("distributionId")`.execute(testApp.db);
  await sql`ANALYZE`.execute(testApp.db);
  const read = () => testApp.request(customer, { method: 'GET', url: '/api/orders' });
  await read();
  const { longest, result } = await longestBlock(read);
  expect(longest).toBeLessThan(60);
  const orders = result.json<{ id: number; distributionDate: string; products: unknown[] }[]>();
  expect(orders.map(({ products }) => products.length)).toEqual(Array.from({ length: ORDERS }, () => MAX_LINES));
  const newestFirst = orders.toSorted((a, b) => b.distributionDate.localeCompare(a.distributionDate) || b.id - a.id);
  expect(orders.map(({ id }) => id)).toEqual(newestFirst.map(({ id }) => id));
}, 60_000);

test("reads of one order with more than 250 lines, or of a customer's own orders with more than 500 lines together, wait in the queue of expensive reads (reliability abuse)", async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  const { id } = await makeOrder(testApp.db, distribution, customer, [[wine, 2]]);
  const read = async (by: Person, url: string) => (await testApp.request(by, { method: 'GET', url })).statusCode;
  const readOrders = () => read(customer, '/api/orders');
  const readOne = () => [
    read(customer, `/api/orders/${distribution.id}`),
    read(customer, `/api/customer-print-order/${distribution.id}`),
    read(distributor, `/api/distributor-print-order/${id}`),
    read(distributor, `/api/order-for-actuals/${id}`),
  ];
  const running = Promise.withResolvers<void>();
  const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
  await addLines(id, 249);
  expect(await Promise.all(readOne())).toEqual([200, 200, 200, 200]);
  await addLines(id, 250);
  expect(await readOrders()).toBe(200);
  await addLines(id, 1);
  let finished = 0;
  const long = [readOrders(), ...readOne()].map((reading) => reading.finally(() => finished++));
  await pause(300);
  expect(finished).toBe(0);
  running.resolve();
  await other;
  expect(await Promise.all(long)).toEqual([200, 200, 200, 200, 200]);
});

test('reads of customers do not use up the places of their staff in the queue of expensive reads (reliability abuse)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  const { id } = await makeOrder(testApp.db, distribution, customer, [[wine, 2]]);
  await addLines(id, 501);
  const read = async (by: Person, url: string) => (await testApp.request(by, { method: 'GET', url })).statusCode;
  const running = Promise.withResolvers<void>();
  const ofCustomers = { distributorId: distributor.id, customerId: customer.id, signal: new AbortController().signal };
  // One of these reads runs, and 200 are queued, which is the maximum for a customer.
  const others = Array.from({ length: 201 }, () => runInQueue(ofCustomers, () => running.promise));
  const refused = ['/api/export', '/api/orders', `/api/order-for-actuals/${id}`, `/api/customer-print-order/${distribution.id}`];
  expect(await Promise.all(refused.map((url) => read(customer, url)))).toEqual([503, 503, 503, 503]);
  const ofStaff = read(distributor, `/api/order-for-actuals/${id}`);
  running.resolve();
  await Promise.all(others);
  expect(await ofStaff).toBe(200);
});

test('a customer whose orders have more than 1,000 lines is checked before being forgotten, and is forgotten, in the queue of expensive reads (reliability abuse)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  await testApp.db.updateTable('distributions').set({ orderingOpen: false }).where('id', '=', distribution.id).execute();
  const wine = await makeProduct(testApp.db, distribution);
  const { id } = await makeOrder(testApp.db, distribution, customer, [[wine, 1]]);
  const send = async (method: 'GET' | 'POST') => {
    const answer = await testApp.request(distributor, { method, url: `/api/users/customer/${customer.id}/forget` });
    return [answer.statusCode, method === 'GET' ? answer.json<{ refusal: string }>().refusal : answer.body];
  };
  const refusal = moneyIsDueText([distribution.name]);
  const running = Promise.withResolvers<void>();
  const other = runInQueue({ distributorId: 0, signal: new AbortController().signal }, () => running.promise);
  expect(await send('GET')).toEqual([200, refusal]);
  await addLines(id, 1500);
  let finished = 0;
  const waiting = [send('GET'), send('POST')].map((sent) => sent.finally(() => finished++));
  await pause(300);
  expect(finished).toBe(0);
  running.resolve();
  await other;
  expect(await Promise.all(waiting)).toEqual([
    [200, refusal],
    [409, refusal],
  ]);
});

test('the preview of a price change keeps no order lines in memory, so that a preview of a large distribution cannot fill the memory (reliability abuse)', async () => {
  await sql`WITH p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price)
      SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100 FROM generate_series(1, 2000) n RETURNING id),
    u AS (INSERT INTO users (email, role, "distributorId")
      SELECT 'family' || n || '-' || ${distribution.id}::int || '@mail.test', 'customer', ${distributor.id} FROM generate_series(1, 40) n RETURNING id),
    o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
      SELECT ${distributor.id}, ${distribution.id}, id, id FROM u RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, ${distribution.id}, o.id, p.id, 2, 2 FROM o, p`.execute(testApp.db);
  await sql`ANALYZE`.execute(testApp.db);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const usedMegabytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const preview = async () => {
    const payload = { newFees: [{ name: 'Bags', type: 'flat', amount: 100, sort_order: 0 }] };
    const url = `/api/distributions/${distribution.id}/repricing`;
    return (await testApp.request(distributor, { method: 'POST', url, payload })).json<{ orders: { count: number }; after: number }>();
  };
  await preview();
  const before = usedMegabytes();
  const locked = Promise.withResolvers<void>();
  const measured = Promise.withResolvers<void>();
  // The preview reads the names of the customers last, after all orders. At this point it waits for the lock.
  const holding = transaction(testApp.db, async (db) => {
    await run(db, 'LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE', []);
    locked.resolve();
    await measured.promise;
  });
  await locked.promise;
  const previewing = preview();
  const WAITS = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await WAITS.execute(testApp.db)).rows.length === 0) await pause(50);
  const kept = usedMegabytes() - before;
  measured.resolve();
  await holding;
  expect(await previewing).toMatchObject({ orders: { count: 40 }, after: 40 * (2000 * 200 + 100) });
  expect(kept).toBeLessThan(2);
}, 60_000);

test('previews of price changes by one distributor run one at a time; other distributors do not wait for them (reliability abuse)', async () => {
  const wine = await makeProduct(testApp.db, distribution);
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[wine, 1]]);
  const preview = async (by: Person, { id }: Row<'distributions'>) => {
    const url = `/api/distributions/${id}/repricing`;
    return (await testApp.request(by, { method: 'POST', url, payload: { cleared: [wine.id] } })).statusCode;
  };
  const running = Promise.withResolvers<void>();
  const other = previewQueue(() => running.promise, { key: String(distributor.id) });
  let isDone = false;
  const waiting = preview(distributor, distribution).finally(() => (isDone = true));
  const neighbor = await makeDistributor(testApp.db);
  expect(await preview(neighbor, await makeDistribution(testApp.db, neighbor))).toBe(200);
  await pause(300);
  expect(isDone).toBe(false);
  running.resolve();
  await other;
  expect(await waiting).toBe(200);
});
