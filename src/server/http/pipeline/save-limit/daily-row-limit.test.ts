// @module-tag long
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct, makeUser } from '../../../../../test/data/factories.ts';
import { makeOrder } from '../../../../../test/data/order-rows.ts';
import { setupTestApp, type Person } from '../../../../../test/test-app.ts';
import { DAY, HOUR, MINUTE } from '../../../../domain/durations.ts';
import { MAX_NOTE_LENGTH } from '../../../../features/orders/contract.ts';
import type { Row } from '../../../database/schema.ts';
import { MAX_KEY_LENGTH } from '../idempotency.ts';
import { countRowsOfDay, createDailyRowLimiters, secondsUntilRows } from './daily-row-limit.ts';

const PER_MINUTE = 20;
const CUSTOMER_ROWS = 200 * PER_MINUTE;
const STAFF_ROWS = 25 * CUSTOMER_ROWS;
const JOINED_ROWS = CUSTOMER_ROWS / 10;

const testApp = setupTestApp({ SAVES_PER_MINUTE: String(PER_MINUTE) });

const pass = (time: number) => {
  testApp.time = new Date(testApp.time.getTime() + time);
};

/** Returns a customer, and a function with which the customer replaces the whole order by one of its halves, each with 200 products. */
async function customerWithProducts(user: Parameters<typeof makeUser>[2] = {}) {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, ...user });
  const distribution = await makeDistribution(testApp.db, distributor);
  const products = await Promise.all(Array.from({ length: 400 }, () => makeProduct(testApp.db, distribution)));
  const order = (half: number) => ({
    distributionId: distribution.id,
    products: products.slice(half * 200, half * 200 + 200).map(({ id }) => ({ productId: id, quantity: 1 })),
  });
  return { customer, save: (half: number) => testApp.request(customer, { method: 'POST', url: '/api/orders', payload: order(half) }) };
}

test('a customer who changes different lines in each save is refused when the rows of a day are used up, and can save again after the seconds of Retry-After (reliability growth)', async () => {
  const { customer, save } = await customerWithProducts();
  const statuses = [];
  let refused = await save(0);
  for (let turn = 1; refused.statusCode < 300 && turn < 20; turn++) {
    pass(MINUTE);
    refused = await save(turn % 2);
    statuses.push(refused.statusCode);
  }
  expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true);
  expect(refused.statusCode).toBe(429);
  expect(refused.body).toMatch(/^Too many changes in one day. Try again in \d+ (minutes|hours).$/);
  // The process adds its count to the shared one after 500 rows, and a save with 400 rows may follow.
  const rows = 400 * (statuses.length - 1) + 200;
  expect(rows).toBeGreaterThan(CUSTOMER_ROWS);
  expect(rows).toBeLessThan(CUSTOMER_ROWS + 1000);
  expect((await testApp.request(customer, { method: 'GET', url: '/api/orders' })).statusCode).toBe(200);
  pass(Number(refused.headers['retry-after']) * 1000);
  expect((await save(0)).statusCode).toBe(200);
});

test('a customer who joined through a join link can change only a tenth as many rows a day as other customers (reliability growth)', async () => {
  const { save } = await customerWithProducts({ joinedAt: testApp.time.toISOString() });
  expect([(await save(0)).statusCode, (await save(1)).statusCode]).toEqual([201, 200]);
  const refused = await save(0);
  expect(refused.statusCode).toBe(429);
  const excess = 600 - JOINED_ROWS;
  expect(refused.headers['retry-after']).toBe(String((excess / JOINED_ROWS) * (DAY / 1000)));
  pass((excess / JOINED_ROWS) * DAY);
  expect((await save(0)).statusCode).toBe(200);
});

interface SavedOrder {
  readonly quantity: number;
  readonly note?: string;
  readonly key?: string;
}

/** Returns a customer who joined, and a function that saves the customer's order, with the same quantity in each line, a minute later. */
async function joinedCustomerWithLines(lines: number) {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, joinedAt: testApp.time.toISOString() });
  const distribution = await makeDistribution(testApp.db, distributor);
  const products = await Promise.all(Array.from({ length: lines }, () => makeProduct(testApp.db, distribution)));
  const save = ({ quantity, note, key }: SavedOrder) => {
    pass(MINUTE);
    const payload = { distributionId: distribution.id, products: products.map(({ id }) => ({ productId: id, quantity })), note };
    return testApp.request(customer, { method: 'POST', url: '/api/orders', payload, headers: key ? { 'idempotency-key': key } : {} });
  };
  return { customer, save };
}

