// Tests many failed sign-ins from one network: they are delayed, lock only few accounts, and do not affect other networks (contract §3).
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { pino } from 'pino';
import { makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { mailedToken } from '../../../test/mail/mailed-links.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { buildApi } from '../../api.ts';
import { hashPassword } from '../../server/auth/password.ts';
import { countNetworkFailure } from '../../server/auth/network-failures.ts';
import { requestReset, resetPassword } from './contract.ts';

/** Contains the delays in milliseconds that the server requested from setTimeout. The mock does not wait. */
const pauses = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>();
  const setTimeout: typeof timers.setTimeout = async (ms = 0, ...more) => {
    pauses.push(ms);
    return await timers.setTimeout(0, ...more);
  };
  return { ...timers, setTimeout };
});

const testApp = setupTestApp({ TRUST_PROXY: '1' });
const PASSWORD = 'Three-Sheep-42';
const NETWORK = '203.0.113.7';

let stored: string;
let distributor: Person;
beforeAll(async () => {
  stored = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  testApp.time = new Date('2027-04-01T12:00:00Z');
  await testApp.db.deleteFrom('sign_in_addresses').execute();
  distributor = await makeDistributor(testApp.db);
});

const makeCustomers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: stored })));
interface Trying {
  readonly password?: string;
  readonly address?: string;
  readonly cookie?: string;
  readonly app?: typeof testApp.app;
}
const signIn = (email: string, { password = 'Wrong-Word-1', address = NETWORK, cookie = '', app = testApp.app }: Trying = {}) =>
  app.inject({ method: 'POST', url: '/api/login', payload: { email, password }, headers: { 'x-forwarded-for': address, cookie } });
const statusOf = async (answer: ReturnType<typeof signIn>) => (await answer).statusCode;
const own = { password: PASSWORD };
const elsewhere = { ...own, address: '192.0.2.200' };
const countOf = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;
const lockedAccounts = async () =>
  (
    await testApp.db
      .selectFrom('users')
      .select('id')
      .where('distributorId', '=', distributor.id)
      .where('lockedUntil', 'is not', null)
      .execute()
  ).length;
const failedBefore = (address: string, failures: number, accountsNearLock = 0) =>
  testApp.db
    .insertInto('sign_in_addresses')
    .values({ address, failures, accountsNearLock, windowStart: testApp.time.toISOString() })
    .execute();

describe('when many sign-ins from one network fail, the server', () => {
  test(
    'accepts a right password at once, even while others send wrong passwords from the same network (contract §3)',
    { tags: ['long'] },
    async () => {
      const people = await makeCustomers(iterations(40, 500));
      await failedBefore(NETWORK, 300);
      expect(countOf(await Promise.all(people.map(({ email }) => statusOf(signIn(email, own)))), 200)).toBe(people.length);
      const failures = async () =>
        (await testApp.db.selectFrom('sign_in_addresses').select('failures').where('address', '=', NETWORK).executeTakeFirst())?.failures;
      expect(await failures()).toBe(300);
      const tries = people.slice(0, 20).flatMap(({ email }, index) => [signIn(`nobody${index}@test.example`), signIn(email, own)]);
      const statuses = await Promise.all(tries.map(statusOf));
      expect([countOf(statuses, 200), countOf(statuses, 401), await failures()]).toEqual([20, 20, 320]);
    },
  );

  test(
    'above 300 failures, delays the replies to concurrent failures by 2 to 20 s, and sends one reply every 250 ms across all servers',
    { tags: ['long'] },
    async () => {
      const second = await buildApi({ db: testApp.db, env: testApp.env, now: () => testApp.time }, pino({ level: 'silent' }));
      await failedBefore(NETWORK, 290);
      pauses.length = 0;
      const tries = Array.from({ length: 100 }, (_, index) =>
        signIn(`nobody${index}@test.example`, index % 2 === 0 ? {} : { app: second }),
      );
      expect(countOf(await Promise.all(tries.map(statusOf)), 401)).toBe(100);
      const expected = Array.from({ length: 90 }, (_, index) => Math.min(20_000, Math.max(2000, (index + 1) * 250)));
      expect(pauses.toSorted((a, b) => a - b)).toEqual(expected);
      await second.close();
    },
  );

  test('neither counts nor delays the failures of a known device', async () => {
    const [customer] = await makeCustomers(1);
    const email = customer?.email ?? '';
    const device = (await signIn(email, elsewhere)).cookies.find(({ name }) => name === 'device')?.value ?? '';
    await failedBefore(NETWORK, 300);
    pauses.length = 0;
    expect([await statusOf(signIn(email, { cookie: `device=${device}` })), pauses]).toEqual([401, []]);
    expect([await statusOf(signIn(email)), pauses]).toEqual([401, [2000]]);
  });

  test('counts concurrent failures of several networks in one /56 without a deadlock', async () => {
    const before = testApp.db.poolStats().failures;
    const addressOf = (index: number) => `2001:db8:1:${(0xf0 + (index % 16)).toString(16)}::1`;
    const count = iterations(300, 1200);
    await Promise.all(Array.from({ length: count }, (_, index) => countNetworkFailure(testApp.db, addressOf(index), testApp.time)));
    const site = await testApp.db.selectFrom('sign_in_addresses').select('failures').where('address', '=', '2001:db8:1::/56').execute();
    expect([site, testApp.db.poolStats().failures - before]).toEqual([[{ failures: count }], 0]);
  });
});

