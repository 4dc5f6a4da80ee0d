// Sends random requests to every call (reliability R37, R47). npm test sends fewer requests than npm run prove.
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { routes } from '../src/api.ts';
import { ROLES, type Role } from '../src/domain/accounts/roles.ts';
import { openSession } from '../src/server/auth/session.ts';
import type { Endpoint } from '../src/shared/endpoint.ts';
import { oddSegment, valuesOf, type JsonSchema } from './data/arbitraries.ts';
import { makeAdmin, makeAgent, makeCustomer, makeDistribution, makeDistributor, makeFee, makeProduct } from './data/factories.ts';
import { makeOrder } from './data/order-rows.ts';
import { iterations } from './setup/iterations.ts';
import { SEED } from './setup/sampling.ts';
import { setupTestApp } from './test-app.ts';

const testApp = setupTestApp();
const BODIES = iterations(15, 3500);
/**
 * The number of requests without a session. It is small, because these requests may make the server hash passwords. Hashing is slow on
 * purpose, and after 300 failed sign-ins the replies to further failures are delayed.
 */
const BODIES_OF_NOBODY = iterations(12, 250);
const ADDRESSES = iterations(20, 2000);
/**
 * The maximum time of a request in milliseconds. Only npm run prove checks it, because other programs may run on the machine during npm
 * test.
 */
const SLOWEST = iterations(Infinity, 2000);
const INTERNALS =
  /\b(SELECT|INSERT|UPDATE|DELETE|FROM)\b [\w"]+|\bat \S+ \(|\.tsx?\b|\.[cm]?js:\d|node_modules|\/src\/|relation "|column "|violates|constraint|syntax error|ZodError|TypeError|\[object /;

const endpoints = routes.map((route) => route.endpoint);
const cookies = {} as Record<Role, string>;
let ids: Record<string, number[]>;
let idsInBodies: Record<string, number[]>;

beforeAll(async () => {
  const { db } = testApp;
  const distributor = await makeDistributor(db);
  const customer = await makeCustomer(db, distributor);
  const people = { admin: await makeAdmin(db), distributor, agent: await makeAgent(db, distributor), customer };
  const rules = { customerIdleDays: 7, secure: false };
  // One of the calls removes customers who have never signed in. This statement marks all users of the test as signed in, so that the call
  // does not remove the test's customer.
  await db.updateTable('users').set({ lastLoginAt: '2027-03-01T12:00:00Z' }).execute();
  for (const role of ROLES) cookies[role] = `sid=${(await openSession(db, people[role], undefined, { now: testApp.time, rules })).cookie}`;
  const distribution = await makeDistribution(db, distributor);
  const open = await makeDistribution(db, distributor);
  const closed = await makeDistribution(db, distributor, { orderingOpen: false, acceptActuals: true });
  const product = await makeProduct(db, distribution, { product_code: 101 });
  const weighed = await makeProduct(db, open, { max_order_qty: 3, unit_qty_is_estimate: true });
  const wine = await makeProduct(db, open);
  const fee = await makeFee(db, distribution);
  const order = await makeOrder(db, open, await makeCustomer(db, distributor), [[weighed, 2]]);
  const shared = { orderId: [order.id], customerId: [customer.id], userId: [customer.id] };
  ids = { ...shared, id: [distribution.id], distributionId: [open.id], productId: [product.id], productCode: [101], feeId: [fee.id] };
  idsInBodies = { ...shared, distributionId: [open.id, open.id, closed.id], productId: [weighed.id, wine.id] };
});

async function expectSound(options: InjectOptions): Promise<number> {
  const began = performance.now();
  const answer = await testApp.app.inject(options);
  const ms = performance.now() - began;
  const said = `seed ${SEED}: ${options.method} ${JSON.stringify(options.url)} ${typeof options.payload === 'string' ? options.payload.slice(0, 2000) : ''} → ${answer.statusCode} ${answer.body.slice(0, 300)}`;
  expect(answer.statusCode, said).toBeLessThan(500);
  expect(ms, said).toBeLessThan(SLOWEST);
  if (answer.statusCode >= 400) {
    expect(answer.headers['content-type'], said).toBe('text/plain; charset=utf-8');
    expect(answer.body, said).toMatch(/^[^\n]{1,400}$/);
    expect(answer.body, said).not.toMatch(INTERNALS);
  }
  return answer.statusCode;
}

const pathWith = (endpoint: Endpoint, valueOf: (name: string) => string): string =>
  endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => valueOf(name));
const knownPath = (endpoint: Endpoint, turn: number): string =>
  pathWith(endpoint, (name) => String(ids[name]?.[turn % (ids[name]?.length ?? 1)] ?? 'customer'));
