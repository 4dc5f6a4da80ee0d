// These tests check limits that keep one distributor from filling the disk or blocking the server for others (reliability, "growth",
// "freeze").
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { cents } from '../src/domain/money.ts';
import { MAX_GROUP_ORDER, MAX_DISTRIBUTIONS } from '../src/features/distributions/contract.ts';
import { MAX_PAYMENTS, MAX_PAYMENTS_FOR_AGENTS } from '../src/features/payments/contract.ts';
import { MAX_TILLS, MAX_TILLS_FOR_AGENTS, type Till } from '../src/features/tills/contract.ts';
import { MAX_PEOPLE, MAX_PEOPLE_PER_DAY } from '../src/features/users/contract.ts';
import { MAX_WAITING } from '../src/features/waiting/contract.ts';
import type { Row } from '../src/server/database/schema.ts';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from './data/factories.ts';
import { makeOrder } from './data/order-rows.ts';
import { longestBlock } from './longest-block.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp();

let distributor: Person;
let distribution: Row<'distributions'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  distribution = await makeDistribution(testApp.db, distributor);
});

const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, by = distributor): Promise<[number, string]> => {
  const { statusCode, body } = await testApp.request(by, { method, url, ...(payload ? { payload } : {}) });
  return [statusCode, body];
};
const groupsOf = (characters: number, first = 0) =>
  Array.from({ length: characters / 200 }, (_, index) => String(first + index).padStart(200, 'g'));
const patchGroups = (groupOrder: readonly string[]) => send('PATCH', `/api/distributions/${distribution.id}`, { groupOrder });

test('the group order of a distribution has at most 20,000 characters, and long group orders do not block the list or the audit trail (reliability freeze)', async () => {
  const sentence = 'The names of the product groups have more than 20,000 characters together. Shorten some of them.';
  expect(await patchGroups([...groupsOf(MAX_GROUP_ORDER), 'x'])).toEqual([400, sentence]);
  expect((await patchGroups(groupsOf(MAX_GROUP_ORDER)))[0]).toBe(200);

  await sql`INSERT INTO distributions ("distributorId", name, date, "groupOrder")
    SELECT ${distributor.id}, 'Copy ' || n, '2027-01-01'::date + n, "groupOrder"
    FROM distributions, generate_series(1, ${MAX_DISTRIBUTIONS - 1}::int) n WHERE id = ${distribution.id}`.execute(testApp.db);
  await sql`INSERT INTO distribution_audit ("distributorId", "distributionId", before, after, "updatedBy")
    SELECT "distributorId", id, groups, groups, ${distributor.id} FROM distributions, generate_series(1, 50),
      LATERAL (SELECT jsonb_build_object('groupOrder', "groupOrder" || "groupOrder" || "groupOrder") AS groups) g
    WHERE id = ${distribution.id}`.execute(testApp.db);
  for (const url of ['/api/distributions', `/api/distributions/${distribution.id}/audit?limit=1000`]) {
    await send('GET', url);
    const { longest, result } = await longestBlock(() => send('GET', url));
    expect(result[0]).toBe(200);
    expect(longest).toBeLessThan(60);
    expect(result[1].length).toBeLessThan(700_000);
  }
  const list = JSON.parse((await send('GET', '/api/distributions'))[1]) as { groupOrder: string[] | null }[];
  expect(list).toHaveLength(MAX_DISTRIBUTIONS);
  expect([list[0]?.groupOrder?.length, list.at(-1)?.groupOrder]).toEqual([100, null]);
});

const addPeople = (people: number, hoursAgo: number) =>
  sql`INSERT INTO users (email, role, "distributorId", "createdAt")
    SELECT ${`${distributor.id}-${hoursAgo}-`} || n || '@mail.test', 'customer', ${distributor.id}, now() - ${hoursAgo} * interval '1 hour'
    FROM generate_series(1, ${people}::int) n`.execute(testApp.db);

test('a refusal above the limit of people added in a day says when the next person can be added', async () => {
  await addPeople(1, 20);
  await addPeople(MAX_PEOPLE_PER_DAY - 1, 0);
  const payload = { users: [{ email: 'one@mail.test' }], replyTo: distributor.email, invite: 'later' };
  const { statusCode, headers } = await testApp.request(distributor, { method: 'POST', url: '/api/users/customer', payload });
  expect(statusCode).toBe(429);
  expect(Math.round(Number(headers['retry-after']) / 3600)).toBe(4);
});

