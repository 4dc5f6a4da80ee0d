// Tests that nobody can fill the memory of the server, or occupy its event loop, with long bodies that no limit counts.
import { pino } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { createApp } from './app.ts';
import { on } from './pipeline/route.ts';
import { registerRoutes } from './pipeline/register-routes.ts';

/** With this limit, a customer can save 100 times at once. A body of 100 kB counts as 50 saves. */
const testApp = setupTestApp({ SAVES_PER_MINUTE: '20', TRUST_PROXY: '1' });
const LONG = { text: 'x'.repeat(98_000) };

let distributor: Person;
let customer: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
});

const post = async (by: Person, url: string, payload: object): Promise<number> =>
  (await testApp.request(by, { method: 'POST', url, payload })).statusCode;

/** Returns how often the server has parsed the body while `send` ran. */
async function countParsed(payload: object, send: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  await send();
  const parsed = parse.mock.calls.filter(([text]) => text === JSON.stringify(payload)).length;
  parse.mockRestore();
  return parsed;
}

test.each(['/api/user/password', '/api/user/sign-out-everywhere'])(
  'a long body for the call %s counts by its bytes, although the call does not count otherwise; then short ones are still accepted (reliability abuse)',
  async (url) => {
    const first = await post(customer, url, LONG);
    expect([400, 204]).toContain(first);
    expect([await post(customer, url, LONG), await post(customer, url, LONG)]).toEqual([first, 429]);
    expect(await post(customer, '/api/orders', {})).toBe(429);
    expect(await post(customer, '/api/user/password', { currentPassword: 'not the password', password: 'a new password 7261' })).toBe(400);
    expect(await post(customer, '/api/logout', {})).toBe(204);
    expect(await post(customer, '/api/user/sign-out-everywhere', {})).toBe(204);
  },
);

test('a long body counts by its bytes also if the role of the person may not send the call (reliability abuse)', async () => {
  const send = () => post(customer, '/api/distributor/order', LONG);
  expect([await send(), await send(), await send()]).toEqual([403, 403, 429]);
  expect(await post(customer, '/api/distributor/order', {})).toBe(403);
});

test('a long body for an unknown address gets 404 before it is read (reliability abuse)', async () => {
  for (const by of [customer, null]) {
    const send = async () => {
      expect((await testApp.request(by, { method: 'POST', url: '/api/nowhere', payload: LONG })).body).toBe('This address was not found');
    };
    expect(await countParsed(LONG, send)).toBe(0);
  }
});

test('an order with a long body counts by its bytes before the body is read, also if the server does not know the session (reliability abuse)', async () => {
  const statuses: number[] = [];
  const send = async () => {
    for (let turn = 0; turn < 3; turn++) statuses.push(await post(customer, '/api/orders', LONG));
  };
  expect([await countParsed(LONG, send), statuses]).toEqual([2, [400, 400, 429]]);
});

const AnyWeights = z.record(z.string(), z.number());
let validations = 0;
const weigh = on(
  endpoint({
    method: 'POST',
    path: '/api/weigh',
    summary: 'Weigh',
    roles: ['customer'],
    status: 204,
    body: z.pipe(
      z.transform((body) => {
        validations++;
        return body;
      }),
      AnyWeights,
    ),
  }),
  async () => undefined,
  { oneAtATime: 'waiting lists' },
);

test('the fields of a body count before the body is validated, so that a refused request is not validated (reliability abuse)', async () => {
  const app = await createApp(testApp.env, pino({ level: 'silent' }));
  registerRoutes(app, [weigh], { db: testApp.db, env: testApp.env, now: () => testApp.time });
  // The 800 weights count as 40 saves. Their bytes count as only four, so that the third request is not refused before its body is read.
  const weights = Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`${index}-0`, 1]));
  const statuses = [];
  for (let turn = 0; turn < 4; turn++) {
    const headers = { cookie: await testApp.cookieOf(customer) };
    statuses.push((await app.inject({ method: 'POST', url: '/api/weigh', headers, payload: weights })).statusCode);
  }
  expect([statuses, validations]).toEqual([[204, 204, 429, 429], 2]);
  await app.close();
});
