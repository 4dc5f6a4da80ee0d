import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../test/data/factories.ts';
import { longestBlock } from '../../../test/longest-block.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import type { Row } from '../../server/database/schema.ts';
import { pathOf } from '../../shared/endpoint.ts';
import { clearQuantities, type Product } from '../products/contract.ts';
import { LIST } from '../products/queries.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let wine: Row<'products'>;
let path: string;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor);
  wine = await makeProduct(testApp.db, distribution, { name: 'Wine' });
  path = `/api/distributions/${distribution.id}/products`;
});

const read = (by: Person) => testApp.request(by, { method: 'GET', url: path });
/**
 * Returns the name of each product with the numbers that change with orders: the units left, and the units ordered. The user `by` reads
 * them.
 */
const numbers = async (by: Person) =>
  (await read(by)).json<Product[]>().map(({ name, left, total_ordered }) => [name, left, total_ordered]);
const order = (quantity: number) =>
  testApp.request(customer, {
    method: 'POST',
    url: '/api/orders',
    payload: { distributionId: distribution.id, products: [{ productId: wine.id, quantity }] },
  });
const change = (payload: object) => testApp.request(distributor, { method: 'PATCH', url: `${path}/${wine.id}`, payload });

/** Adds products directly to the database. The version of the catalogue stays the same. */
const addProducts = (count: number, descriptionLength = 200) =>
  sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price, description)
    SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100, repeat('x', ${descriptionLength})
    FROM generate_series(1, ${count}::int) n`.execute(testApp.db);

test('after every order and every change of a product, staff read the current numbers of ordered units and units left (contract §4)', async () => {
  expect(await numbers(distributor)).toEqual([['Wine', null, 0]]);
  await order(3);
  expect(await numbers(distributor)).toEqual([['Wine', null, 3]]);
  await change({ name: 'Red wine', total_limit: 5 });
  expect(await numbers(distributor)).toEqual([['Red wine', 2, 3]]);
  await order(4);
  expect(await numbers(distributor)).toEqual([['Red wine', 1, 4]]);
  const cleared = await testApp.request(distributor, {
    method: 'POST',
    url: pathOf(clearQuantities, { id: distribution.id }),
    payload: { productId: wine.id, product_code: wine.product_code },
  });
  expect(cleared.statusCode, cleared.body).toBe(200);
  expect(await numbers(distributor)).toEqual([['Red wine', 5, 0]]);
  await change({ total_limit: null });
  expect(await numbers(distributor)).toEqual([['Red wine', null, 0]]);
});

test('a customer on a waiting list reads the current number of units left, including those that are held for the customer (contract §12)', async () => {
  const other = await makeCustomer(testApp.db, distributor);
  await change({ total_limit: 5 });
  await order(5);
  const waiting = `/api/distributions/${distribution.id}/waiting`;
  await testApp.request(other, { method: 'POST', url: waiting, payload: { productId: wine.id, quantity: 2 } });
  expect(await numbers(other)).toEqual([['Wine', 0, undefined]]);
  await order(3);
  expect(await numbers(other)).toEqual([['Wine', 2, undefined]]);
  expect((await numbers(distributor))[0]).toEqual(['Wine', 0, 3]);
});

test(
  'sixty concurrent reads of a long list do not read the products again, and read the numbers of ordered units only a few times (reliability abuse)',
  { tags: ['long'] },
  async () => {
    await addProducts(5000);
    await order(2);
    const { longest, result: first } = await longestBlock(() => read(distributor));
    expect(first.json<Product[]>()).toHaveLength(5001);
    expect(longest).toBeLessThan(100);
    const headers = { cookie: await testApp.cookieOf(distributor) };
    const before = testApp.db.poolStats().statements;
    const replies = await Promise.all(Array.from({ length: 60 }, () => testApp.app.inject({ url: path, headers })));
    expect(replies.every(({ statusCode, body }) => statusCode === 200 && body === first.body)).toBe(true);
    // Without the batches and the cache, each of the sixty reads would need three statements.
    expect(testApp.db.poolStats().statements - before).toBeLessThan(60);
  },
);

/** Adds customers for each of whom one unit of `wine` is on hold. */
async function makeHolders(count: number): Promise<Person[]> {
  await change({ total_limit: count });
  const holders = await Promise.all(Array.from({ length: count }, () => makeCustomer(testApp.db, distributor)));
  await sql`INSERT INTO waiting_list ("distributorId", "distributionId", "customerId", "productId", quantity, "heldQuantity", "heldUntil")
    SELECT ${distributor.id}, ${distribution.id}, id, ${wine.id}, 1, 1, now() + interval '1 hour'
    FROM unnest(${holders.map(({ id }) => id)}::int[]) id`.execute(testApp.db);
  return holders;
}

test(
  'of the long lists with units on hold, only four of a distributor are open at once while their customers do not read them; other customers still get the list (reliability abuse)',
  { tags: ['long'] },
  async () => {
    await addProducts(5000, 2000);
    await read(customer);
    const [first, second, third] = (await makeHolders(3)) as [Person, Person, Person];
    const port = Number(new URL(await testApp.app.listen({ port: 0, host: '127.0.0.1' })).port);
    const sockets = [];
    for (const person of [first, first, second, second]) {
      const cookie = await testApp.cookieOf(person);
      const socket = connect(port, '127.0.0.1').pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
      sockets.push(socket);
    }
    await pause(1500);
    let isDone = false;
    const waiting = read(third).finally(() => (isDone = true));
    expect((await read(customer)).statusCode).toBe(200);
    await pause(500);
    expect(isDone).toBe(false);
    sockets.forEach((socket) => socket.destroy());
    expect((await waiting).statusCode).toBe(200);
  },
);

test('the customers for whom units are on hold share the reads of the units of all orders (reliability abuse)', async () => {
  const holders = await makeHolders(5);
  const statements = vi.spyOn(testApp.db, 'query');
  const readers = [...holders, ...holders, ...holders, ...holders];
  const replies = await Promise.all(readers.map((by) => numbers(by)));
  const reads = statements.mock.calls.filter(([text]) => text.includes('units_left')).length;
  statements.mockRestore();
  expect(replies).toEqual(readers.map(() => [['Wine', 1, undefined]]));
  expect(reads).toBeLessThan(readers.length);
});

test.each([
  ['a customer', async () => customer],
  ['staff', async () => distributor],
  ['a customer for whom units are on hold', async () => (await makeHolders(1))[0] as Person],
])(
  'while the catalogue changes again and again, a long list for %s is read only a few times, and each reply contains the changes that were saved before the request (reliability abuse)',
  { tags: ['long'] },
  async (_name, findReader) => {
    await addProducts(3000);
    const reader = await findReader();
    await read(reader);
    const statements = vi.spyOn(testApp.db, 'query');
    const prices = Array.from({ length: 20 }, (_, index) => 1000 + index);
    const replies: Promise<number>[] = [];
    for (const price of prices) {
      await change({ unit_price: price });
      replies.push(read(reader).then((reply) => reply.json<Product[]>().find(({ id }) => id === wine.id)?.unit_price ?? 0));
    }
    const seen = await Promise.all(replies);
    const reads = statements.mock.calls.filter(([text]) => text === LIST).length;
    statements.mockRestore();
    expect(seen.every((price, index) => price >= (prices[index] ?? 0))).toBe(true);
    expect(reads).toBeLessThan(10);
  },
);
