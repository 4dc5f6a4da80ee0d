import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../../../test/test-app.ts';
import { MAX_LINES } from '../../../../features/orders/contract.ts';
import { countRowsOfDay, createDailyRowLimiters, secondsUntilRows } from './daily-row-limit.ts';
import { SaveLimiter } from './save-limit.ts';

const PER_MINUTE = 20;
const BURST = 5 * PER_MINUTE;

const testApp = setupTestApp({ SAVES_PER_MINUTE: String(PER_MINUTE) });

test('a customer who saves faster than a person can is refused with 429 and Retry-After, and nothing is saved', async () => {
  const distributor = await makeDistributor(testApp.db);
  const [customer, other] = [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  const distribution = await makeDistribution(testApp.db, distributor);
  const wine = await makeProduct(testApp.db, distribution);
  const save = (by: Person, quantity: number) =>
    testApp.request(by, {
      method: 'POST',
      url: '/api/orders',
      payload: { distributionId: distribution.id, products: [{ productId: wine.id, quantity }] },
    });
  const saved = async () => {
    const lines = testApp.db.selectFrom('order_products as l').innerJoin('orders as o', 'o.id', 'l.orderId');
    return await lines.select(['l.quantity', 'o.version']).where('o.customerId', '=', customer.id).executeTakeFirstOrThrow();
  };
  for (let quantity = 1; quantity <= BURST; quantity++) expect((await save(customer, (quantity % 9) + 1)).statusCode).toBeLessThan(300);
  const before = await saved();
  const refused = await save(customer, 99);
  expect([refused.statusCode, refused.body]).toEqual([429, 'Too many changes in a short time. Try again in 3 seconds.']);
  expect(refused.headers['retry-after']).toBe('3');
  expect(await saved()).toEqual(before);
  // The limit does not apply to reads or to other customers, and imports by staff have their own limit.
  expect((await testApp.request(customer, { method: 'GET', url: `/api/orders/${distribution.id}` })).statusCode).toBe(200);
  expect((await save(other, 1)).statusCode).toBe(201);
  const prices = Array.from({ length: BURST + 1 }, (_, index) => index + 1);
  for (const unit_price of prices) {
    const url = `/api/distributions/${distribution.id}/products/${wine.id}`;
    expect((await testApp.request(distributor, { method: 'PATCH', url, payload: { unit_price } })).statusCode).toBe(200);
  }
  testApp.time = new Date(testApp.time.getTime() + 3000);
  expect((await save(customer, 99)).statusCode).toBe(200);
  expect((await saved()).quantity).toBe(99);
});

test('a save above the limit is refused before the session and the data of the order are read (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const cookie = await testApp.cookieOf(await makeCustomer(testApp.db, distributor));
  const save = () => testApp.app.inject({ method: 'POST', url: '/api/orders', headers: { cookie }, payload: {} });
  for (let each = 0; each < BURST; each++) expect((await save()).statusCode).toBe(400);
  const before = testApp.db.poolStats().statements;
  expect((await save()).statusCode).toBe(429);
  expect(testApp.db.poolStats().statements).toBe(before);
});

test('an order with more lines than the limit allows is refused before the session and the data of the order are read (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const cookie = await testApp.cookieOf(await makeCustomer(testApp.db, distributor));
  const { id } = await makeDistribution(testApp.db, distributor);
  const save = async (lines: number) => {
    const products = Array.from({ length: lines }, (_, index) => ({ productId: index + 1, quantity: 1 }));
    const payload = { distributionId: id, products };
    return (await testApp.app.inject({ method: 'POST', url: '/api/orders', headers: { cookie }, payload })).statusCode;
  };
  expect(await save(20 * BURST - 40)).toBe(400);
  const before = testApp.db.poolStats().statements;
  expect(await save(60)).toBe(429);
  expect(testApp.db.poolStats().statements).toBe(before);
});

test('a customer who has reached the limit can sign out, end all sessions and change the password', async () => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  const post = async (url: string, payload: object = {}) => (await testApp.request(customer, { method: 'POST', url, payload })).statusCode;
  for (let save = 0; save < BURST; save++) await post('/api/orders');
  expect(await post('/api/orders')).toBe(429);
  expect(await post('/api/user/password', { currentPassword: 'not the password', password: 'a new password 7261' })).toBe(400);
  expect(await post('/api/logout')).toBe(204);
  expect(await post('/api/user/sign-out-everywhere')).toBe(204);
});

