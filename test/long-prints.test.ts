// Prints and weights of orders with thousands of long names neither block the event loop nor fill the memory (reliability, "abuse").
// @module-tag long
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openSession } from '../src/server/auth/session.ts';
import { MAX_LINES } from '../src/features/orders/contract.ts';
import { MAX_TEXT_LENGTH } from '../src/shared/fields.ts';
import type { OrderForActuals } from '../src/features/actuals/contract.ts';
import type { PrintData } from '../src/features/print/contract.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor } from './data/factories.ts';
import { longestBlock } from './longest-block.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();
const WEIGHTS_OF_LINE = 2;

let distributor: Person;
let agent: Person;
let customer: Person;
let neighbor: Person;
let distributionId: number;
/** The orders of the customer and the neighbor. */
let orderIds: number[];
let origin: string;
let sockets: Socket[] = [];
beforeAll(async () => {
  origin = await testApp.app.listen({ port: 0, host: '127.0.0.1' });
  distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  agent = await makeAgent(testApp.db, distributor);
  customer = await makeCustomer(testApp.db, distributor);
  neighbor = await makeCustomer(testApp.db, distributor);
  for (const person of [distributor, agent, customer, neighbor]) await signIn(person);
  distributionId = distribution.id;
  await sql`WITH p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price, unit_qty_is_estimate, uom, product_group, description)
      SELECT ${distributor.id}, ${distributionId}, rpad('名' || n, ${MAX_TEXT_LENGTH}::int, '名'), 100, true, t.text, t.text, t.text || t.text
      FROM generate_series(1, ${MAX_LINES}::int) n, (SELECT repeat('单', ${MAX_TEXT_LENGTH}::int) AS text) t RETURNING id),
    o AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
      SELECT ${distributor.id}, ${distributionId}, c, c FROM unnest(${[customer.id, neighbor.id]}::int[]) c RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, ${distributionId}, o.id, p.id, ${WEIGHTS_OF_LINE}::int, 1 FROM o, p`.execute(testApp.db);
  const orders = testApp.db.selectFrom('orders').select('id').where('distributionId', '=', distributionId).orderBy('customerId');
  orderIds = (await orders.execute()).map(({ id }) => id);
  await sql`INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy")
    SELECT id, n, 1.5, ${customer.id} FROM order_products, generate_series(0, ${WEIGHTS_OF_LINE - 1}::int) n WHERE "orderId" = ${orderIds[0]}`.execute(
    testApp.db,
  );
  await sql`ANALYZE`.execute(testApp.db);
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

const cookies = new Map<Person, string>();
async function signIn(person: Person): Promise<void> {
  const rules = { customerIdleDays: 7, secure: false };
  cookies.set(person, `sid=${(await openSession(testApp.db, person, undefined, { now: testApp.time, rules })).cookie}`);
}

/** Reads the reply over the network, because the body of an injected request is joined in one piece. */
async function read(by: Person, path: string) {
  const { status, body } = await fetch(`${origin}${path}`, { headers: { cookie: cookies.get(by) ?? '' } });
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  return { status, pieces };
}

/** Sends a request whose reply is not read to its end. */
async function leaveUnread(by: Person, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookies.get(by) ?? ''}\r\n\r\n`);
  return socket;
}

const weights = (order: number) => `/api/order-for-actuals/${orderIds[order]}`;

/** A person who reads, another person, and what they read. */
const READS = [
  ['own print', () => customer, () => neighbor, () => `/api/customer-print-order/${distributionId}`],
  ['print for staff', () => distributor, () => agent, (order: number) => `/api/distributor-print-order/${orderIds[order]}`],
  ['own weights page', () => customer, () => neighbor, weights],
  ['weights page for staff', () => distributor, () => agent, weights],
  [
    'print of all orders',
    () => distributor,
    () => agent,
    (order: number) => (order === 0 ? `/api/distributions/${distributionId}/print-orders` : weights(order)),
  ],
] as const;

/** The maximum CPU time of one event loop iteration, in milliseconds. */
const LONGEST = 30;
const TRIES = 3;

test.each(READS)(
  'a reply with 5,000 long names and 10,000 weights blocks the event loop for less than 30 ms: %s (reliability freeze)',
  async (_name, by, _other, path) => {
    let shortest = Infinity;
    for (let turn = 0; turn < TRIES && shortest >= LONGEST; turn++) {
      const { longest, result } = await longestBlock(() => read(by(), path(0)));
      expect(result.status).toBe(200);
      shortest = Math.min(shortest, longest);
    }
    expect(shortest).toBeLessThan(LONGEST);
  },
);

test('the prints and weights pages of an order with 5,000 lines and 10,000 weights are complete', async () => {
  const texts = [];
  for (const [, by, , path] of READS) texts.push(Buffer.concat((await read(by(), path(0))).pieces).toString());
  const [own = '', ofStaff, ownWeights = '', , all = ''] = texts;
  const { products, actuals } = JSON.parse(own) as PrintData;
  expect([products.length, actuals.length]).toEqual([MAX_LINES, WEIGHTS_OF_LINE * MAX_LINES]);
  expect(ofStaff).toBe(own);
  expect([all.startsWith(`[${own},{`), (JSON.parse(all) as unknown[]).length]).toEqual([true, 2]);
  const weighed = (JSON.parse(ownWeights) as OrderForActuals).products;
  expect([weighed.length, weighed.flatMap((product) => product.actuals).length]).toEqual([MAX_LINES, WEIGHTS_OF_LINE * MAX_LINES]);
});

test.each(READS)(
  'a person has at most two unread replies with thousands of long names, and the next one waits: %s (reliability abuse)',
  async (_name, by, other, path) => {
    const [first, second] = [await leaveUnread(by(), path(0)), await leaveUnread(by(), path(0))];
    await Promise.all([once(first, 'readable'), once(second, 'readable')]);
    const next = await leaveUnread(by(), path(0));
    expect((await read(other(), path(1))).status).toBe(200);
    expect(next.bytesRead).toBe(0);
    first.destroy();
    await once(next, 'readable');
  },
);
