// Tests that nobody can fill the memory of the server, or occupy its event loop, with long bodies that no limit counts.
import { beforeEach, expect, test, vi } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';

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