const NO_MONEY = { cash: 0, check: 0, card: 0, other: 0 };
const addClosedTills = (tills: number, of: Person) =>
  sql`INSERT INTO tills ("distributorId", "distributionId", "userId", float, "closedAt", "closedBy", expected, counted)
    SELECT ${distributor.id}, ${distribution.id}, ${of.id}, 0, now(), ${of.id}, ${JSON.stringify(NO_MONEY)}::jsonb, ${JSON.stringify(NO_MONEY)}::jsonb
    FROM generate_series(1, ${tills}::int)`.execute(testApp.db);

test('a person can open at most 100 tills in a distribution (reliability freeze)', async () => {
  await addClosedTills(MAX_TILLS - 1, distributor);
  const open = () => send('POST', '/api/tills', { distributionId: distribution.id, float: 0 });
  expect((await open())[0]).toBe(201);
  expect(await open()).toEqual([409, 'Your till is open already.']);
  const [till] = (JSON.parse((await send('GET', `/api/distributions/${distribution.id}/tills`))[1]) as { tills: Till[] }).tills.filter(
    ({ closedAt, userId }) => closedAt === null && userId === distributor.id,
  );
  expect((await send('POST', `/api/tills/${till?.id}/close`, { counted: NO_MONEY }))[0]).toBe(200);
  expect(await open()).toEqual([409, 'You have opened 100 tills for this distribution, and more are not possible.']);
});

test('agents can open tills in a distribution until it has 1,000; the distributor can still open one, and long lists of tills are sent in parts (reliability freeze)', async () => {
  const [agent, last] = [await makeAgent(testApp.db, distributor), await makeAgent(testApp.db, distributor, { mayTakePayments: true })];
  const newest = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
  await addClosedTills(MAX_TILLS_FOR_AGENTS - 1, agent);
  const open = (by: Person) => send('POST', '/api/tills', { distributionId: distribution.id, float: 0 }, by);
  expect((await open(last))[0]).toBe(201);
  expect(await open(last)).toEqual([409, 'Your till is open already.']);
  expect(await open(newest)).toEqual([409, 'This distribution has 1,000 tills. Only the distributor can open more.']);
  expect((await open(distributor))[0]).toBe(201);
  const { body, headers } = await testApp.request(distributor, { method: 'GET', url: `/api/distributions/${distribution.id}/tills` });
  expect(headers).not.toHaveProperty('content-length');
  const { tills, ...sums } = JSON.parse(body) as { tills: Till[] };
  expect(new Set(tills.map(({ id }) => id)).size).toBe(MAX_TILLS_FOR_AGENTS + 1);
  expect(tills.slice(-2).map(({ userId }) => userId)).toEqual([last.id, distributor.id]);
  expect(sums).toEqual({ withoutTill: { payments: 0, received: NO_MONEY }, received: NO_MONEY });
});

test(
  'the payments of the tills are read in parts of 10,000, however many payments a distribution has (reliability freeze)',
  { tags: ['long'] },
  async () => {
    const product = await makeProduct(testApp.db, distribution);
    const { id: orderId } = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[product, 1]]);
    const { id: tillId } = JSON.parse((await send('POST', '/api/tills', { distributionId: distribution.id, float: 500 }))[1]) as Till;
    const add = (payments: number, till: number | null) =>
      sql`INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdBy", "updatedBy", "tillId")
      SELECT ${distributor.id}, ${distribution.id}, ${orderId}, n % 3 + 1, 'Cash', ${distributor.id}, ${distributor.id}, ${till}::int
      FROM generate_series(1, ${payments}::int) n`.execute(testApp.db);
    const statementsFor = async <Result>(work: () => Promise<Result>) => {
      const before = testApp.db.poolStats().statements;
      const result = await work();
      return [result, testApp.db.poolStats().statements - before] as const;
    };
    const list = () => send('GET', `/api/distributions/${distribution.id}/tills`);
    await add(3, tillId);
    const [, few] = await statementsFor(list);
    await add(15_000, tillId);
    await add(12_000, null);
    const [[, many], more] = await statementsFor(list);
    expect(more - few).toBe(2);
    expect(JSON.parse(many)).toMatchObject({
      tills: [{ payments: 15_003, expected: { cash: 500 + 30_006 } }],
      withoutTill: { payments: 12_000, received: { cash: 24_000 } },
      received: { cash: 54_006 },
    });
    const counted = { cash: 30_506, check: 0, card: 0, other: 0 };
    const [status, closed] = await send('POST', `/api/tills/${tillId}/close`, { counted });
    expect([status, (JSON.parse(closed) as Till).difference?.cash]).toEqual([200, 0]);
  },
);