const headersOf = (role: Role | undefined, more: Record<string, string> = {}): Record<string, string> => ({
  ...(role ? { cookie: cookies[role] } : {}),
  ...more,
});
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

const withBody = endpoints.filter((endpoint) => endpoint.body);

test.each(withBody.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  'the server replies to random bodies without an internal error in the call %s (contract §2)',
  async (_, endpoint) => {
    const schema = z.toJSONSchema(endpoint.body ?? z.void(), { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    const roles = ROLES.filter((role) => endpoint.roles.includes(role));
    const numRuns = roles.length > 0 ? BODIES : BODIES_OF_NOBODY;
    // No field accepts a list of lists, so the first body is refused, whatever the random ones are.
    const wrong = Object.fromEntries(Object.keys(schema.properties ?? {}).map((field) => [field, [[]]]));
    const bodies = [wrong, ...fc.sample(valuesOf(schema, idsInBodies), { numRuns, seed: SEED })];
    const statuses = new Set<number>();
    for (const [turn, body] of bodies.entries()) {
      const headers = headersOf(roles[turn % roles.length], {
        'content-type': 'application/json',
        ...(turn % 5 ? {} : { 'idempotency-key': `key-${turn % 50}` }),
      });
      statuses.add(await expectSound({ method: endpoint.method, url: knownPath(endpoint, turn), headers, payload: JSON.stringify(body) }));
    }
    expect([...statuses], 'the wrong body is refused').toContain(400);
  },
);

/** Returns whether the call deletes its record. With a real id, later requests would not find this record any more. */
const takesAway = ({ method, path }: Endpoint): boolean => method === 'DELETE' || path.endsWith('/forget');
/** Returns whether a path segment begins with the id of an existing record. A query string may follow, as in '2?x=1'. */
const isKnownId = (segment: string): boolean => Object.values(ids).flat().includes(Number.parseInt(segment, 10));
const withParams = endpoints.filter((endpoint) => endpoint.path.includes(':'));

test.each(withParams.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  'the server replies to random ids in the path without an internal error in the call %s (contract §2)',
  async (_, endpoint) => {
    const segments = fc.sample(oddSegment, { numRuns: ADDRESSES, seed: SEED });
    for (const [turn, segment] of segments.entries()) {
      const written = turn % 2 ? segment : encodeURIComponent(segment.toWellFormed());
      const url = pathWith(endpoint, (name) => (turn % 3 ? written : String(ids[name]?.[0] ?? written)));
      if (!isSendable(url) || (takesAway(endpoint) && (turn % 3 === 0 || isKnownId(written)))) continue;
      const payload = endpoint.body ? { payload: '{}' } : {};
      const role = ROLES[turn % ROLES.length];
      await expectSound({ method: endpoint.method, url, headers: headersOf(role, { 'content-type': 'application/json' }), ...payload });
    }
  },
);

/** Returns whether the URL may occur in the first line of an HTTP request. */
const isSendable = (url: string): boolean =>
  /^[\u0021-\u00ff]+$/.test(url) && !url.includes('#') && !url.startsWith('//') && URL.canParse(url, 'http://localhost');

test.each([
  ['a number beyond all numbers', '{"distributionId":1e999,"products":[]}'],
  ['a minus zero', '{"distributionId":-0,"products":[{"productId":-0,"quantity":-0}]}'],
  ['escaped halves of characters', '{"distributionId":"\\ud800","products":"\\udc00\\u0000"}'],
  ['a list of lists', `[${'[],'.repeat(50_000)}[]]`],
  ['eighty thousand keys', `{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":0`).join(',')}}`],
  ['thousands of bad lines', `{"distributionId":1,"products":[${'{},'.repeat(100_000)}{}]}`],
  ['a text of a megabyte', `{"distributionId":1,"products":"${'é'.repeat(500_000)}"}`],
  ['a byte order mark', '\ufeff{"distributionId":2000000000,"products":[]}'],
])('the server replies to a request body that contains %s with an error message', async (_, payload) => {
  const headers = headersOf('customer', { 'content-type': 'application/json' });
  expect([400, 404]).toContain(await expectSound({ method: 'POST', url: '/api/orders', headers, payload }));
});

test('the server replies to bytes that are not UTF-8 with an error message', async () => {
  const headers = headersOf('customer', { 'content-type': 'application/json' });
  for (const payload of [Buffer.from([0xff, 0xfe, 0x7b, 0x00]), Buffer.from([0xc3, 0x28]), Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1')]) {
    expect(await expectSound({ method: 'POST', url: '/api/orders', headers, payload })).toBe(400);
  }
});