describe('one network that tries many accounts', () => {
  const tryAll = async (people: readonly Person[], addressOf: (index: number) => string = () => NETWORK) =>
    await Promise.all(
      people.flatMap(({ email }) => Array.from({ length: 5 }, (_, index) => statusOf(signIn(email, { address: addressOf(index) })))),
    );

  test(
    'can lock fewer than 20 accounts for everybody; further accounts are locked for that network only, after five attempts each (contract §3)',
    { tags: ['long'] },
    async () => {
      const people = await makeCustomers(iterations(26, 252));
      const statuses = await tryAll(people);
      expect(countOf(statuses, 500)).toBe(0);
      expect(await lockedAccounts()).toBeLessThan(20);
      testApp.time = new Date(testApp.time.getTime() + 60_000);
      const [inside, outside]: [number[], number[]] = [[], []];
      for (const { email } of people) {
        inside.push(await statusOf(signIn(email, own)));
        outside.push(await statusOf(signIn(email, elsewhere)));
      }
      expect(countOf(outside, 429)).toBeLessThan(20);
      expect(countOf(outside, 200)).toBe(people.length - countOf(outside, 429));
      if (people.length === 26) expect(countOf(inside, 429)).toBe(26);
    },
  );

  test(
    'cannot lock more than 19 accounts within 15 minutes, even if each account already has four earlier failures (reliability abuse)',
    { tags: ['long'] },
    async () => {
      const people = await makeCustomers(24);
      for (const group of [people.slice(0, 12), people.slice(12)]) {
        await Promise.all(group.flatMap(({ email }) => Array.from({ length: 4 }, () => statusOf(signIn(email)))));
        testApp.time = new Date(testApp.time.getTime() + 16 * 60_000);
      }
      for (const { email } of people) await statusOf(signIn(email));
      expect(await lockedAccounts()).toBe(19);
    },
  );

  test('cannot lock an account whose owner has mistyped the password three times, after the network has reached its limit of 19 accounts (reliability abuse)', async () => {
    await failedBefore(NETWORK, 100, 19);
    const [customer] = await makeCustomers(1);
    const email = customer?.email ?? '';
    for (let turn = 0; turn < 3; turn++) await statusOf(signIn(email, { address: elsewhere.address }));
    for (let turn = 0; turn < 2; turn++) await statusOf(signIn(email));
    expect([await statusOf(signIn(email, own)), await statusOf(signIn(email, elsewhere))]).toEqual([429, 200]);
  });

  test("a password reset and the distributor's Unlock also end the lock of an account for that network", { tags: ['long'] }, async () => {
    await failedBefore(NETWORK, 100, 18);
    const people = await makeCustomers(4);
    await tryAll(people);
    const locked = [];
    for (const person of people) if ((await statusOf(signIn(person.email, elsewhere))) === 200) locked.push(person);
    // A successful sign-in from another network does not give this network additional attempts.
    const [first, second] = locked;
    if (!first || !second) throw new Error('fewer than two are open elsewhere');
    expect([await statusOf(signIn(first.email, own)), await statusOf(signIn(second.email, own))]).toEqual([429, 429]);
    await testApp.request(distributor, { method: 'POST', url: `/api/users/customer/${first.id}/unlock` });
    await testApp.app.inject({ method: 'POST', url: requestReset.path, payload: { email: second.email } });
    const payload = { token: await mailedToken(testApp, second.email), password: 'Four-Sheep-42' };
    await testApp.app.inject({ method: 'POST', url: resetPassword.path, payload });
    expect(await statusOf(signIn(first.email, own))).toBe(200);
    expect(await statusOf(signIn(second.email, { password: 'Four-Sheep-42' }))).toBe(200);
  });

  test('is limited as one network if all its addresses belong to the same IPv6 /56', { tags: ['long'] }, async () => {
    await failedBefore('2001:db8:7::/56', 100, 15);
    const people = await makeCustomers(8);
    await tryAll(people, (index) => `2001:db8:7:${index}::1`);
    expect(await lockedAccounts()).toBeLessThan(5);
  });

  describe('in an IPv6 /48, all networks together', () => {
    const BLOCK = '2001:db8:7::/48';
    const fromSite = (site: number) => `2001:db8:7:${site.toString(16)}00::1`;
    const nearLocks = async (address: string) =>
      (await testApp.db.selectFrom('sign_in_addresses').select('accountsNearLock').where('address', '=', address).executeTakeFirst())
        ?.accountsNearLock;

    test(
      'can bring at most 76 accounts close to a lock; further accounts are locked for the /48 only, and a refused count changes no other count (reliability abuse)',
      { tags: ['long'] },
      async () => {
        await failedBefore(BLOCK, 0, 73);
        const people = await makeCustomers(4);
        for (const [site, { email }] of people.entries())
          for (let time = 0; time < 5; time++) await statusOf(signIn(email, { address: fromSite(site + 1) }));
        const sites = people.map((_, index) => `2001:db8:7:${index + 1}00::/56`);
        expect(await Promise.all([BLOCK, ...sites].map(nearLocks))).toEqual([76, 2, 1, 0, 0]);
        expect(await lockedAccounts()).toBe(1);
        const inBlock = await Promise.all(people.map(({ email }) => statusOf(signIn(email, { ...own, address: fromSite(200) }))));
        const outside = await Promise.all(people.map(({ email }) => statusOf(signIn(email, { ...own, address: '2001:db8:8::1' }))));
        expect([inBlock, outside]).toEqual([
          [429, 429, 429, 429],
          [429, 200, 200, 200],
        ]);
      },
    );

    test(
      'can try five passwords at an account, known or unknown, and not lock it for everyone, when they have reached this limit (reliability abuse)',
      { tags: ['long'] },
      async () => {
        await failedBefore(BLOCK, 0, 76);
        const [customer] = await makeCustomers(1);
        const email = customer?.email ?? '';
        const statuses: [number, number][] = [];
        for (let site = 0; site < 16; site++) {
          const address = fromSite(site);
          statuses.push([await statusOf(signIn(email, { address })), await statusOf(signIn('nobody-at-all@test.example', { address }))]);
        }
        expect(statuses).toEqual(Array.from({ length: 16 }, (_, n) => (n < 5 ? [401, 401] : [429, 429])));
        expect([await lockedAccounts(), await statusOf(signIn(email, elsewhere))]).toEqual([0, 200]);
      },
    );
  });

  test(
    'an account is locked after a few dozen guesses from many networks, even when no single network may lock it (reliability R31)',
    { tags: ['long'] },
    async () => {
      const [customer] = await makeCustomers(1);
      const email = customer?.email ?? '';
      const row = { failures: 0, windowStart: testApp.time.toISOString(), accountsNearLock: 19 };
      const networks = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
      await testApp.db
        .insertInto('sign_in_addresses')
        .values(networks.map((address) => ({ ...row, address })))
        .execute();
      const statuses: number[] = [];
      for (const address of networks) for (let time = 0; time < 5; time++) statuses.push(await statusOf(signIn(email, { address })));
      expect(countOf(statuses, 401)).toBeLessThanOrEqual(35);
      expect(await statusOf(signIn(email, elsewhere))).toBe(429);
    },
  );
});
