import { beforeEach, describe, expect, test } from 'vitest';
import { mailedToken, mailsTo } from '../../../test/mail/mailed-links.ts';
import { hashOfPassword, makeAccounts, PASSWORD } from '../../../test/data/accounts.ts';
import { makeCustomer, makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { comparableResponse, statusAndBody } from '../../../test/responses.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { renewJoinLink, stopJoinLink } from '../organization/contract.ts';
import { register } from './contract.ts';

const testApp = setupTestApp();
const NEW_PASSWORD = 'Four-Sheep-42';

let distributor: Person;
let customer: Person;
beforeEach(() => testApp.db.deleteFrom('reset_networks').execute());
beforeEach(async () => ({ distributor, customer } = await makeAccounts(testApp)));

let made = 0;
const fresh = () => `joining${(made += 1)}@test.example`;
const post = (url: string, payload: object) => testApp.app.inject({ method: 'POST', url, payload });
const signIn = (email: string, password: string) => post('/api/login', { email, password });
const reset = (token: string) => post('/api/reset-password/reset', { token, password: NEW_PASSWORD });
const rowOf = (email: string) => testApp.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
const disabled = (person: Person) =>
  testApp.db.updateTable('users').set({ disabledAt: '2027-03-01T12:00:00Z' }).where('id', '=', person.id).execute();

describe('joining through a distributor’s link', () => {
  const codeOf = async (by: Person) => {
    const { url } = await (await testApp.as(by))(renewJoinLink);
    return new URL(url ?? '').searchParams.get('join') ?? '';
  };
  const joinMailsTo = async (email: string) =>
    (await testApp.db.selectFrom('emails').select('id').where('kind', '=', 'join').where('to', '=', email).execute()).length;
  const join = (email: string, code: string) => comparableResponse(post('/api/register', { email, code }));

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
    const answers: Awaited<ReturnType<typeof comparableResponse>>[] = [];
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
    expect(await statusAndBody(post('/api/register', { email: 'rivka', code }))).toEqual([400, 'Invalid email address']);
    const email = fresh();
    await post('/api/register', { email, code, role: 'admin', distributorId: null, password: PASSWORD });
    await reset(await mailedToken(testApp, email));
    expect((await signIn(email, PASSWORD)).statusCode).toBe(401);
    expect(await rowOf(email)).toMatchObject({ role: 'customer', distributorId: distributor.id });
  });
});
