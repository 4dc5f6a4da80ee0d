// Tests that the owner of an account can sign in while other people guess the password: on a known device, or after a password reset
// (contract §3; reliability R30).
import { beforeEach, expect, test } from 'vitest';
import { deliverMails, mailedToken } from '../../../test/mail/mailed-links.ts';
import { hashOfPassword, makeAccounts, PASSWORD } from '../../../test/data/accounts.ts';
import { makeUser } from '../../../test/data/factories.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { MAX_LINKS_PER_HOUR, signOutEverywhere } from './contract.ts';

const testApp = setupTestApp({ TRUST_PROXY: '1' });
const NEW_PASSWORD = 'Four-Sheep-42';
const WRONG = 'Wrong-Word-1';

let distributor: Person;
let customer: Person;
beforeEach(async () => ({ distributor, customer } = await makeAccounts(testApp)));

function browser() {
  const jar = new Map<string, string>();
  const post = async (url: string, payload: object = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await testApp.app.inject({ method: 'POST', url, payload, headers: { cookie } });
    for (const { name, value } of answer.cookies) jar.set(name, value);
    return answer;
  };
  const signIn = async (password = PASSWORD, { email } = customer) => (await post('/api/login', { email, password })).statusCode;
  const isIn = async () => {
    const cookie = `sid=${jar.get('sid') ?? ''}`;
    return (await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } })).statusCode === 200;
  };
  return { jar, post, signIn, isIn };
}
async function knownBrowser() {
  const known = browser();
  expect(await known.signIn()).toBe(200);
  return known;
}

let guesses = 0;
const guess = async ({ email } = customer) => {
  const headers = { 'x-forwarded-for': `198.51.${Math.floor((guesses += 1) / 250) % 250}.${guesses % 250}` };
  return await testApp.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: WRONG }, headers });
};
const lockByStrangers = async () => {
  for (let time = 0; time < 5; time++) await guess();
  expect(await browser().signIn()).toBe(429);
};
const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const devices = () => testApp.db.selectFrom('devices').selectAll().where('userId', '=', customer.id).execute();

test('the owner of an account can sign in on a known device, even while others have locked the account with wrong passwords', async () => {
  const known = await knownBrowser();
  await lockByStrangers();
  expect(await known.signIn(WRONG)).toBe(401);
  expect(await known.signIn()).toBe(200);
});

test("five failed sign-ins on one device lock that device and the account for 15 minutes; the distributor's Unlock ends the lock of the device early", async () => {
  const known = await knownBrowser();
  const other = await knownBrowser();
  for (let failure = 0; failure < 5; failure++) expect(await known.signIn(WRONG)).toBe(401);
  expect([await known.signIn(), await browser().signIn(), await other.signIn()]).toEqual([429, 429, 200]);
  expect(await known.signIn()).toBe(429);
  await testApp.request(distributor, { method: 'POST', url: `/api/users/customer/${customer.id}/unlock` });
  for (let failure = 0; failure < 5; failure++) expect(await known.signIn(WRONG)).toBe(401);
  expect(await known.signIn()).toBe(429);
  later(15);
  expect(await known.signIn()).toBe(200);
});

test(
  'of many concurrent password guesses on one device, the server checks only five and refuses the rest',
  { tags: ['long'] },
  async () => {
    const known = await knownBrowser();
    await lockByStrangers();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => known.signIn(WRONG)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  },
);

test("a device cookie that is another person's, invented, or copied before the last sign-in does not bypass a lock", async () => {
  const neighbour = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: await hashOfPassword() });
  const [known, theirs, planted] = [await knownBrowser(), browser(), browser()];
  const copy = browser();
  copy.jar.set('device', known.jar.get('device') ?? '');
  expect([await known.signIn(), await theirs.signIn(PASSWORD, neighbour)]).toEqual([200, 200]);
  planted.jar.set('device', 'planted');
  await lockByStrangers();
  expect([await theirs.signIn(), await planted.signIn(), await copy.signIn()]).toEqual([429, 429, 429]);
  expect(await known.signIn()).toBe(200);
});

test('people who share a browser have separate failure counts', async () => {
  const neighbour = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: await hashOfPassword() });
  const shared = await knownBrowser();
  expect(await shared.signIn(PASSWORD, neighbour)).toBe(200);
  for (let failure = 0; failure < 5; failure++) await shared.signIn(WRONG, neighbour);
  await lockByStrangers();
  expect([await shared.signIn(PASSWORD, neighbour), await shared.signIn()]).toEqual([429, 200]);
});