test('a sign-out is exempt from the save limit and does not count toward the limit', async () => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  for (let call = 0; call <= BURST; call++) await testApp.request(customer, { method: 'POST', url: '/api/logout' });
  expect((await testApp.request(customer, { method: 'POST', url: '/api/orders', payload: {} })).statusCode).toBe(400);
});

test('a flood of saves that lasts an hour saves no more than the limit allows', () => {
  const limiter = new SaveLimiter(PER_MINUTE);
  let saves = 0;
  const [HOUR, every] = [3_600_000, 20];
  for (let at = 0; at < HOUR; at += every) saves += limiter.take(1, at) === 0 ? 1 : 0;
  expect(saves).toBeLessThanOrEqual(BURST + 60 * PER_MINUTE);
  expect(saves).toBeGreaterThan(60 * PER_MINUTE);
});

test('a person who saves exactly as often as the limit allows is never refused', () => {
  const limiter = new SaveLimiter(PER_MINUTE);
  for (let at = 0; at < 3_600_000; at += 3000) expect(limiter.take(1, at)).toBe(0);
});

test("when the server's clock is set back, nobody can save more than the limit and nobody is locked out", () => {
  const limiter = new SaveLimiter(PER_MINUTE);
  for (let save = 0; save < BURST; save++) expect(limiter.take(1, 1_000_000)).toBe(0);
  expect(limiter.take(1, 0)).toBe(3);
  expect(limiter.take(1, 1_003_000)).toBe(0);
});

test('a refused request with many rows is accepted after the seconds of its Retry-After', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor);
  const products = await Promise.all(Array.from({ length: 60 }, () => makeProduct(testApp.db, distribution)));
  const save = (quantity: number) =>
    testApp.request(customer, {
      method: 'POST',
      url: '/api/orders',
      payload: { distributionId: distribution.id, products: products.map(({ id }) => ({ productId: id, quantity })) },
    });
  // An order with 60 lines counts as three saves, so one save is left afterwards.
  for (let turn = 1; turn <= (BURST - 1) / 3; turn++) expect((await save(turn)).statusCode).toBeLessThan(300);
  const refused = await save(99);
  expect(refused.statusCode).toBe(429);
  testApp.time = new Date(testApp.time.getTime() + Number(refused.headers['retry-after']) * 1000);
  expect((await save(99)).statusCode).toBe(200);
});

test("a copy of a distribution uses up several saves of the user's limit of saves, because a copy writes thousands of rows (reliability growth)", async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const payload = { name: 'Copy', date: '2028-04-01', estimates: 'same' };
  const copy = async () =>
    (await testApp.request(distributor, { method: 'POST', url: `/api/distributions/${id}/copy`, payload })).statusCode;
  const allowed = Math.floor((5 * BURST) / 250);
  const statuses = [];
  for (let turn = 0; turn <= allowed; turn++) statuses.push(await copy());
  expect(statuses).toEqual([...Array.from({ length: allowed }, () => 201), 429]);
});

test.each([
  [0, 100],
  [4000, 200],
])(
  'the beginning of an upload of %d products counts as %d saves, because it stores all products (reliability abuse)',
  async (products, saves) => {
    const distributor = await makeDistributor(testApp.db);
    const { id } = await makeDistribution(testApp.db, distributor);
    await sql`INSERT INTO products ("distributorId", "distributionId", name, unit_price)
    SELECT ${distributor.id}, ${id}, 'Wine', 100 FROM generate_series(1, ${products}::int)`.execute(testApp.db);
    const begin = async () =>
      (await testApp.request(distributor, { method: 'POST', url: `/api/distributions/${id}/product-uploads` })).statusCode;
    const allowed = Math.ceil((5 * BURST) / saves);
    const statuses = [];
    for (let turn = 0; turn <= allowed; turn++) statuses.push(await begin());
    expect(statuses).toEqual([...Array.from({ length: allowed }, () => 201), 429]);
  },
);

