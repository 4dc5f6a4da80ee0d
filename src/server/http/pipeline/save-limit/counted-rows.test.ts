// Tests how the rows that a call changes or reads count toward the limits of saves (`countRows` of the context).
// @module-tag long
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistribution, makeDistributor, makeProduct, makeSlot } from '../../../../../test/data/factories.ts';
import { linesOf, makeOrder, makeOrders } from '../../../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../../../test/test-app.ts';
import { pathOf } from '../../../../shared/endpoint.ts';
import { saveActuals } from '../../../../features/actuals/contract.ts';
import { moneyIsDueText } from '../../../../features/former-customers/texts.ts';
import { MAX_ECHO_LENGTH } from '../../../../features/users/contract.ts';
import type { Row } from '../../../database/schema.ts';
import { SaveLimiter } from './save-limit.ts';

const PER_MINUTE = 4;
/** A customer can save 20 times at once and then once every 15 seconds, and staff five times as often. */
const BURST = 5 * PER_MINUTE;
const STAFF_BURST = 5 * BURST;
const MS_PER_STAFF_SAVE = 3000;

const testApp = setupTestApp({ SAVES_PER_MINUTE: String(PER_MINUTE) });

let distributor: Person;
let customer: Person;
let distribution: Row<'distributions'>;
let brisket: Row<'products'>;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
});

const pass = (time: number) => {
  testApp.time = new Date(testApp.time.getTime() + time);
};
const post = (by: Person, url: string, payload: object) => testApp.request(by, { method: 'POST', url, payload });

/** Sends requests until one of them is refused with 429. Returns the number of the others. */
async function countUntilRefused(send: () => Promise<{ readonly statusCode: number }>): Promise<number> {
  for (let sent = 0; ; sent++) if ((await send()).statusCode === 429) return sent;
}

/** Creates an order of the customer with one unit of the brisket, and further lines with quantity 0. */
async function makeLongOrder(lines: number): Promise<{ id: number; lines: Row<'order_products'>[] }> {
  const order = await makeOrder(testApp.db, distribution, customer, [[brisket, 1]]);
  await sql`WITH p AS (INSERT INTO products ("distributorId", "distributionId", name, unit_price)
      SELECT ${distributor.id}, ${distribution.id}, 'Product ' || n, 100 FROM generate_series(2, ${lines}::int) n RETURNING id)
    INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
      SELECT ${distributor.id}, ${distribution.id}, ${order.id}, id, 0, 0 FROM p`.execute(testApp.db);
  return order;
}

test.each([
  ['setting a product to 0 in all orders', 'clear-product-quantities', 0],
  ['a short delivery', 'products/:productId/share', 1],
])(
  '%s that changes more rows than the limit of saves allows is saved and counts, and the next one is refused (reliability growth)',
  async (_, path, left) => {
    const orders = 100;
    for (let order = 0; order < orders; order++)
      await makeOrder(testApp.db, distribution, await makeCustomer(testApp.db, distributor), [[brisket, 2]]);
    const url = `/api/distributions/${distribution.id}/${path.replace(':productId', String(brisket.id))}`;
    const change = () => post(distributor, url, left === 0 ? { productId: brisket.id } : { units: orders, rule: 'proportional' });
    // A copy uses up all saves, also if its distribution does not exist.
    const copy = post(distributor, '/api/distributions/999999/copy', { name: 'Copy', date: '2028-04-01', estimates: 'same' });
    expect((await copy).statusCode).toBe(404);
    pass(MS_PER_STAFF_SAVE);
    expect((await change()).statusCode).toBe(200);
    const quantities = async () => (await linesOf(testApp.db, distribution.id)).map(({ quantity }) => quantity);
    expect(await quantities()).toEqual(Array.from({ length: orders }, () => left));
    const refused = await change();
    // The 100 rows count as five saves, but only one was left.
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String((5 * MS_PER_STAFF_SAVE) / 1000)]);
    pass(5 * MS_PER_STAFF_SAVE);
    expect((await change()).statusCode).not.toBe(429);
  },
);

test('an order save counts as one save for each 100 lines of the order, also if it is refused (reliability abuse)', async () => {
  await makeLongOrder(300);
  const order = { distributionId: distribution.id, version: 999, products: [{ productId: brisket.id, quantity: 2 }] };
  const byCustomer = () => post(customer, '/api/orders', order);
  const byStaff = () => post(distributor, '/api/distributor/order', { ...order, customerId: customer.id });
  expect((await byCustomer()).statusCode).toBe(409);
  // The last save is accepted because one save is left, and counts as three.
  expect(1 + (await countUntilRefused(byCustomer))).toBe(Math.ceil(BURST / 3));
  expect(await countUntilRefused(byStaff)).toBe(Math.ceil(STAFF_BURST / 3));
  // The lines that were only read do not count toward the rows of a day, which are written to the database after 500 rows.
  expect(await testApp.db.selectFrom('saved_rows').selectAll().where('userId', '=', distributor.id).execute()).toEqual([]);
});