/** Returns how many of up to 100 saves are accepted before the rows of a day are used up. */
async function countUntilRefused(save: (turn: number) => ReturnType<typeof testApp.request>): Promise<number> {
  for (let saved = 0; saved < 100; saved++) {
    const { statusCode, body } = await save(saved);
    if (statusCode >= 300) {
      expect(body).toMatch(/^Too many changes in one day/);
      return saved;
    }
  }
  return 100;
}

const sharedRowsOf = async ({ id }: Person) =>
  (await testApp.db.selectFrom('saved_rows').select('rows').where('userId', '=', id).executeTakeFirst())?.rows;

test('a customer who joined and changes only the note of the order is refused when the bytes of the notes have used up the rows of a day, which all servers count (reliability abuse)', async () => {
  const { customer, save } = await joinedCustomerWithLines(1);
  const note = (turn: number) => String.fromCharCode(0x4e00 + turn).repeat(MAX_NOTE_LENGTH);
  const saved = await countUntilRefused((turn) => save({ quantity: 1, note: note(turn) }));
  // A note of 1,500 bytes and the rest of the body count as 16 rows. The process adds its count to the shared one after 500 rows.
  expect(saved).toBe(Math.ceil(500 / 16));
  expect(await sharedRowsOf(customer)).toBe(16 * saved);
});

test('an Idempotency-Key and the reply that is stored for it count toward the rows of a day (reliability abuse)', async () => {
  const { customer, save } = await joinedCustomerWithLines(1);
  await save({ quantity: 1, note: '語'.repeat(MAX_NOTE_LENGTH) });
  const key = (turn: number) => String(turn).padStart(MAX_KEY_LENGTH, 'k');
  const saved = await countUntilRefused((turn) => save({ quantity: 2 + turn, key: key(turn) }));
  // The body does not contain the note, but the reply does. Key and reply count as 18 rows.
  expect(saved).toBe(Math.ceil((500 - 16) / 18));
  expect(await sharedRowsOf(customer)).toBe(16 + 18 * saved);
});

test('a save whose lines all change counts as the number of its lines, also with an Idempotency-Key', async () => {
  const { customer, save } = await joinedCustomerWithLines(10);
  const saved = await countUntilRefused((turn) => save({ quantity: 1 + turn, key: crypto.randomUUID() }));
  expect(saved).toBe(500 / 10);
  expect(await sharedRowsOf(customer)).toBe(500);
});

test('the lines that a save removes from an order count toward the limit of saves per minute (reliability growth)', async () => {
  const { save } = await customerWithProducts();
  // The first save of 200 lines counts as 10 saves. Each further save changes 400 lines and counts as 20 saves. The 10 saves that are left
  // before the sixth save are enough for its body, so it is saved, but the next one is refused.
  const statuses = [];
  for (let turn = 0; turn < 7; turn++) statuses.push((await save(turn % 2)).statusCode);
  expect(statuses).toEqual([201, 200, 200, 200, 200, 200, 429]);
});

test('a save that was refused because it removes many lines is accepted after the number of seconds in Retry-After', async () => {
  const { save } = await customerWithProducts();
  let refused = await save(0);
  for (let turn = 1; refused.statusCode < 300 && turn < 20; turn++) refused = await save(turn % 2);
  pass(Number(refused.headers['retry-after']) * 1000);
  expect((await save(1)).statusCode).toBe(200);
});

test('all servers share the count of the rows of a day, and it decreases with time', async () => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  const by = { userId: customer.id, role: 'customer', tenantId: 0, hasJoined: false } as const;
  const [first, second] = [createDailyRowLimiters(PER_MINUTE), createDailyRowLimiters(PER_MINUTE)];
  const secondsAt = (limiters: typeof first, time: number) =>
    secondsUntilRows(testApp.db, limiters, by, new Date(testApp.time.getTime() + time));
  countRowsOfDay(first, by, CUSTOMER_ROWS - 1000);
  expect(await secondsAt(first, 0)).toBe(0);
  countRowsOfDay(second, by, 1500);
  // 500 rows too many are an eighth of a day.
  expect(await secondsAt(second, 0)).toBe(DAY / 8000);
  expect(await secondsAt(second, HOUR)).toBe((DAY / 8 - HOUR) / 1000);
  expect(await secondsAt(second, DAY / 8)).toBe(0);
  countRowsOfDay(first, by, 500);
  expect(await secondsAt(first, DAY / 8)).toBe(DAY / 8000);
});

