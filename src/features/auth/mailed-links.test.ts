import { beforeEach, describe, expect, test } from 'vitest';
import { mailedToken } from '../../../test/mail/mailed-links.ts';
import { hashOfPassword, makeAccounts, PASSWORD } from '../../../test/data/accounts.ts';
import { makeAgent, makeUser } from '../../../test/data/factories.ts';
import { statusAndBody } from '../../../test/responses.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { LINK_REFUSED, requestReset, resetPassword } from './contract.ts';

const testApp = setupTestApp();
const NEW_PASSWORD = 'Four-Sheep-42';

let distributor: Person;
let customer: Person;
beforeEach(() => testApp.db.deleteFrom('reset_networks').execute());
beforeEach(async () => ({ distributor, customer } = await makeAccounts(testApp)));

const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const post = (url: string, payload: object) => testApp.app.inject({ method: 'POST', url, payload });
const signIn = (email: string, password: string) => post('/api/login', { email, password });
const ask = (email: string) => post('/api/reset-password/request', { email });
const reset = (token: string, password = NEW_PASSWORD) => post('/api/reset-password/reset', { token, password });
const rowOf = (email: string) => testApp.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

describe('a mailed link', () => {
  test("sets a password once, and ends the account's sessions and lock (spec §5, §7; contract §3)", async () => {
    const cookie = String((await signIn(customer.email, PASSWORD)).headers['set-cookie']).split(';')[0] ?? '';
    for (let failure = 0; failure < 5; failure++) await signIn(customer.email, 'Wrong-Word-1');
    const call = await testApp.as(null);
    await call(requestReset, { body: { email: customer.email } });
    const token = await mailedToken(testApp, customer.email);
    expect(await call(resetPassword, { body: { token, password: `  ${NEW_PASSWORD} ` } })).toEqual({
      message: 'Password has been reset. Please login with your new password.',
    });
    expect((await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } })).statusCode).toBe(401);
    expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(401);
    expect((await signIn(customer.email, NEW_PASSWORD)).statusCode).toBe(200);
    expect(await statusAndBody(reset(token))).toEqual([400, LINK_REFUSED]);
  });

  test('stays valid when its page is requested a hundred times (contract §3)', async () => {
    await ask(customer.email);
    const token = await mailedToken(testApp, customer.email);
    const before = await rowOf(customer.email);
    for (let time = 0; time < 50; time++) {
      for (const method of ['GET', 'HEAD'] as const) {
        expect((await testApp.app.inject({ method, url: `/auth?token=${token}` })).statusCode).toBeLessThan(500);
      }
      expect((await testApp.app.inject({ method: 'GET', url: `/api/reset-password/reset?token=${token}` })).statusCode).toBe(404);
    }
    expect(await rowOf(customer.email)).toEqual(before);
    expect((await reset(token)).statusCode).toBe(200);
  });

  test('can be checked without using it up, and is invalid once used (contract §3)', async () => {
    const check = async (token: string) => (await post('/api/reset-password/check', { token })).json<{ isValid: boolean }>().isValid;
    await ask(customer.email);
    const token = await mailedToken(testApp, customer.email);
    expect([await check(token), await check(token), await check(`${token}x`)]).toEqual([true, true, false]);
    expect([(await reset(token)).statusCode, await check(token)]).toEqual([200, false]);
  });

  test('sets the password only once when it is used twenty times at once (contract §3)', async () => {
    await ask(customer.email);
    const token = await mailedToken(testApp, customer.email);
    const passwords = Array.from({ length: 20 }, (_, index) => `Sheep-Number-${index}`);
    const answers = await Promise.all(passwords.map((password) => reset(token, password)));
    const worked = passwords.filter((_, index) => answers[index]?.statusCode === 200);
    expect(worked).toHaveLength(1);
    for (const { statusCode, body } of answers) if (statusCode !== 200) expect([statusCode, body]).toEqual([400, LINK_REFUSED]);
    expect((await signIn(customer.email, worked[0] ?? '')).statusCode).toBe(200);
  });

  test('expires after one hour if it resets a password, and after thirty days if it is an invitation (contract §3)', async () => {
    await ask(customer.email);
    const token = await mailedToken(testApp, customer.email);
    const invited = (await rowOf(customer.email))?.resetPasswordExpires;
    expect(invited).toBe('2027-04-01T13:00:00.000Z');
    later(60);
    expect(await statusAndBody(reset(token))).toEqual([400, LINK_REFUSED]);
    expect((await post('/api/reset-password/check', { token })).json()).toEqual({ isValid: false });
    later(-0.01);
    expect((await reset(token)).statusCode).toBe(200);

    const agent = await makeAgent(testApp.db, distributor);
    await testApp.request(distributor, { method: 'POST', url: `/api/users/agent/${agent.id}/invite` });
    const invitation = await mailedToken(testApp, agent.email);
    later(30 * 24 * 60);
    expect(await statusAndBody(reset(invitation))).toEqual([400, LINK_REFUSED]);
    later(-0.01);
    expect((await reset(invitation)).statusCode).toBe(200);
  });

  test('signs nobody in when it is altered or unknown, or when the stored hash is used as the token (contract §3)', async () => {
    await ask(customer.email);
    const token = await mailedToken(testApp, customer.email);
    const kept = (await rowOf(customer.email))?.resetPasswordToken ?? '';
    expect(kept).not.toContain(token);
    const altered = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    for (const wrong of [altered, `${token}A`, token.slice(0, -1), token.toUpperCase(), kept, '', '%', 'null', '\\']) {
      expect(await statusAndBody(reset(wrong))).toEqual([400, LINK_REFUSED]);
    }
    for (const body of [{ password: NEW_PASSWORD }, { token: null, password: NEW_PASSWORD }, { token: [token], password: NEW_PASSWORD }]) {
      expect((await post('/api/reset-password/reset', body)).statusCode).toBe(400);
    }
    expect((await rowOf(customer.email))?.password).toBe(await hashOfPassword());
  });

  test('sets nobody else’s password', async () => {
    const other = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: await hashOfPassword() });
    await ask(customer.email);
    const token = await mailedToken(testApp, customer.email);
    const payload = { token, password: NEW_PASSWORD, email: other.email, userId: other.id };
    expect((await testApp.request(other, { method: 'POST', url: '/api/reset-password/reset', payload })).statusCode).toBe(200);
    expect([(await rowOf(other.email))?.password, (await rowOf(customer.email))?.password === (await hashOfPassword())]).toEqual([
      await hashOfPassword(),
      false,
    ]);
  });

  test.each([
    ['Sheep-1', 'Password must be at least 8 characters'],
    ['  Shee-1  ', 'Password must be at least 8 characters'],
    ['three-sheep-42', 'Password must contain at least one uppercase letter'],
    ['THREE-SHEEP-42', 'Password must contain at least one lowercase letter'],
    ['Three-Sheep', 'Password must contain at least one number'],
    ['PassWord123', 'Password must not be one of the commonest passwords'],
    [`Three-42${'x'.repeat(200)}`, 'Password is longer than 200 characters'],
  ])('is refused together with the password %j, with the message: %s; the link stays valid (spec §5, §9)', async (password, sentence) => {
    await ask(customer.email);
    const token = await mailedToken(testApp, customer.email);
    expect(await statusAndBody(reset(token, password))).toEqual([400, sentence]);
    expect((await reset(token)).statusCode).toBe(200);
  });
});