test.each(['sign-out everywhere', 'a change of the password', 'a reset', 'the distributor'] as const)(
  'a known device becomes unknown after this action: %s',
  async (way) => {
    const [known, acting] = [await knownBrowser(), await knownBrowser()];
    const revoke = {
      'sign-out everywhere': async () => {
        const call = await testApp.as(customer);
        await call(signOutEverywhere);
      },
      'a change of the password': () => acting.post('/api/user/password', { currentPassword: PASSWORD, password: NEW_PASSWORD }),
      'a reset': async () => {
        await acting.post('/api/reset-password/request', { email: customer.email });
        await acting.post('/api/reset-password/reset', { token: await mailedToken(testApp, customer.email), password: NEW_PASSWORD });
      },
      'the distributor': () => testApp.request(distributor, { method: 'POST', url: `/api/users/customer/${customer.id}/sign-out` }),
    };
    await revoke[way]();
    const isOwn = way === 'a reset' || way === 'a change of the password';
    const password = isOwn ? NEW_PASSWORD : PASSWORD;
    await lockByStrangers();
    expect([await known.signIn(password), await acting.signIn(password)]).toEqual([429, isOwn ? 200 : 429]);
  },
);

test('a device stays known only for the last 10 users who signed in on it, so that a sign-in rewrites few rows (reliability abuse)', async () => {
  const password = await hashOfPassword();
  const people = [];
  const shared = browser();
  for (let n = 0; n < 12; n++) {
    const person = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password });
    people.push(person.id);
    testApp.time = new Date(testApp.time.getTime() + 1000);
    expect(await shared.signIn(PASSWORD, person)).toBe(200);
  }
  const rows = await testApp.db
    .selectFrom('devices')
    .select(['userId', 'tokenHash'])
    .where('userId', 'in', people)
    .orderBy('userId')
    .execute();
  expect(rows.map(({ userId }) => userId)).toEqual(people.slice(-10));
  expect(new Set(rows.map(({ tokenHash }) => tokenHash)).size).toBe(1);
});

test('the database has only the hashes of the 20 devices that a user used last, each for 400 days', { tags: ['long'] }, async () => {
  const oldest = await knownBrowser();
  const all = [oldest];
  for (let time = 0; time < 20; time++) {
    later(1);
    all.push(await knownBrowser());
  }
  const rows = await devices();
  expect(rows).toHaveLength(20);
  for (const { jar } of all) expect(JSON.stringify(rows)).not.toContain(jar.get('device'));
  const newest = all.at(-1);
  await lockByStrangers();
  expect([await oldest.signIn(), await newest?.signIn()]).toEqual([429, 200]);
  later(400 * 24 * 60);
  await lockByStrangers();
  expect(await newest?.signIn()).toBe(429);
});

test(
  'the owner of an account can always reset the password and sign in, while others continuously guess passwords and request links (reliability R30)',
  { tags: ['long'] },
  async () => {
    let isOver = false;
    let attempts = 0;
    const attack = async () => {
      while (!isOver) {
        await guess();
        if (attempts++ % 20 === 0)
          await testApp.app.inject({ method: 'POST', url: '/api/reset-password/request', payload: { email: customer.email } });
      }
    };
    const attacks = [attack(), attack(), attack(), attack()];
    const known = browser();
    const results: unknown[] = [];
    const all = iterations(2, 20);
    for (let round = 0; round < all; round++) {
      later(61);
      await lockByStrangers();
      await known.post('/api/reset-password/request', { email: customer.email });
      const token = await mailedToken(testApp, customer.email);
      const password = `${NEW_PASSWORD}${round}`;
      const { statusCode } = await known.post('/api/reset-password/reset', { token, password });
      const isIn = await known.isIn();
      // Other people's failed sign-ins lock the account again.
      await lockByStrangers();
      results.push([statusCode, isIn, await known.signIn(password), await known.isIn()]);
    }
    isOver = true;
    await Promise.all(attacks);
    expect(results).toEqual(Array.from({ length: all }, () => [200, true, 200, true]));
    expect(attempts).toBeGreaterThan(10 * all);
  },
);

test.each([1, 2, 3])(
  'when others have used up the reset links of the hour, the owner of the account can still reset the password with mailed link %i (reliability R30)',
  async (number) => {
    const known = browser();
    const request = (address: string) =>
      testApp.app.inject({
        method: 'POST',
        url: '/api/reset-password/request',
        headers: { 'x-forwarded-for': address },
        payload: { email: customer.email },
      });
    const tokens: string[] = [];
    for (let each = 1; each <= MAX_LINKS_PER_HOUR; each++) {
      await request(`198.51.100.${each}`);
      tokens.push(await mailedToken(testApp, customer.email));
    }
    // The requests above have used up the hourly limit of links, so the owner's own request mails no further link.
    await known.post('/api/reset-password/request', { email: customer.email });
    expect(await deliverMails(testApp)).toEqual([]);
    later(30);
    const { statusCode } = await known.post('/api/reset-password/reset', { token: tokens[number - 1], password: NEW_PASSWORD });
    expect([statusCode, await known.signIn(NEW_PASSWORD)]).toEqual([200, 200]);
  },
);
