// Tests that an invitation and a reset link open a session. Also tests that an invitation stays valid when a reset link is mailed, and a
// reset link when an invitation is mailed (contract §3).
import { beforeEach, expect, test } from 'vitest';
import { deliverMails, mailedToken, mailsTo } from '../../../test/mail/mailed-links.ts';
import { makeAccounts, PASSWORD } from '../../../test/data/accounts.ts';
import { makeAgent } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { LINK_REFUSED } from './contract.ts';

const testApp = setupTestApp();
const NEW_PASSWORD = 'Four-Sheep-42';
const REFUSED = [400, LINK_REFUSED];

let distributor: Person;
let customer: Person;
beforeEach(async () => ({ distributor, customer } = await makeAccounts(testApp)));

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  testApp.app.inject({ method: 'POST', url, payload, headers });
const ask = (email: string, invitation?: string) => post('/api/reset-password/request', { email, invitation });
const reset = (token: string, password = NEW_PASSWORD) => post('/api/reset-password/reset', { token, password });
const said = async (answer: ReturnType<typeof post>) => {
  const { statusCode, body } = await answer;
  return [statusCode, body];
};
const rowOf = (person: Person) => testApp.db.selectFrom('users').selectAll().where('id', '=', person.id).executeTakeFirstOrThrow();

const cookieOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['set-cookie']).split(';')[0] ?? '';
const who = async (cookie: string) => {
  const { statusCode, body } = await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } });
  return statusCode === 200 ? (JSON.parse(body) as { email: string }).email : statusCode;
};
async function invited() {
  const agent = await makeAgent(testApp.db, distributor);
  const invite = () => testApp.request(distributor, { method: 'POST', url: `/api/users/agent/${agent.id}/invite` });
  await invite();
  return { agent, invite, token: await mailedToken(testApp, agent.email) };
}

test('an invitation or reset link sets the password and opens a session with a new id (contract §3)', async () => {
  const { agent, token } = await invited();
  const before = cookieOf(await post('/api/login', { email: customer.email, password: PASSWORD }));
  const set = await post('/api/reset-password/reset', { token, password: NEW_PASSWORD }, { cookie: before });
  const { id, email } = agent;
  expect([set.statusCode, set.json()]).toEqual([
    200,
    { message: 'Your password is set, and you are signed in.', user: { id, email, role: 'agent', distributorId: distributor.id } },
  ]);
  expect(set.cookies).toMatchObject(['sid', 'device'].map((name) => ({ name, httpOnly: true, sameSite: 'Lax', path: '/' })));
  expect([await who(cookieOf(set)), await who(before)]).toEqual([email, 401]);
  expect((await rowOf(agent)).lastLoginAt).toBe('2027-04-01T12:00:00.000Z');
  expect(await said(reset(token))).toEqual(REFUSED);

  await ask(email);
  const byReset = await reset(await mailedToken(testApp, email), 'Five-Sheep-42');
  expect(byReset.json()).toEqual({ message: 'Password has been reset. Please login with your new password.' });
  expect([await who(cookieOf(byReset)), await who(cookieOf(set))]).toEqual([email, 401]);
});

test('an invitation stays valid when anybody requests a reset link, and a reset link stays valid when a new invitation is sent (contract §3)', async () => {
  const { agent, token } = await invited();
  await ask(agent.email);
  await mailedToken(testApp, agent.email);
  expect((await reset(token)).statusCode).toBe(200);

  const other = await invited();
  await ask(other.agent.email);
  const link = await mailedToken(testApp, other.agent.email);
  await other.invite();
  await mailedToken(testApp, other.agent.email);
  expect((await reset(link)).statusCode).toBe(200);
});

test('earlier links stay valid when another join link, reset or invitation is requested (contract §3)', async () => {
  const { url } = (await testApp.request(distributor, { method: 'POST', url: '/api/join-link' })).json<{ url: string }>();
  const code = new URL(url).searchParams.get('join');
  const { agent, invite, token } = await invited();
  await post('/api/register', { email: agent.email, code });
  await invite();
  await mailedToken(testApp, agent.email);
  expect((await reset(token)).statusCode).toBe(200);
  const links: string[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    await ask(agent.email);
    links.push(await mailedToken(testApp, agent.email));
  }
  const [first = '', second = '', third = ''] = links;
  expect((await reset(second)).statusCode).toBe(200);
  for (const link of [first, second, third]) expect(await said(reset(link))).toEqual(REFUSED);
});

test.each(['invitation', 'reset'])(
  'setting the password through the %s link also invalidates the other mailed link (contract §3)',
  async (used) => {
    const { agent, token } = await invited();
    await ask(agent.email);
    const link = await mailedToken(testApp, agent.email);
    const [first, second] = used === 'invitation' ? [token, link] : [link, token];
    expect((await reset(first)).statusCode).toBe(200);
    expect(await said(reset(second))).toEqual(REFUSED);
  },
);

test('the server sends a new invitation only to somebody who has the expired link (contract §3)', async () => {
  const { agent, token } = await invited();
  testApp.time = new Date('2027-05-01T12:00:00Z');
  expect(await said(reset(token))).toEqual(REFUSED);
  const answers: unknown[] = [];
  for (const [email, invitation] of [
    [agent.email, 'invite-other'],
    [customer.email, token],
    [agent.email, token],
  ] as const)
    answers.push(await said(ask(email, invitation)));
  expect(answers).toEqual(answers.map(() => answers[0]));
  expect([await mailsTo(testApp, agent.id), await mailsTo(testApp, customer.id)]).toEqual([
    ['invitation', 'reset', 'invitation'],
    ['reset'],
  ]);
  const mails = await deliverMails(testApp);
  const tokens = mails.filter(({ to }) => to === agent.email).map(({ text }) => /token=([\w-]+)/.exec(text)?.[1] ?? '');
  const renewed = tokens.find((mailed) => mailed.startsWith('invite-')) ?? '';
  expect((await reset(renewed)).json()).toMatchObject({ user: { email: agent.email } });
});

test('the server refuses an invitation after the account was disabled or got another e-mail address', async () => {
  const { agent, token } = await invited();
  await testApp.db.updateTable('users').set({ disabledAt: '2027-03-01T12:00:00Z' }).where('id', '=', agent.id).execute();
  expect(await said(reset(token))).toEqual(REFUSED);
  const moved = await invited();
  const change = { method: 'PATCH' as const, url: `/api/users/agent/${moved.agent.id}`, payload: { email: 'moved@test.example' } };
  expect((await testApp.request(distributor, change)).statusCode).toBe(200);
  expect(await said(reset(moved.token))).toEqual(REFUSED);
});