test('a person who saves fewer than 500 rows causes no statement for the limit of rows', async () => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  const by = { userId: customer.id, role: 'customer', tenantId: 0, hasJoined: false } as const;
  const limiters = createDailyRowLimiters(PER_MINUTE);
  const before = testApp.db.poolStats().statements;
  for (let save = 0; save < 499; save++) {
    expect(await secondsUntilRows(testApp.db, limiters, by, testApp.time)).toBe(0);
    countRowsOfDay(limiters, by, 1);
  }
  expect(testApp.db.poolStats().statements).toBe(before);
});

test('one member of staff cannot use up the rows that all staff of a distributor may save in a day, but five together can (reliability growth)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const agents = await Promise.all(Array.from({ length: 5 }, () => makeAgent(testApp.db, distributor)));
  const limiters = createDailyRowLimiters(PER_MINUTE);
  const saverOf = ({ id }: Person) => ({ userId: id, role: 'agent', tenantId: distributor.id, hasJoined: false }) as const;
  const isRefused = async (person: Person) => (await secondsUntilRows(testApp.db, limiters, saverOf(person), testApp.time)) > 0;
  const refused = [];
  for (const agent of agents) {
    countRowsOfDay(limiters, saverOf(agent), STAFF_ROWS + 1);
    refused.push(await isRefused(agent), await isRefused(distributor));
  }
  expect(refused).toEqual([true, false, true, false, true, false, true, true, true, true]);
  const admin = { userId: (await makeDistributor(testApp.db)).id, role: 'admin', tenantId: 0, hasJoined: false } as const;
  countRowsOfDay(limiters, admin, 1000);
  expect(await secondsUntilRows(testApp.db, limiters, admin, testApp.time)).toBe(0);
});

test('saving or replacing a picture counts as 100 rows of a day, because a picture takes far more bytes than a row (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { product_code: code } = await makeProduct(testApp.db, await makeDistribution(testApp.db, distributor), { product_code: 1001 });
  const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
  const save = () =>
    testApp.request(distributor, {
      method: 'POST',
      url: `/api/product-images/${code}`,
      payload: { image: picture.toString('base64') },
    });
  const statuses = [];
  for (let saved = 0; saved < 6; saved++) statuses.push((await save()).statusCode);
  expect(statuses).toEqual([201, 200, 200, 200, 200, 200]);
  // The process has added the first 500 rows to the shared count.
  expect(await sharedRowsOf(distributor)).toBe(500);
});

test('changed lines, weights and products count by their number, also those that one request changes in many orders', async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor, { acceptActuals: true });
  const brisket = await makeProduct(testApp.db, distribution, { unit_qty_is_estimate: true });
  const wine = await makeProduct(testApp.db, distribution);
  const products = await Promise.all(Array.from({ length: 300 }, () => makeProduct(testApp.db, distribution)));
  const customers = await Promise.all(Array.from({ length: 4 }, () => makeCustomer(testApp.db, distributor)));
  const orders = [];
  for (const customer of customers) {
    const lines: [Row<'products'>, number][] = [
      [brisket, 150],
      [wine, 2],
    ];
    orders.push(await makeOrder(testApp.db, distribution, customer, lines));
  }
  const [order] = orders;
  const save = async (method: 'POST' | 'PATCH', url: string, payload: object) => {
    expect((await testApp.request(distributor, { method, url: `/api/${url}`, payload })).statusCode).toBeLessThan(300);
    pass(MINUTE);
  };
  const url = `distributions/${distribution.id}`;
  const changes = products.map(({ id, name }) => ({ id, before: { name }, after: { name: `${name} again` } }));
  await save('PATCH', `${url}/products`, { products: changes });
  const weights = Array.from({ length: 150 }, (_, unit) => [`${order?.lines[0]?.id}-${unit}`, 5]);
  await save('POST', `order-product-quantities/${order?.id}`, Object.fromEntries(weights));
  await save('POST', `${url}/products/${wine.id}/share`, { units: 4, rule: 'proportional' });
  await save('POST', `${url}/clear-product-quantities`, { productId: wine.id, product_code: wine.product_code });
  const lines = products.slice(0, 100).map(({ id }) => ({ productId: id, quantity: 1 }));
  // The request removes the line of the brisket and adds 100 lines.
  await save('POST', 'distributor/order', { distributionId: distribution.id, customerId: customers[0]?.id, products: lines });
  await save('PATCH', url, { name: 'Sukkot' });
  const counts = await testApp.db.selectFrom('saved_rows').selectAll().where('userId', '=', distributor.id).orderBy('ofAllStaff').execute();
  expect(counts.map(({ ofAllStaff, rows }) => [ofAllStaff, rows])).toEqual([false, true].map((of) => [of, 300 + 150 + 4 + 4 + 101]));
});
