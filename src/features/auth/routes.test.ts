import { beforeEach, describe, expect, test } from 'vitest';
import { hashOfPassword, makeAccounts, PASSWORD } from '../../../test/data/accounts.ts';
import { makeUser } from '../../../test/data/factories.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { readUser } from './contract.ts';

const testApp = setupTestApp();
const LOCKED = 'Too many attempts. Try again in 15 minutes, or reset your password.';

let distributor: Person;
let customer: Person;
beforeEach(async () => ({ distributor, customer } = await makeAccounts(testApp)));

const signIn = (email: string, password: string, cookie = '') =>
  testApp.app.inject({ method: 'POST', url: '/api/login', payload: { email, password }, ...(cookie ? { headers: { cookie } } : {}) });
const said = async (answer: ReturnType<typeof signIn>) => {
  const { statusCode, body } = await answer;
  return [statusCode, body];
};
const fail = async (times: number) => {
  for (let time = 0; time < times; time++) {
    expect(await said(signIn(customer.email, 'Wrong-Word-1'))).toEqual([401, 'Invalid email or password']);
  }
};
const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const account = () =>
  testApp.db
    .selectFrom('users')
    .select(['loginAttempts', 'lockedUntil', 'lastLoginAt'])
    .where('id', '=', customer.id)
    .executeTakeFirstOrThrow();

describe('signing in', () => {
  test('returns the current user, and records the time of the sign-in (spec §3, §7; contract §3)', async () => {
    const answer = await signIn(customer.email, PASSWORD);
    const user = { id: customer.id, email: customer.email, role: 'customer', distributorId: distributor.id };
    expect([answer.statusCode, answer.json()]).toEqual([200, user]);
    expect(await (await testApp.as(customer))(readUser)).toEqual(user);
    expect(await account()).toEqual({ loginAttempts: 0, lockedUntil: null, lastLoginAt: '2027-04-01T12:00:00.000Z' });
  });

  test('ignores upper and lower case in the e-mail address, and spaces around the e-mail address and the password (spec §5)', async () => {
    expect((await signIn(`  ${customer.email.toUpperCase()} `, ` ${PASSWORD}  `)).statusCode).toBe(200);
  });

  test('is refused with the same reply for a wrong password, an account without password, and an unknown address (contract §3)', async () => {
    const invited = await makeUser(testApp.db, 'agent', { distributorId: distributor.id });
    for (const [email, password] of [
      [customer.email, PASSWORD.toLowerCase()],
      [customer.email, ''],
      [invited.email, ''],
      [invited.email, PASSWORD],
      ['nobody@test.example', PASSWORD],
      ['no address', PASSWORD],
      [customer.email.replace('@', '%'), PASSWORD],
    ] as const) {
      const answer = await signIn(email, password);
      expect([answer.statusCode, answer.body, answer.headers['set-cookie']]).toEqual([401, 'Invalid email or password', undefined]);
    }
  });

  test('is refused as a malformed request without an e-mail address or password', async () => {
    for (const payload of [{}, { email: 'x' }, { email: 1, password: 2 }, [], { email: 'x', password: null }]) {
      expect((await testApp.app.inject({ method: 'POST', url: '/api/login', payload })).statusCode).toBe(400);
    }
  });
});