test('a customer can be on at most 100 waiting lists in a distribution (reliability freeze)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  const product = await makeProduct(testApp.db, distribution, { total_limit: 1 });
  await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[product, 1]]);
  await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price, total_limit)
    SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100, 1 FROM generate_series(1, ${MAX_WAITING}::int) n`.execute(
    testApp.db,
  );
  await sql`INSERT INTO waiting_list ("distributorId", "distributionId", "productId", "customerId", quantity)
    SELECT "distributorId", "distributionId", id, ${customer.id}, 1 FROM products WHERE "distributionId" = ${distribution.id} AND id <> ${product.id}`.execute(
    testApp.db,
  );
  const join = { productId: product.id, quantity: 1 };
  expect(await send('POST', `/api/distributions/${distribution.id}/waiting`, join, customer)).toEqual([
    409,
    'You are on 100 waiting lists of this distribution. Leave one of them first.',
  ]);
});

test('agents can record payments of an order until it has 1,000; the distributor can record 100 more, and reversals do not count (reliability freeze)', async () => {
  const agent = await makeAgent(testApp.db, distributor, { mayTakePayments: true });
  const product = await makeProduct(testApp.db, distribution, { unit_price: cents(1_000_000) });
  const { id: orderId } = await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[product, 1]]);
  const addPayments = (payments: number) =>
    sql`INSERT INTO payments ("distributorId", "distributionId", "orderId", amount, "paymentMethod", "createdBy", "updatedBy")
      SELECT ${distributor.id}, ${distribution.id}, ${orderId}, 1, 'Cash', ${agent.id}, ${agent.id}
      FROM generate_series(1, ${payments}::int)`.execute(testApp.db);
  const pay = (by: Person) => send('POST', `/api/orders/${orderId}/payments`, { amount: 1, paymentMethod: 'Cash' }, by);
  const reverse = async (payment: string) => {
    const { id } = JSON.parse(payment) as { id: number };
    return (await send('POST', `/api/orders/${orderId}/payments/${id}/reverse`, { description: 'typed twice' }))[0];
  };
  await addPayments(MAX_PAYMENTS_FOR_AGENTS - 2);
  const [, reversed] = await pay(agent);
  expect(await reverse(reversed)).toBe(201);
  const concurrent = await Promise.all([pay(agent), pay(agent), pay(await makeAgent(testApp.db, distributor, { mayTakePayments: true }))]);
  const full = [409, 'This order has 1,000 payments. Only the distributor can record more.'];
  expect(concurrent.toSorted(([one], [other]) => one - other)).toEqual([[201, expect.any(String)], full, full]);

  expect((await pay(distributor))[0]).toBe(201);
  await addPayments(MAX_PAYMENTS - MAX_PAYMENTS_FOR_AGENTS - 2);
  const [status, paid] = await pay(distributor);
  expect([status, await pay(distributor)]).toEqual([201, [409, 'An order has at most 1,100 payments.']]);
  expect(await reverse(paid)).toBe(201);
  expect([(await pay(distributor))[0], await pay(agent)]).toEqual([409, full]);
});

test('the audit trail of an order beyond the limits names at most 20 products (reliability freeze)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  const products = await Promise.all(Array.from({ length: 25 }, () => makeProduct(testApp.db, distribution, { total_limit: 1 })));
  const beyondLimits = products.map(({ id }) => id);
  const lines = beyondLimits.map((productId) => ({ productId, quantity: 2 }));
  const order = { distributionId: distribution.id, customerId: customer.id, products: lines, beyondLimits };
  expect((await send('POST', '/api/distributor/order', order))[0]).toBe(201);
  const row = await testApp.db
    .selectFrom('order_audit')
    .select('after')
    .where('distributorId', '=', distributor.id)
    .executeTakeFirstOrThrow();
  expect((row.after as { beyondLimits: string[] }).beyondLimits).toHaveLength(20);
});

test(
  'a distributor can have at most 100,000 customers and agents; removed ones do not count (reliability growth)',
  { tags: ['long'] },
  async () => {
    await sql`INSERT INTO users (email, role, "distributorId", "createdAt") SELECT ${`${distributor.id}-`} || n || '@mail.test', 'customer',
    ${distributor.id}, now() - interval '2 days' FROM generate_series(1, ${MAX_PEOPLE}::int) n`.execute(testApp.db);
    const add = () =>
      send('POST', '/api/users/customer', { users: [{ email: 'one-more@mail.test' }], replyTo: distributor.email, invite: 'later' });
    expect(await add()).toEqual([
      409,
      'A distributor can have at most 100,000 customers and agents. Nobody was added. Remove unused customers first.',
    ]);
    await sql`UPDATE users SET "removedAt" = now() WHERE email = ${`${distributor.id}-1@mail.test`}`.execute(testApp.db);
    expect((await add())[0]).toBe(201);
  },
);
