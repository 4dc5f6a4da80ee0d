import { beforeEach, describe, expect, test, vi } from 'vitest';
import { pino } from 'pino';
import { mailedToken } from '../../../test/mail/mailed-links.ts';
import { makeAccounts, PASSWORD } from '../../../test/data/accounts.ts';
import { makeAgent } from '../../../test/data/factories.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { comparableResponse, statusAndBody } from '../../../test/responses.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { buildApi } from '../../api.ts';
import { requestReset, resetPassword } from './contract.ts';

/** Contains the delays in milliseconds that the server requested from setTimeout. The mock waits at most 100 ms. */
const pauses = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>();
  const setTimeout: typeof timers.setTimeout = async (ms = 0, ...more) => {
    pauses.push(ms);
    return await timers.setTimeout(Math.min(ms, 100), ...more);
  };
  return { ...timers, setTimeout };
});

const testApp = setupTestApp({ TRUST_PROXY: '1' });
const NEW_PASSWORD = 'Four-Sheep-42';
const NO_MATCH = [401, 'Invalid email or password'];
const LOCKED = [429, 'Too many attempts. Try again in 15 minutes, or reset your password.'];

let distributor: Person;
let customer: Person;
beforeEach(async () => ({ distributor, customer } = await makeAccounts(testApp)));

let made = 0;
const nobody = () => `nobody${(made += 1)}@test.example`;
const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const signIn = (email: string, password = PASSWORD, { app = testApp.app, address = '192.0.2.1' } = {}) =>
  app.inject({ method: 'POST', url: '/api/login', payload: { email, password }, headers: { 'x-forwarded-for': address } });

test.each(['x'.repeat(8000), 'unknown', `fe80::1%${'x'.repeat(8000)}`])(
  "the server does not store an invalid IP address from a client's header: %#",
  async (address) => {
    expect(await statusAndBody(signIn(nobody(), 'Wrong-Sheep-42', { address }))).toEqual(NO_MATCH);
    const stored = await testApp.db.selectFrom('sign_in_addresses').select('address').execute();
    expect(stored.map((row) => row.address)).toContain(address.startsWith('fe80') ? 'fe80::/64' : '127.0.0.1');
    expect(stored.filter((row) => row.address.includes('x') || row.address === 'unknown')).toEqual([]);
  },
);

describe('an unknown e-mail address', () => {
  test('gets the same response status, body and headers as a known address, also when the account is locked (contract §3)', async () => {
    const invited = await makeAgent(testApp.db, distributor);
    const ghost = nobody();
    for (const [minutes, judged] of [
      [0, 5],
      [5, 0],
      [10, 5],
      [0, 0],
    ] as const) {
      later(minutes);
      for (let time = 1; time <= 7; time++) {
        const [known, unknown, unset] = [
          await comparableResponse(signIn(customer.email, 'Wrong-Word-1')),
          await comparableResponse(signIn(time % 2 ? ghost : ` ${ghost.toUpperCase()}`, 'Wrong-Word-1')),
          await comparableResponse(signIn(invited.email, 'Wrong-Word-1')),
        ];
        expect([unknown, unset]).toEqual([known, known]);
        expect([known.statusCode, known.body]).toEqual(time > judged ? LOCKED : NO_MATCH);
      }
    }
    const rows = await testApp.db.selectFrom('unknown_sign_ins').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(ghost.split('@')[0]);
  });

  test('is locked after five failures, however many guesses arrive at once', { tags: ['long'] }, async () => {
    const ghost = nobody();
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(ghost)));
    const statuses = answers.map((answer) => answer.statusCode);
    expect([statuses.filter((status) => status === 401).length, statuses.filter((status) => status === 429).length]).toEqual([5, 25]);
  });
});

test('two servers share the count of failed sign-ins for each e-mail address (contract §3)', async () => {
  const second = await buildApi({ db: testApp.db, env: testApp.env, now: () => testApp.time }, pino({ level: 'silent' }));
  const ghost = nobody();
  for (const email of [customer.email, ghost]) {
    const answers = [];
    for (let time = 0; time < 6; time++) answers.push(await statusAndBody(signIn(email, 'Wrong-Word-1', time % 2 ? { app: second } : {})));
    expect(answers).toEqual([NO_MATCH, NO_MATCH, NO_MATCH, NO_MATCH, NO_MATCH, LOCKED]);
    for (const app of [testApp.app, second]) expect(await statusAndBody(signIn(email, PASSWORD, { app }))).toEqual(LOCKED);
  }
  await second.close();
});