test.each([
  ['an Idempotency-Key that is malformed', { 'idempotency-key': 'a b' }, 400],
  ['the user id of another person', { 'x-user-id': '999999' }, 401],
])(
  'an order save that is refused because of %s, after the lines of the order were read, counts them too (reliability abuse)',
  async (_, headers, status) => {
    await makeLongOrder(300);
    const payload = { distributionId: distribution.id, products: [{ productId: brisket.id, quantity: 2 }] };
    const cookie = await testApp.cookieOf(customer);
    const send = (method: 'GET' | 'POST', url: string, rest: object) => testApp.app.inject({ method, url, ...rest });
    const save = () => send('POST', '/api/orders', { payload, headers: { ...headers, cookie } });
    // The lines are read together with the session only if the server process knows the session.
    await send('GET', '/api/user', { headers: { cookie } });
    expect((await save()).statusCode).toBe(status);
    expect(1 + (await countUntilRefused(save))).toBe(Math.ceil(BURST / 3));
  },
);

/** Limits 20 new products, which are sold out except for some units of the first one, and fills 500 orders with them. */
async function makeSoldOut(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`INSERT INTO products ("distributorId", "distributionId", name, unit_price, total_limit)
    SELECT ${distributor.id}, ${distribution.id}, 'Limited ' || n, 100, CASE n WHEN 1 THEN 1000 ELSE 500 END FROM generate_series(1, 20) n
    RETURNING id`.execute(testApp.db);
  const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
  await makeOrders(testApp.db, distribution, { count: 500, productIds: ids });
  return ids;
}

test('an order save counts as one save for each 5,000 lines of other orders that are added up for limited products, also if it is refused (reliability abuse)', async () => {
  const ids = await makeSoldOut();
  const order = { distributionId: distribution.id, products: ids.map((productId) => ({ productId, quantity: 1 })) };
  // The 10,000 lines are added up when the order is saved, and again to tell the customer which product is sold out.
  expect(await countUntilRefused(() => post(customer, '/api/orders', order))).toBe(BURST / 4);
  // An order of staff is refused before it is saved.
  const byStaff = (rest: object) => post(distributor, '/api/distributor/order', { ...order, customerId: customer.id, ...rest });
  expect((await byStaff({})).statusCode).toBe(409);
  expect(1 + (await countUntilRefused(() => byStaff({})))).toBe(STAFF_BURST / 2);
  await testApp.db.updateTable('products').set({ total_limit: 10_000 }).execute();
  pass(STAFF_BURST * MS_PER_STAFF_SAVE);
  let quantity = 0;
  const raise = () => post(customer, '/api/orders', { ...order, products: ids.map((productId) => ({ productId, quantity: ++quantity })) });
  expect((await raise()).statusCode).toBe(201);
  expect(1 + (await countUntilRefused(raise))).toBe(Math.ceil(BURST / 3));
  // Changing products without raising a quantity adds up nothing.
  pass(STAFF_BURST * MS_PER_STAFF_SAVE);
  const lower = () => post(customer, '/api/orders', { ...order, products: [{ productId: ids[0], quantity: --quantity }] });
  expect(await countUntilRefused(lower)).toBe(BURST);
});

test('an order that is refused because its pick-up time is full counts as one save for each 100 orders of the pick-up time (reliability abuse)', async () => {
  const slot = await makeSlot(testApp.db, distribution, { capacity: 200 });
  await makeOrders(testApp.db, distribution, { count: 200, productIds: [brisket.id], slotId: slot.id });
  const order = {
    distributionId: distribution.id,
    products: [{ productId: brisket.id, quantity: 1 }],
    slotId: slot.id,
  };
  expect((await post(customer, '/api/orders', order)).statusCode).toBe(409);
  expect(await countUntilRefused(() => post(customer, '/api/orders', order))).toBe(BURST / 2 - 1);
  // Staff may overbook a pick-up time, so no orders are counted for them.
  const byStaff = () => post(distributor, '/api/distributor/order', { ...order, customerId: customer.id });
  expect(await countUntilRefused(byStaff)).toBe(STAFF_BURST);
});

