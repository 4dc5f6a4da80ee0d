// Floods of failed sign-ins from one network are judged slowly, lock few accounts, and do not affect others (contract §3).
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { pino } from 'pino';
import { makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { mailedToken } from '../../../test/mail/mailed-links.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { buildApi } from '../../api.ts';
import { hashPassword } from '../../server/auth/password.ts';
import { requestReset, resetPassword } from './contract.ts';

/** Records the intended delays in milliseconds; the test itself does not wait. */
const pauses = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>();
  const setTimeout: typeof timers.setTimeout = async (ms = 0, ...more) => {
    pauses.push(ms);
    return await timers.setTimeout(0, ...more);
  };
  return { ...timers, setTimeout };
});

const world = setupTestApp({ TRUST_PROXY: '1' });
const PASSWORD = 'Three-Sheep-42';
const NETWORK = '203.0.113.7';

let stored: string;
let distributor: Person;
beforeAll(async () => {
  stored = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  world.time = new Date('2027-04-01T12:00:00Z');
  await world.db.deleteFrom('sign_in_addresses').execute();
  distributor = await makeDistributor(world.db);
});

const makeCustomers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeUser(world.db, 'customer', { distributorId: distributor.id, password: stored })));
interface Trying {
  readonly password?: string;
  readonly address?: string;
  readonly cookie?: string;
  readonly app?: typeof world.app;
}
const signIn = (email: string, { password = 'Wrong-Word-1', address = NETWORK, cookie = '', app = world.app }: Trying = {}) =>
  app.inject({ method: 'POST', url: '/api/login', payload: { email, password }, headers: { 'x-forwarded-for': address, cookie } });
const statusOf = async (answer: ReturnType<typeof signIn>) => (await answer).statusCode;
const own = { password: PASSWORD };
const elsewhere = { ...own, address: '192.0.2.200' };
const countOf = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;
const lockedAccounts = async () =>
  (
    await world.db
      .selectFrom('users')
      .select('id')
      .where('distributorId', '=', distributor.id)
      .where('lockedUntil', 'is not', null)
      .execute()
  ).length;
const failedBefore = (address: string, failures: number) =>
  world.db.insertInto('sign_in_addresses').values({ address, failures, windowStart: world.time.toISOString() }).execute();

describe('above 300 failures of one network', () => {
  test('judges one attempt every 250 ms on all servers together, and refuses those beyond 20 s without judging them', async () => {
    const second = await buildApi({ db: world.db, env: world.env, now: () => world.time }, pino({ level: 'silent' }));
    await failedBefore(NETWORK, 300);
    pauses.length = 0;
    const tries = Array.from({ length: 100 }, (_, index) => signIn(`nobody${index}@test.example`, index % 2 === 0 ? {} : { app: second }));
    const answers = await Promise.all(tries);
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect([answers.length - refused.length, refused[0]?.headers['retry-after'], refused[0]?.body]).toEqual([
      81,
      '20',
      'Too many sign-ins have failed from your network. Try again in a moment, or reset your password.',
    ]);
    expect([...new Set(pauses)].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, index) => (index + 1) * 250));
    world.time = new Date(world.time.getTime() + 21_000);
    const [customer] = await makeCustomers(1);
    expect(await statusOf(signIn(customer?.email ?? '', own))).toBe(200);
    await second.close();
  });

  test('counts concurrent failures before they are judged, and does not count successes', async () => {
    const [customer] = await makeCustomers(1);
    const email = customer?.email ?? '';
    await failedBefore(NETWORK, 290);
    pauses.length = 0;
    await Promise.all(Array.from({ length: 20 }, (_, index) => signIn(`somebody${index}@test.example`)));
    expect(countOf(pauses, 2000)).toBeGreaterThanOrEqual(10);
    const failures = async () =>
      (await world.db.selectFrom('sign_in_addresses').select('failures').where('address', '=', NETWORK).executeTakeFirst())?.failures;
    expect([await failures(), await statusOf(signIn(email, own)), await failures()]).toEqual([310, 200, 310]);
  });

  test('does not delay a known device', async () => {
    const [customer] = await makeCustomers(1);
    const email = customer?.email ?? '';
    const device = (await signIn(email, elsewhere)).cookies.find(({ name }) => name === 'device')?.value ?? '';
    await failedBefore(NETWORK, 300);
    await Promise.all(Array.from({ length: 100 }, (_, index) => signIn(`anybody${index}@test.example`)));
    pauses.length = 0;
    expect([await statusOf(signIn(email, own)), await statusOf(signIn(email, { ...own, cookie: `device=${device}` })), pauses]).toEqual([
      429,
      200,
      [],
    ]);
  });
});

