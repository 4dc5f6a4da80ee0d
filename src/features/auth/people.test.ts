import { beforeEach, describe, expect, test } from 'vitest';
import { deliverMails, mailedToken, mailsTo } from '../../../test/mail/mailed-links.ts';
import { hashOfPassword, makeAccounts, PASSWORD } from '../../../test/data/accounts.ts';
import { makeAgent, makeCustomer, makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { renewJoinLink, stopJoinLink } from '../organization/contract.ts';
import { register } from '../join-requests/contract.ts';
import { LINK_REFUSED, requestReset, resetPassword } from './contract.ts';

const testApp = setupTestApp();
const NEW_PASSWORD = 'Four-Sheep-42';

let distributor: Person;
let customer: Person;
beforeEach(() => testApp.db.deleteFrom('reset_networks').execute());
beforeEach(async () => ({ distributor, customer } = await makeAccounts(testApp)));

let made = 0;
const fresh = () => `joining${(made += 1)}@test.example`;
const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  testApp.app.inject({ method: 'POST', url, payload, headers });
const signIn = (email: string, password: string) => post('/api/login', { email, password });
const ask = (email: string, headers?: Record<string, string>) => post('/api/reset-password/request', { email }, headers);
const reset = (token: string, password = NEW_PASSWORD) => post('/api/reset-password/reset', { token, password });
const said = async (answer: ReturnType<typeof post>) => {
  const { statusCode, body } = await answer;
  return [statusCode, body];
};
/** Returns a response without the two headers that differ in every response, so that tests can compare responses. */
const seen = async (answer: ReturnType<typeof post>) => {
  const { statusCode, body, headers } = await answer;
  const { 'x-request-id': _, date: __, ...rest } = headers;
  return { statusCode, body, headers: rest };
};
const rowOf = (email: string) => testApp.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
const disabled = (person: Person) =>
  testApp.db.updateTable('users').set({ disabledAt: '2027-03-01T12:00:00Z' }).where('id', '=', person.id).execute();

describe('a request for a password reset link', () => {
  test('gets the same reply for every e-mail address; only addresses of accounts get a mail (spec §7, §8; contract §3)', async () => {
    const shut = await makeAgent(testApp.db, distributor);
    await disabled(shut);
    const staff = await makeUser(testApp.db, 'admin', { password: 'hash' });
    const answers: Awaited<ReturnType<typeof seen>>[] = [];
    for (const email of [customer.email, ` ${customer.email.toUpperCase()} `, staff.email, fresh(), shut.email])
      answers.push(await seen(ask(email)));
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(answers[0]).toMatchObject({
      statusCode: 200,
      body: '{"message":"If an account exists with that email, you will receive password reset instructions."}',
    });
    expect([await mailsTo(testApp, customer.id), await mailsTo(testApp, staff.id), await mailsTo(testApp, shut.id)]).toEqual([
      ['reset', 'reset'],
      ['reset'],
      [],
    ]);
    const [row] = await testApp.db.selectFrom('emails').selectAll().where('userId', '=', customer.id).execute();
    expect(row).toMatchObject({ status: 'queued', distributorId: distributor.id, html: '', createdAt: '2027-04-01T12:00:00.000Z' });
    expect((await rowOf(customer.email))?.resetPasswordToken).toBeNull();
    expect(await said(ask('rivka'))).toEqual([400, 'Invalid email address']);
  });

  test('mails at most three links an hour to one account, even for thirty concurrent requests (contract §3)', async () => {
    // Thirty requests first open all database connections, so that opening them does not delay the following requests.
    await Promise.all(Array.from({ length: 30 }, () => ask(fresh())));
    const answers = await Promise.all(Array.from({ length: 30 }, () => seen(ask(customer.email))));
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(await mailsTo(testApp, customer.id)).toHaveLength(3);
    later(59);
    await ask(customer.email);
    expect(await mailsTo(testApp, customer.id)).toHaveLength(3);
    later(1);
    await ask(customer.email);
    expect(await mailsTo(testApp, customer.id)).toHaveLength(4);
  });

  test('takes at least 95 ms for unknown and for known e-mail addresses (contract §3)', async () => {
    for (const email of [fresh(), customer.email]) {
      const began = performance.now();
      await ask(email);
      // The server delays every response until 100 ms have passed. This is longer than the work for a known e-mail address, so the response
      // time does not reveal which addresses are known.
      expect(performance.now() - began).toBeGreaterThan(95);
    }
  });

  test('results in a link with the configured URL, whatever the Host header of the request says (contract §1)', async () => {
    const names = [
      'host',
      'x-forwarded-host',
      'x-forwarded-server',
      'x-original-host',
      'x-host',
      'x-forwarded-for',
      'origin',
      'referer',
      'x-original-url',
    ];
    const hostile: Record<string, string>[] = [
      ...names.map((name) => ({ [name]: 'evil.example' })),
      ...names.map((name) => ({ [name]: 'http://evil.example/#' })),
      { forwarded: 'host=evil.example;proto=https' },
      { host: 'localhost:3000@evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '666' },
    ];
    expect(hostile).toHaveLength(20);
    for (const headers of hostile) await ask((await makeCustomer(testApp.db, distributor)).email, headers);
    const links = (await deliverMails(testApp)).flatMap(({ html, text }) =>
      [...`${html} ${text}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(String),
    );
    expect(links.length).toBeGreaterThanOrEqual(2 * (hostile.length - 2));
    for (const link of links) expect(link.startsWith('http://localhost:3000/auth?token=')).toBe(true);
  });
});

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
    expect(await said(reset(token))).toEqual([400, LINK_REFUSED]);
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
    expect(await said(reset(token))).toEqual([400, LINK_REFUSED]);
    expect((await post('/api/reset-password/check', { token })).json()).toEqual({ isValid: false });
    later(-0.01);
    expect((await reset(token)).statusCode).toBe(200);

    const agent = await makeAgent(testApp.db, distributor);
    await testApp.request(distributor, { method: 'POST', url: `/api/users/agent/${agent.id}/invite` });
    const invitation = await mailedToken(testApp, agent.email);
    later(30 * 24 * 60);
    expect(await said(reset(invitation))).toEqual([400, LINK_REFUSED]);
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
      expect(await said(reset(wrong))).toEqual([400, LINK_REFUSED]);
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
    expect(await said(reset(token, password))).toEqual([400, sentence]);
    expect((await reset(token)).statusCode).toBe(200);
  });
});

describe('joining through a distributor’s link', () => {
  const codeOf = async (by: Person) => {
    const { url } = await (await testApp.as(by))(renewJoinLink);
    return new URL(url ?? '').searchParams.get('join') ?? '';
  };
  const joinMailsTo = async (email: string) =>
    (await testApp.db.selectFrom('emails').select('id').where('kind', '=', 'join').where('to', '=', email).execute()).length;
  const join = (email: string, code: string) => seen(post('/api/register', { email, code }));

  test('creates a customer of that distributor, whose mailed link sets the password (contract §3)', async () => {
    const code = await codeOf(distributor);
    const email = fresh();
    const call = await testApp.as(null);
    expect(await call(register, { body: { email: ` ${email.toUpperCase()} `, code } })).toEqual({
      message: 'Check your e-mail to finish joining.',
    });
    expect(await rowOf(email)).toBeUndefined();
    const set = await reset(await mailedToken(testApp, email));
    const user = { id: (await rowOf(email))?.id, email, role: 'customer', distributorId: distributor.id };
    expect([set.statusCode, set.json()]).toEqual([200, { message: 'Your password is set, and you are signed in.', user }]);
    expect(set.cookies).toMatchObject([{ name: 'sid' }, { name: 'device' }]);
    expect((await signIn(email, NEW_PASSWORD)).json()).toMatchObject({ email, role: 'customer', distributorId: distributor.id });
  });

  test('gets the same reply for every e-mail address and code; only the mails differ (contract §3)', async () => {
    const other = await makeDistributor(testApp.db);
    const [code, old, theirs] = [await codeOf(distributor), await codeOf(distributor), await codeOf(other)];
    const renewed = await codeOf(distributor);
    await (
      await testApp.as(other)
    )(stopJoinLink);
    const foreign = await makeUser(testApp.db, 'customer', { distributorId: other.id, password: await hashOfPassword() });
    const agent = await makeUser(testApp.db, 'agent', { distributorId: other.id, password: await hashOfPassword() });
    const invited = await makeUser(testApp.db, 'customer', { distributorId: distributor.id });
    const shut = await makeCustomer(testApp.db, distributor);
    await disabled(shut);
    const [joining, wrong] = [fresh(), fresh()];
    const answers: Awaited<ReturnType<typeof seen>>[] = [];
    for (const person of [customer, foreign, agent, invited, shut, { email: joining }]) answers.push(await join(person.email, renewed));
    for (const dead of [code, old, theirs, 'no-such-code', '', renewed.toUpperCase()]) answers.push(await join(wrong, dead));
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(answers[0]).toMatchObject({ statusCode: 202, body: '{"message":"Check your e-mail to finish joining."}' });

    const mails = [];
    for (const { id } of [customer, foreign, agent, invited, shut]) mails.push(await mailsTo(testApp, id));
    expect(mails).toEqual([['exists'], ['exists'], ['exists'], ['invitation'], []]);
    expect(await joinMailsTo(joining)).toBe(1);
    expect(await rowOf(joining)).toBeUndefined();
    expect(await rowOf(wrong)).toBeUndefined();
    expect(await rowOf(foreign.email)).toMatchObject({ distributorId: other.id, password: await hashOfPassword() });
  });

  test('stores one join request and sends at most three mails for twenty concurrent requests', async () => {
    const code = await codeOf(distributor);
    const email = fresh();
    const answers = await Promise.all(Array.from({ length: 20 }, () => join(email, code)));
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(await testApp.db.selectFrom('join_requests').select('distributorId').where('email', '=', email).execute()).toHaveLength(1);
    expect(await joinMailsTo(email)).toBe(3);
  });

  test('needs an e-mail address and a code, and ignores a role in the request', async () => {
    const code = await codeOf(distributor);
    for (const body of [{}, { email: fresh() }, { code }, { email: fresh(), code: 7 }])
      expect((await post('/api/register', body)).statusCode).toBe(400);
    expect(await said(post('/api/register', { email: 'rivka', code }))).toEqual([400, 'Invalid email address']);
    const email = fresh();
    await post('/api/register', { email, code, role: 'admin', distributorId: null, password: PASSWORD });
    await reset(await mailedToken(testApp, email));
    expect((await signIn(email, PASSWORD)).statusCode).toBe(401);
    expect(await rowOf(email)).toMatchObject({ role: 'customer', distributorId: distributor.id });
  });
});