test('saving and removing weights counts as one save for each 100 lines of the order, also if it is refused (reliability abuse)', async () => {
  const { id: orderId, lines } = await makeLongOrder(300);
  const line = lines[0]?.id ?? 0;
  const save = (unit: number) => post(distributor, pathOf(saveActuals, { orderId }), { [`${line}-${unit}`]: 5 });
  const remove = () => post(distributor, `/api/orders/${orderId}/remove-weight`, { orderProductId: line, index: 0 });
  expect([(await save(0)).statusCode, (await save(7)).statusCode, (await remove()).statusCode]).toEqual([200, 400, 200]);
  expect(3 + (await countUntilRefused(remove))).toBe(Math.ceil(STAFF_BURST / 3));
});

test('the lines of an order with up to 100 lines do not count in addition to the save', async () => {
  const { id: orderId, lines } = await makeLongOrder(100);
  const order = { distributionId: distribution.id, products: [{ productId: brisket.id, quantity: 1 }] };
  expect(await countUntilRefused(() => post(customer, '/api/orders', order))).toBe(BURST);
  const weigh = () => post(distributor, pathOf(saveActuals, { orderId }), { [`${lines[0]?.id}-0`]: 5 });
  expect(await countUntilRefused(weigh)).toBe(STAFF_BURST);
});

test('rows that are more than the saves that are left make the bucket negative, by at most a full bucket', () => {
  const limiter = new SaveLimiter(PER_MINUTE);
  limiter.count(1, 0, BURST + 1);
  expect(limiter.secondsUntil(1, 0)).toBe(30);
  limiter.count(1, 0, 1000 * BURST);
  expect(limiter.secondsUntil(1, 0)).toBe(315);
  expect([limiter.take(1, 314_000), limiter.take(1, 315_000)]).toEqual([1, 0]);
});

test('forgetting a customer counts as one save for each 100 lines of all orders of the customer, also if it is refused (reliability abuse)', async () => {
  await makeLongOrder(299);
  await testApp.db.updateTable('distributions').set({ orderingOpen: false }).where('id', '=', distribution.id).execute();
  const forget = () => post(distributor, `/api/users/customer/${customer.id}/forget`, {});
  expect((await forget()).body).toBe(moneyIsDueText([distribution.name]));
  expect(1 + (await countUntilRefused(forget))).toBe(Math.ceil(STAFF_BURST / 3));
});

test('forgetting a customer counts as one save for each 100 stored replies of staff and waiting lists of the customer (reliability abuse)', async () => {
  const key = { userId: distributor.id, bodyHash: 'x', status: 200, reply: '{}' };
  const keys = Array.from({ length: 300 }, (_, index) => ({ ...key, key: String(index) }));
  await testApp.db.insertInto('idempotency_keys').values(keys).execute();
  const forget = async () => {
    const { id } = await makeCustomer(testApp.db, distributor);
    const place = { distributorId: distributor.id, distributionId: distribution.id, productId: brisket.id };
    await testApp.db
      .insertInto('waiting_list')
      .values({ ...place, customerId: id, quantity: 1 })
      .execute();
    return await post(distributor, `/api/users/customer/${id}/forget`, {});
  };
  expect((await forget()).statusCode).toBe(204);
  // The 300 replies and the waiting list count as four saves.
  expect(1 + (await countUntilRefused(forget))).toBe(STAFF_BURST / 4);
});

test.each(['forget', 'disable'])(
  'the call to %s a customer counts as one save for each 100 waiting lists, and for each 5,000 order lines that are added up for the limited products (reliability abuse)',
  { tags: ['long'] },
  async (act) => {
    const ids = await makeSoldOut();
    const { id: next } = await makeCustomer(testApp.db, distributor);
    const wait = (customerId: number, productIds: number[]) => {
      const place = { distributorId: distributor.id, distributionId: distribution.id, customerId, quantity: 1 };
      return testApp.db
        .insertInto('waiting_list')
        .values(productIds.map((productId) => ({ ...place, productId })))
        .execute();
    };
    await wait(next, ids.slice(0, 1));
    const send = async (productIds: number[]) => {
      const { id } = await makeCustomer(testApp.db, distributor);
      await wait(id, productIds);
      return await post(distributor, `/api/users/customer/${id}/${act}`, {});
    };
    // Each call adds up 10,000 order lines and one waiting list entry of another customer.
    expect(await countUntilRefused(() => send(ids))).toBe(Math.ceil(STAFF_BURST / 3));
    const { rows } = await sql<{ id: number }>`INSERT INTO products ("distributorId", "distributionId", name, unit_price, total_limit)
      SELECT ${distributor.id}, ${distribution.id}, 'Sold out ' || n, 100, 1 FROM generate_series(1, 300) n RETURNING id`.execute(
      testApp.db,
    );
    pass(2 * STAFF_BURST * MS_PER_STAFF_SAVE);
    expect(await countUntilRefused(() => send(rows.map(({ id }) => id)))).toBe(Math.ceil(STAFF_BURST / 3));
  },
);