describe('the lock of an account', () => {
  test('begins after five failures in a row, and refuses even the right password for 15 minutes (contract §2, §3)', async () => {
    await fail(5);
    expect(await account()).toMatchObject({ loginAttempts: 5, lockedUntil: '2027-04-01T12:15:00.000Z' });
    expect(await said(signIn(customer.email, PASSWORD))).toEqual([429, LOCKED]);
    expect(await said(signIn(customer.email, 'Wrong-Word-1'))).toEqual([429, LOCKED]);
    later(14.99);
    expect(await said(signIn(customer.email, PASSWORD))).toEqual([429, LOCKED]);
    later(0.01);
    expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(200);
  });

  test('begins only after five failures in a row, because a successful sign-in resets the count (contract §3)', async () => {
    await fail(4);
    expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(200);
    await fail(4);
    expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(200);
  });

  test('begins again only after five new failures once it has ended', async () => {
    await fail(5);
    later(15);
    await fail(4);
    expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(200);
  });

  test('is not extended by further attempts, and does not delay other users', async () => {
    await fail(5);
    later(10);
    await signIn(customer.email, 'Wrong-Word-1');
    expect(await account()).toMatchObject({ lockedUntil: '2027-04-01T12:15:00.000Z' });
    const other = await makeUser(testApp.db, 'agent', { distributorId: distributor.id, password: await hashOfPassword() });
    expect((await signIn(other.email, PASSWORD)).statusCode).toBe(200);
  });

  test('begins after five of many concurrent guesses; then even the right password is refused (reliability R31)', async () => {
    const many = iterations(30, 10_000);
    const guesses = Array.from({ length: many }, (_, index) => (index < many - 1 ? 'Wrong-Word-1' : PASSWORD));
    const answers = await Promise.all(guesses.map((guess) => signIn(customer.email, guess)));
    const statuses = answers.map((answer) => answer.statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    // The status 503 means that the queue for password checks is full.
    expect(statuses.filter((status) => status === 429 || status === 503)).toHaveLength(many - 5);
  });
});

describe('the session cookie', () => {
  const cookieOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers['set-cookie']);

  test('is restricted to this site, is hidden from scripts, and expires with the session (contract §3)', async () => {
    expect((await signIn(customer.email, PASSWORD)).headers['set-cookie']).toEqual([
      expect.stringMatching(/^sid=[\w-]{43}; Path=\/; Expires=Thu, 08 Apr 2027 12:00:00 GMT; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^device=[\w-]{43}; Path=\/; Expires=Fri, 05 May 2028 12:00:00 GMT; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('changes at every sign-in, and the previous one is invalid (contract §3)', async () => {
    const [first = ''] = cookieOf(await signIn(customer.email, PASSWORD)).split(';');
    const [second = ''] = cookieOf(await signIn(customer.email, PASSWORD, first)).split(';');
    const user = (cookie: string) => testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } });
    expect(second).not.toBe(first);
    expect([(await user(first)).statusCode, (await user(second)).statusCode]).toEqual([401, 200]);
  });

  test('of a session that an attacker invented is never accepted', async () => {
    const [cookie] = cookieOf(await signIn(customer.email, PASSWORD, 'sid=planted')).split(';');
    expect(cookie).not.toContain('planted');
    const answer = await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie: 'sid=planted' } });
    expect(answer.statusCode).toBe(401);
  });

  test('is removed with the session at sign-out, also when the user signs out twice (spec §7; contract §2)', async () => {
    const [cookie = ''] = cookieOf(await signIn(customer.email, PASSWORD)).split(';');
    for (let time = 0; time < 2; time++) {
      const answer = await testApp.app.inject({ method: 'POST', url: '/api/logout', headers: { cookie } });
      expect([answer.statusCode, answer.body, cookieOf(answer).startsWith('sid=;')]).toEqual([204, '', true]);
    }
    expect((await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } })).statusCode).toBe(401);
  });
});

test('passwords, cookies, e-mail addresses and hashes appear neither in the log nor in the table of sessions', async () => {
  testApp.logged.length = 0;
  const cookie = /sid=([\w-]+)/.exec(String((await signIn(customer.email, PASSWORD)).headers['set-cookie']))?.[1] ?? 'none';
  await signIn(customer.email, 'Wrong-Word-1');
  const sessions = JSON.stringify(await testApp.db.selectFrom('session_store').selectAll().execute());
  const text = testApp.logged.join('') + sessions;
  expect(testApp.logged).toHaveLength(2);
  for (const secret of [PASSWORD, 'Wrong-Word-1', cookie, customer.email, await hashOfPassword()]) expect(text).not.toContain(secret);
});
