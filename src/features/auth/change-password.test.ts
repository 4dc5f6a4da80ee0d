import { beforeEach, describe, expect, test } from 'vitest';
import { mailedToken } from '../../../test/mail/mailed-links.ts';
import { makeAccounts, PASSWORD } from '../../../test/data/accounts.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { statusAndBody } from '../../../test/responses.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { endSessions, lockUser } from '../../server/auth/session.ts';
import { transaction } from '../../server/database/db.ts';
import { changePassword } from './contract.ts';

const testApp = setupTestApp();
const NEW_PASSWORD = 'Four-Sheep-42';
const LOCKED = [429, 'Too many attempts. Try again in 15 minutes, or reset your password.'];

let customer: Person;
beforeEach(async () => ({ customer } = await makeAccounts(testApp)));

const signIn = (email: string, password = PASSWORD) =>
  testApp.app.inject({ method: 'POST', url: '/api/login', payload: { email, password } });
const cookieOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers['set-cookie']).split(';')[0] ?? '';
const isIn = async (cookie: string) =>
  (await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } })).statusCode === 200;
const sessionsOf = async () =>
  (await testApp.db.selectFrom('session_store').selectAll().where('userId', '=', customer.id).execute()).length;
const failuresOf = async () =>
  (await testApp.db.selectFrom('users').select('loginAttempts').where('id', '=', customer.id).executeTakeFirstOrThrow()).loginAttempts;

describe('changing the password', () => {
  const change = (cookie: string, currentPassword: string, password = NEW_PASSWORD) =>
    testApp.app.inject({ method: 'POST', url: '/api/user/password', payload: { currentPassword, password }, headers: { cookie } });

  test('ends every other session and renews the cookie of the current session', async () => {
    const [here, there] = [cookieOf(await signIn(customer.email)), cookieOf(await signIn(customer.email))];
    const answer = await change(here, ` ${PASSWORD} `);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect([await isIn(here), await isIn(there), await isIn(cookieOf(answer)), await sessionsOf()]).toEqual([false, false, true, 1]);
    expect([(await signIn(customer.email)).statusCode, (await signIn(customer.email, NEW_PASSWORD)).statusCode]).toEqual([401, 200]);
  });

  test('with a wrong current password is refused and counts as a failed sign-in', async () => {
    const cookie = cookieOf(await signIn(customer.email));
    for (let failure = 1; failure <= 5; failure++) {
      const answer = await change(cookie, 'Wrong-Word-1');
      expect([answer.statusCode, answer.body]).toEqual([400, 'This is not your current password.']);
      expect(await failuresOf()).toBe(failure);
    }
    const locked = await change(cookie, PASSWORD);
    expect([locked.statusCode, locked.body]).toEqual(LOCKED);
    expect(await statusAndBody(signIn(customer.email))).toEqual(LOCKED);
    expect(await isIn(cookie)).toBe(true);
  });

  test('to a password that breaks the rules is refused and does not count as a failed sign-in', async () => {
    const call = await testApp.as(customer);
    for (const [password, sentence] of [
      ['Sheep-1', 'Password must be at least 8 characters'],
      ['Password123', 'Password must not be one of the commonest passwords'],
    ] as const) {
      const changing = call(changePassword, { body: { currentPassword: 'Wrong-Word-1', password } });
      await expect(changing).rejects.toMatchObject({ status: 400, text: sentence });
    }
    expect([await failuresOf(), (await signIn(customer.email)).statusCode]).toEqual([0, 200]);
  });

  test('invalidates a reset link that was mailed before', async () => {
    const cookie = cookieOf(await signIn(customer.email));
    await testApp.app.inject({ method: 'POST', url: '/api/reset-password/request', payload: { email: customer.email } });
    const payload = { token: await mailedToken(testApp, customer.email), password: 'Five-Sheep-42' };
    await change(cookie, PASSWORD);
    const answer = await testApp.app.inject({ method: 'POST', url: '/api/reset-password/reset', payload });
    expect([answer.statusCode, answer.body]).toEqual([400, 'This link is invalid or has expired.']);
  });

  test('succeeds for only one of ten concurrent requests, and ends sessions that were opened meanwhile with the old password', async () => {
    const cookies = [];
    for (let index = 0; index < 10; index++) cookies.push(cookieOf(await signIn(customer.email)));
    const passwords = cookies.map((_, index) => `Sheep-Number-${index}`);
    const late = signIn(customer.email);
    const answers = await Promise.all(cookies.map((cookie, index) => change(cookie, PASSWORD, passwords[index])));
    const worked = answers.filter((answer) => answer.statusCode === 204);
    expect(worked).toHaveLength(1);
    const [won] = worked;
    expect([won && (await isIn(cookieOf(won))), await isIn(cookieOf(await late)), await sessionsOf()]).toEqual([true, false, 1]);
    await testApp.db.updateTable('users').set({ loginAttempts: 0, lockedUntil: null }).where('id', '=', customer.id).execute();
    const password = passwords[answers.findIndex((answer) => answer.statusCode === 204)];
    expect((await signIn(customer.email, password)).statusCode).toBe(200);
  });

  test('that waits while somebody ends the sessions of the user is refused, and opens no new session (reliability abuse)', async () => {
    const cookie = cookieOf(await signIn(customer.email));
    const waiting = await transaction(testApp.db, async (db) => {
      await lockUser(db, customer.id);
      const answer = change(cookie, PASSWORD).then(({ statusCode }) => statusCode);
      await waitForLockWaiters(testApp.db);
      await endSessions(db, customer.id);
      return { answer };
    });
    expect([await waiting.answer, await sessionsOf(), (await signIn(customer.email)).statusCode]).toEqual([401, 0, 200]);
  });

  test('is possible only for signed-in users', async () => {
    const answer = await change('', PASSWORD);
    expect([answer.statusCode, answer.body]).toEqual([401, 'Please sign in.']);
  });
});