test('undoing an upload counts as one save for each 100 products and order lines that are read, also if it is refused (reliability abuse)', async () => {
  await makeLongOrder(299);
  const uploads = `/api/distributions/${distribution.id}/product-uploads`;
  const { id } = (await post(distributor, uploads, {})).json<{ id: number }>();
  const setPrice = (price: number) => sql`UPDATE products SET unit_price = ${price}`.execute(testApp.db);
  await setPrice(200);
  pass(BURST * MS_PER_STAFF_SAVE);
  expect((await post(distributor, `${uploads}/${id}/finish`, {})).statusCode).toBe(204);
  await setPrice(300);
  pass(STAFF_BURST * MS_PER_STAFF_SAVE);
  const undo = () => post(distributor, `${uploads}/${id}/undo`, {});
  expect((await undo()).statusCode).toBe(409);
  // The 299 products and their 299 lines count as six saves.
  expect(1 + (await countUntilRefused(undo))).toBe(Math.ceil(STAFF_BURST / 6));
});

test('adding a customer without an e-mail address counts as one save for each 100 names that are read, also if it is refused (reliability abuse)', async () => {
  await sql`WITH u AS (INSERT INTO users (email, role, "distributorId")
      SELECT gen_random_uuid() || '@no-email.invalid', 'customer', ${distributor.id} FROM generate_series(1, 299) RETURNING id)
    INSERT INTO contacts ("userId", "firstName", "lastName") SELECT id, 'שרה' || id, 'כהן' FROM u`.execute(testApp.db);
  const users = [{ email: null, firstName: 'יעל', lastName: 'לוי' }];
  const add = (rest: object = {}) =>
    post(distributor, '/api/users/customer', { users, replyTo: distributor.email, invite: 'later', ...rest });
  expect((await add()).json()).toMatchObject([{ success: true }]);
  expect((await add()).json()).toMatchObject([{ success: false }]);
  expect((await add({ uploadId: 999_999 })).statusCode).toBe(404);
  expect(3 + (await countUntilRefused(add))).toBe(Math.ceil(STAFF_BURST / 3));
});

test('adding a person counts as one save for each 5,000 people of the distributor who are counted for its limits, also if it is refused (reliability abuse)', async () => {
  await sql`INSERT INTO users (email, role, "distributorId", "createdAt") SELECT 'old' || n || '@mail.test', 'customer', ${distributor.id},
    now() - interval '2 days' FROM generate_series(1, 14900) n`.execute(testApp.db);
  const add = (user: object, rest: object = {}) =>
    post(distributor, '/api/users/customer', { users: [user], replyTo: distributor.email, invite: 'later', ...rest });
  const refused = () => add({ email: null, firstName: 'Sara' }, { uploadId: 999_999 });
  expect((await refused()).statusCode).toBe(404);
  expect(1 + (await countUntilRefused(refused))).toBe(Math.ceil(STAFF_BURST / 3));
  pass(2 * STAFF_BURST * MS_PER_STAFF_SAVE);
  let sent = 0;
  expect(await countUntilRefused(() => add({ email: `new${(sent += 1)}@mail.test` }))).toBe(Math.ceil(STAFF_BURST / 3));
});

test('an Idempotency-Key and the reply that is stored for it count as one save for each 2,000 bytes (reliability abuse)', async () => {
  const row = { email: 'nobody', firstName: 'x'.repeat(MAX_ECHO_LENGTH), lastName: 'x'.repeat(MAX_ECHO_LENGTH) };
  const payload = { users: Array.from({ length: 20 }, () => row), replyTo: distributor.email, invite: 'later' };
  let sent = 0;
  const create = (withKey: boolean) => {
    const headers = withKey ? { 'idempotency-key': `key-${(sent += 1)}` } : {};
    return testApp.request(distributor, { method: 'POST', url: '/api/users/customer', payload, headers });
  };
  const first = await create(true);
  expect(first.statusCode).toBe(201);
  const saves = Math.ceil(('key-1'.length + first.body.length) / 2000);
  expect(saves).toBeGreaterThan(5);
  expect(1 + (await countUntilRefused(() => create(true)))).toBe(Math.ceil(STAFF_BURST / saves));
  pass(2 * STAFF_BURST * MS_PER_STAFF_SAVE);
  expect(await countUntilRefused(() => create(false))).toBe(STAFF_BURST);
});
