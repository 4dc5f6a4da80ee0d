import { beforeEach, expect, test } from 'vitest';
import { makeAccounts, PASSWORD } from '../../../test/data/accounts.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { lockUser, openSession } from '../../server/auth/session.ts';
import { transaction } from '../../server/database/db.ts';
import { readUser, signOutEverywhere } from './contract.ts';

const testApp = setupTestApp();

let distributor: Person;
let customer: Person;
beforeEach(async () => ({ distributor, customer } = await makeAccounts(testApp)));

const signIn = (email: string) => testApp.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: PASSWORD } });
const cookieOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers['set-cookie']).split(';')[0] ?? '';
const isIn = async (cookie: string) =>
  (await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } })).statusCode === 200;
const sessionsOf = async () =>
  (await testApp.db.selectFrom('session_store').selectAll().where('userId', '=', customer.id).execute()).length;

test('signing out everywhere ends all sessions of the user and no others', async () => {
  const [here, there] = [cookieOf(await signIn(customer.email)), cookieOf(await signIn(customer.email))];
  const other = await testApp.as(distributor);
  const answer = await testApp.app.inject({ method: 'POST', url: '/api/user/sign-out-everywhere', headers: { cookie: here } });
  expect([answer.statusCode, answer.body, cookieOf(answer)]).toEqual([204, '', 'sid=']);
  expect([await isIn(here), await isIn(there), await sessionsOf()]).toEqual([false, false, 0]);
  expect(await other(readUser)).toMatchObject({ id: distributor.id });
  const call = await testApp.as(null);
  await expect(call(signOutEverywhere)).rejects.toMatchObject({ status: 401 });
});

test('signing out everywhere also ends the session that a concurrent password change opens (reliability abuse)', async () => {
  const cookie = cookieOf(await signIn(customer.email));
  const waiting = await transaction(testApp.db, async (db) => {
    await lockUser(db, customer.id);
    const signingOut = testApp.app.inject({ method: 'POST', url: '/api/user/sign-out-everywhere', headers: { cookie } });
    const answer = signingOut.then(({ statusCode }) => statusCode);
    await openSession(db, customer, undefined, { now: testApp.time, rules: { customerIdleDays: 7, secure: false } });
    await waitForLockWaiters(testApp.db);
    return { answer };
  });
  expect([await waiting.answer, await sessionsOf()]).toEqual([204, 0]);
});
