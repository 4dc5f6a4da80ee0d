// Tests which saves count toward which limit, and for how many saves a request with many rows or a large body counts (reliability growth).
// @module-tag long
import { expect, test } from 'vitest';
import { makeAgent, makeCustomer, makeDistribution, makeDistributor, makeProduct } from '../../../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../../../test/test-app.ts';
import { createSaveLimiters } from './save-limit.ts';

const PER_MINUTE = 20;
const BURST = 5 * PER_MINUTE;

const testApp = setupTestApp({ SAVES_PER_MINUTE: String(PER_MINUTE) });

test('an agent who saves faster than a person can is refused with 429, and can still read', async () => {
  const distributor = await makeDistributor(testApp.db);
  const agent = await makeAgent(testApp.db, distributor);
  const save = async () => (await testApp.request(agent, { method: 'POST', url: '/api/distributor/order', payload: {} })).statusCode;
  for (let call = 0; call < 5 * BURST; call++) expect(await save()).toBe(400);
  expect(await save()).toBe(429);
  expect((await testApp.request(agent, { method: 'GET', url: '/api/user' })).statusCode).toBe(200);
});

test("a request with many rows uses up several saves of the user's limit of saves, so that nobody can write millions of rows an hour (reliability growth)", async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  const distribution = await makeDistribution(testApp.db, distributor);
  const products = await Promise.all(Array.from({ length: 400 }, () => makeProduct(testApp.db, distribution)));
  const order = (quantity: number) => ({
    distributionId: distribution.id,
    products: products.map(({ id }) => ({ productId: id, quantity })),
  });
  const save = async (by: Person, url: string, payload: object) => (await testApp.request(by, { method: 'POST', url, payload })).statusCode;
  // An order with 400 lines counts as twenty saves.
  for (let turn = 1; turn <= BURST / 20; turn++) expect(await save(customer, '/api/orders', order(turn))).toBeLessThan(300);
  expect(await save(customer, '/api/orders', order(99))).toBe(429);
  testApp.time = new Date(testApp.time.getTime() + 60_000);
  expect(await save(customer, '/api/orders', order(99))).toBe(200);
  // When staff send many rows in one request, the request counts toward the limit of ordinary saves. The same call with a single row would
  // count toward the limit of imports.
  const rows = products.map(({ id, name }) => ({ id, before: { name }, after: { name } }));
  const url = `/api/distributions/${distribution.id}/products`;
  const change = async () => (await testApp.request(distributor, { method: 'PATCH', url, payload: { products: rows } })).statusCode;
  const allowed = Math.floor((5 * BURST) / 20);
  const statuses = [];
  for (let turn = 0; turn <= allowed; turn++) statuses.push(await change());
  expect(statuses.filter((status) => status === 200)).toHaveLength(allowed);
  expect(statuses.at(-1)).toBe(429);
});

test('only adding and changing one product have the higher limit of imports; other saves of staff have the limit of staff (reliability growth)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const rename = async () =>
    (await testApp.request(distributor, { method: 'PATCH', url: `/api/distributions/${id}`, payload: { name: 'Sukkot' } })).statusCode;
  for (let call = 0; call < 5 * BURST; call++) expect(await rename()).toBe(200);
  expect(await rename()).toBe(429);
  const url = `/api/distributions/${id}/products`;
  expect((await testApp.request(distributor, { method: 'POST', url, payload: { name: 'Wine', unit_price: 100 } })).statusCode).toBe(201);
});

test.each([
  ['valid', (name: string) => name, 200],
  ['invalid', (name: string) => [name], 400],
])('a request with a large %s body uses up one save for each 2,000 bytes (reliability growth)', async (_, entryOf, status) => {
  const distributor = await makeDistributor(testApp.db);
  const { id } = await makeDistribution(testApp.db, distributor);
  const payload = { groupOrder: Array.from({ length: 20 }, (_, index) => entryOf(String(index).padStart(190, 'g'))) };
  const save = async () => (await testApp.request(distributor, { method: 'PATCH', url: `/api/distributions/${id}`, payload })).statusCode;
  // The body has between 2,000 and 4,000 bytes, so each request counts as two saves.
  for (let call = 0; call < (5 * BURST) / 2; call++) expect(await save()).toBe(status);
  expect(await save()).toBe(429);
});

test('three consecutive imports of 5,000 rows are accepted, and a flood of requests with one row each is refused', () => {
  const limiters = createSaveLimiters(120);
  const row = (at: number) => limiters.imports.person.take(1, at);
  for (let index = 0; index < 15_000; index++) expect(row(index * 10)).toBe(0);
  const flood = Array.from({ length: 60_000 }, (_, index) => row(150_000 + index));
  expect(flood.filter((seconds) => seconds > 0).length).toBeGreaterThan(40_000);
});