describe('a lock caused by others from many IP addresses', () => {
  const tries = iterations(8, 50);
  const lockedByOthers = async (round: number) => {
    later(60);
    const address = (time: number) => `198.51.${round}.${time}`;
    await Promise.all(Array.from({ length: tries }, (_, time) => signIn(customer.email, 'Wrong-Word-1', { address: address(time) })));
    expect(await statusAndBody(signIn(customer.email))).toEqual(LOCKED);
  };

  test('ends when the owner resets the password with a mailed link', async () => {
    for (let round = 0; round < iterations(1, 10); round++) {
      await lockedByOthers(round);
      await testApp.app.inject({ method: 'POST', url: requestReset.path, payload: { email: customer.email } });
      const password = `${NEW_PASSWORD}${round}`;
      const payload = { token: await mailedToken(testApp, customer.email), password };
      await testApp.app.inject({ method: 'POST', url: resetPassword.path, payload });
      expect((await signIn(customer.email, password)).statusCode).toBe(200);
    }
  });

  test('ends when the distributor unlocks the user', async () => {
    for (let round = 0; round < iterations(1, 10); round++) {
      await lockedByOthers(round);
      const url = `/api/users/customer/${customer.id}/unlock`;
      expect((await testApp.request(distributor, { method: 'POST', url })).statusCode).toBe(204);
      expect((await signIn(customer.email)).statusCode).toBe(200);
    }
  });
});

describe('an IP address with more than 300 failures in 15 minutes', () => {
  /** Waits for the responses. Returns their status codes, and how many responses were delayed by two seconds. */
  const answered = async (...answers: ReturnType<typeof signIn>[]) => {
    pauses.length = 0;
    const codes = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    return [codes, pauses.filter((ms) => ms === 2000).length];
  };
  const failedBefore = (address: string, failures: number) =>
    testApp.db.insertInto('sign_in_addresses').values({ address, failures, windowStart: testApp.time.toISOString() }).execute();

  test('gets a delayed reply to each further failure, for known and unknown accounts; the right password signs in without a delay (contract §3)', async () => {
    const address = '203.0.113.7';
    await failedBefore(address, 299);
    const wrong = () => signIn(customer.email, 'Wrong-Word-1', { address });
    expect(await answered(signIn(nobody(), PASSWORD, { address }))).toEqual([[401], 0]);
    expect(await answered(signIn(nobody(), PASSWORD, { address }), wrong())).toEqual([[401, 401], 2]);
    expect(await answered(signIn(nobody()), signIn(customer.email, PASSWORD, { address }))).toEqual([[401, 200], 0]);
  });

  test('shares the failure count of its IPv6 /64 (limit 300) and that of its /56 (limit 1,200); above either limit, replies to failures are delayed', async () => {
    const [network, site] = ['2001:db8:7:7::/64', '2001:db8:7::/56'];
    const from = (address: string) => answered(signIn(nobody(), PASSWORD, { address }));
    await failedBefore(network, 300);
    await failedBefore(site, 1199);
    expect(await from('2001:db8:7:7::1')).toEqual([[401], 1]);
    expect(await from('2001:db8:7:7:ffff::2')).toEqual([[401], 1]);
    expect(await from('2001:db8:7:8::1')).toEqual([[401], 1]);
    expect(await from('2001:db8:7:100::1')).toEqual([[401], 0]);
    const rows = await testApp.db.selectFrom('sign_in_addresses').selectAll().where('address', 'in', [network, site]).execute();
    expect(Object.fromEntries(rows.map(({ address, failures }) => [address, failures]))).toEqual({ [site]: 1202, [network]: 302 });
  });

  test('gets immediate replies again after 15 minutes', async () => {
    const address = '203.0.113.8';
    await failedBefore(address, 400);
    later(15);
    expect(await answered(signIn(nobody(), PASSWORD, { address }))).toEqual([[401], 0]);
    const row = await testApp.db.selectFrom('sign_in_addresses').selectAll().where('address', '=', address).executeTakeFirst();
    expect(row).toMatchObject({ address, failures: 1, windowStart: '2027-04-01T12:15:00.000Z' });
  });
});