test('a person who has not saved for a while can send one request with more rows than the whole limit', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const { id } = await makeDistribution(testApp.db, distributor);
  const products = Array.from({ length: MAX_LINES }, (_, index) => ({ productId: index + 1, quantity: 1 }));
  const save = () => testApp.request(customer, { method: 'POST', url: '/api/orders', payload: { distributionId: id, products } });
  // The products do not exist.
  expect((await save()).statusCode).toBe(400);
  const refused = await save();
  // Its bytes count as 80 saves before the server reads the 5,000 lines.
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '240']);
});

test('all staff of one distributor together save at most ten times as often as one of them; its customers and other distributors are not affected (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const distribution = await makeDistribution(testApp.db, distributor);
  const customer = await makeCustomer(testApp.db, distributor);
  const agents = await Promise.all(Array.from({ length: 11 }, () => makeAgent(testApp.db, distributor)));
  const lines = (count: number) => Array.from({ length: count }, (_, index) => ({ productId: index + 1, quantity: 1 }));
  const save = async (by: Person, count: number) => {
    const payload = { distributionId: distribution.id, customerId: customer.id, products: lines(count) };
    return (await testApp.request(by, { method: 'POST', url: '/api/distributor/order', payload })).statusCode;
  };
  // Two orders with 5,000 lines use up the limit of one agent. The orders themselves are refused, because the products do not exist.
  const statuses = [];
  for (const agent of agents) for (let turn = 0; turn < 2; turn++) statuses.push(await save(agent, MAX_LINES));
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), 429, 429]);
  expect(await save(distributor, 1)).toBe(429);
  expect((await testApp.request(customer, { method: 'POST', url: '/api/orders', payload: {} })).statusCode).toBe(400);
  expect(await save(await makeDistributor(testApp.db), 1)).toBe(404);
  testApp.time = new Date(testApp.time.getTime() + 60_000);
  expect(await save(distributor, 1)).toBe(400);
});

test('a distributor whose agents have used up the limits of all staff can still disable, sign out, enable and unlock them, as often as one person may save (reliability abuse)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const agents = await Promise.all(Array.from({ length: 11 }, () => makeAgent(testApp.db, distributor)));
  const post = (by: Person, url: string, payload: object = {}) => testApp.request(by, { method: 'POST', url, payload });
  const products = Array.from({ length: MAX_LINES }, (_, index) => ({ productId: index + 1, quantity: 1 }));
  const order = (by: Person) => post(by, '/api/distributor/order', { distributionId: 1, customerId: 1, products });
  // Two orders with 5,000 lines use up the limit of one member of staff.
  for (const agent of agents) for (let turn = 0; turn < 2; turn++) await order(agent);
  expect((await post(distributor, '/api/distributions')).body).toMatch(/^Too many changes in a short time/);
  const actions = ['disable', 'sign-out', 'enable', 'unlock'];
  const act = (action = '') => post(distributor, `/api/users/agent/${agents[0]?.id}/${action}`);
  const statuses = async () => (await Promise.all(actions.map(act))).map(({ statusCode }) => statusCode);
  expect(await statuses()).toEqual([204, 204, 204, 204]);

  // The limits of a day are shared, so the rows of the agents may have been counted by another process.
  const limiters = createDailyRowLimiters(PER_MINUTE);
  const secondsAfter = async (by: Person, rows: number) => {
    const saver = { userId: by.id, role: by.role, tenantId: distributor.id, hasJoined: false, isEmergency: true } as const;
    countRowsOfDay(limiters, saver, rows);
    await secondsUntilRows(testApp.db, limiters, { ...saver, isEmergency: undefined }, testApp.time);
    return await secondsUntilRows(testApp.db, limiters, saver, testApp.time);
  };
  const staffRows = 25 * 200 * PER_MINUTE;
  // The bodies of the agents' orders already count as some rows.
  for (const agent of agents.slice(0, 5)) expect(await secondsAfter(agent, 0.9 * staffRows)).toBe(0);
  const pass = () => (testApp.time = new Date(testApp.time.getTime() + 5 * 60_000));
  pass();
  for (let turn = 0; turn < 2; turn++) expect((await order(distributor)).body).toMatch(/^Too many changes in one day/);
  expect(await statuses()).toEqual([429, 429, 429, 429]);
  pass();
  expect(await statuses()).toEqual([204, 204, 204, 204]);
  expect(await secondsAfter(distributor, 2 * staffRows)).toBeGreaterThan(0);
});