describe('one network that tries many accounts', () => {
  const tryAll = async (people: readonly Person[], addressOf: (index: number) => string = () => NETWORK) =>
    await Promise.all(
      people.flatMap(({ email }) => Array.from({ length: 5 }, (_, index) => statusOf(signIn(email, { address: addressOf(index) })))),
    );

  test('locks fewer than 20 accounts; each looks locked to that network after five tries, and to nobody else (contract §3)', async () => {
    const people = await makeCustomers(iterations(26, 252));
    const statuses = await tryAll(people);
    expect(countOf(statuses, 500)).toBe(0);
    expect(await lockedAccounts()).toBeLessThan(20);
    world.time = new Date(world.time.getTime() + 60_000);
    const [inside, outside]: [number[], number[]] = [[], []];
    for (const { email } of people) {
      inside.push(await statusOf(signIn(email, own)));
      outside.push(await statusOf(signIn(email, elsewhere)));
    }
    expect(countOf(outside, 429)).toBeLessThan(20);
    expect(countOf(outside, 200)).toBe(people.length - countOf(outside, 429));
    if (people.length === 26) expect(countOf(inside, 429)).toBe(26);
  });

  test('a reset and Unlock open an account for that network too', async () => {
    const people = await makeCustomers(22);
    await tryAll(people);
    const locked = [];
    for (const person of people) if ((await statusOf(signIn(person.email, elsewhere))) === 200) locked.push(person);
    // A sign-in from elsewhere gives this network no new tries.
    const [first, second] = locked;
    if (!first || !second) throw new Error('fewer than two are open elsewhere');
    expect([await statusOf(signIn(first.email, own)), await statusOf(signIn(second.email, own))]).toEqual([429, 429]);
    await world.request(distributor, { method: 'POST', url: `/api/users/customer/${first.id}/unlock` });
    await world.app.inject({ method: 'POST', url: requestReset.path, payload: { email: second.email } });
    const payload = { token: await mailedToken(world, second.email), password: 'Four-Sheep-42' };
    await world.app.inject({ method: 'POST', url: resetPassword.path, payload });
    expect(await statusOf(signIn(first.email, own))).toBe(200);
    expect(await statusOf(signIn(second.email, { password: 'Four-Sheep-42' }))).toBe(200);
  });

  test('an IPv6 /56 is one network', async () => {
    const people = await makeCustomers(22);
    await tryAll(people, (index) => `2001:db8:7:${index}::1`);
    expect(await lockedAccounts()).toBeLessThan(20);
  });

  test('many networks lock one account after a few dozen guesses, even when none of them may lock it alone (reliability R31)', async () => {
    const [customer] = await makeCustomers(1);
    const email = customer?.email ?? '';
    const row = { failures: 0, windowStart: world.time.toISOString(), accountsNearLock: 19 };
    const networks = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
    await world.db
      .insertInto('sign_in_addresses')
      .values(networks.map((address) => ({ ...row, address })))
      .execute();
    const statuses: number[] = [];
    for (const address of networks) for (let time = 0; time < 5; time++) statuses.push(await statusOf(signIn(email, { address })));
    expect(countOf(statuses, 401)).toBeLessThanOrEqual(35);
    expect(await statusOf(signIn(email, elsewhere))).toBe(429);
  });
});
