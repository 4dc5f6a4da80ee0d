import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { mailedToken, mailsTo } from '../../../test/mail/mailed-links.ts';
import { makeAdmin, makeAgent, makeCustomer, makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { hashPassword } from '../../server/auth/password.ts';
import { transaction } from '../../server/database/db.ts';
import { lockUser, openSession } from '../../server/auth/session.ts';
import { LINK_REFUSED } from '../auth/contract.ts';
import { setDisabled } from '../users/queries.ts';
import { createDistributor, listDistributors, listDistributorStates } from './contract.ts';
import { distributorFor, lockAgents, stopDistributor } from './queries.ts';

const testApp = setupTestApp();
const HAS_ACCOUNT = 'This e-mail address already has an account.';

let admin: Person;
beforeEach(async () => {
  admin = await makeAdmin(testApp.db);
});

let made = 0;
const fresh = () => `supplier${(made += 1)}@test.example`;
const create = (email: unknown, by: Person | null = admin) =>
  testApp.request(by, { method: 'POST', url: '/api/distributors', payload: { email } });

test('the server lists every distributor, sorted by e-mail address, with only the id and the e-mail address of each (spec §7)', async () => {
  const [second, first] = [await makeDistributor(testApp.db), await makeDistributor(testApp.db)];
  await testApp.db.updateTable('users').set({ email: 'aaa@test.example' }).where('id', '=', first.id).execute();
  await testApp.db.updateTable('users').set({ email: 'zzz@test.example' }).where('id', '=', second.id).execute();
  await makeAgent(testApp.db, first);
  const list = await (await testApp.as(admin))(listDistributors);
  expect(list).toEqual([
    { id: first.id, email: 'aaa@test.example' },
    { id: second.id, email: 'zzz@test.example' },
  ]);
});

test('the server creates a new distributor, lists the distributor, and queues the invitation mail (spec §1, §7; contract §3)', async () => {
  const email = fresh();
  const call = await testApp.as(admin);
  const distributor = await call(createDistributor, { body: { email: ` ${email.toUpperCase()} ` } });
  expect(distributor).toEqual({ id: distributor.id, email });
  expect(await call(listDistributors)).toContainEqual(distributor);
  expect(await testApp.db.selectFrom('emails').selectAll().where('userId', '=', distributor.id).execute()).toMatchObject([
    { kind: 'invitation', status: 'queued', replyTo: admin.email, distributorId: null, html: '', createdAt: '2027-04-01T12:00:00.000Z' },
  ]);
  const payload = { token: await mailedToken(testApp, email), password: 'Three-Sheep-42' };
  expect((await testApp.app.inject({ method: 'POST', url: '/api/reset-password/reset', payload })).statusCode).toBe(200);
  const signedIn = await testApp.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: 'Three-Sheep-42' } });
  expect(signedIn.json()).toEqual({ id: distributor.id, email, role: 'distributor', distributorId: null });
});

test.each(['customer', 'agent'] as const)(
  'the owner of an e-mail address can become a distributor even if another distributor has added the address for an unconfirmed user with the role %s (reliability abuse)',
  async (role) => {
    const rival = await makeDistributor(testApp.db);
    const squatted = await makeUser(testApp.db, role, { distributorId: rival.id });
    const answer = await create(squatted.email);
    expect([answer.statusCode, answer.json()]).toEqual([201, { id: expect.any(Number), email: squatted.email }]);
    const removed = await testApp.db.selectFrom('users').selectAll().where('id', '=', squatted.id).executeTakeFirst();
    expect(removed).toMatchObject({ email: expect.not.stringContaining(squatted.email), removedAt: expect.any(String) });
    const trail = await testApp.db.selectFrom('user_audit').selectAll().where('distributorId', '=', rival.id).execute();
    expect(trail).toMatchObject([{ act: 'remove', removedCount: 1 }]);
  },
);

test('the server refuses to create a distributor with an e-mail address that any user has confirmed, and mails nobody', async () => {
  const distributor = await makeDistributor(testApp.db);
  const confirmed = { distributorId: distributor.id, password: 'hash' };
  const [agent, customer] = [await makeUser(testApp.db, 'agent', confirmed), await makeUser(testApp.db, 'customer', confirmed)];
  for (const person of [distributor, agent, customer, admin]) {
    const answer = await create(person.email.toUpperCase());
    expect([answer.statusCode, answer.body]).toEqual([409, HAS_ACCOUNT]);
    expect(await mailsTo(testApp, person.id)).toEqual([]);
  }
  expect(await testApp.db.selectFrom('users').select('role').where('id', '=', customer.id).executeTakeFirst()).toEqual({
    role: 'customer',
  });
});

test('ten concurrent requests with one e-mail address create one distributor with one invitation', async () => {
  const email = fresh();
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(email)));
  const refused = answers.filter((answer) => answer.statusCode !== 201);
  expect(refused.map((answer) => [answer.statusCode, answer.body])).toEqual(Array.from({ length: 9 }, () => [409, HAS_ACCOUNT]));
  const created = answers.find((answer) => answer.statusCode === 201)?.json();
  expect(await mailsTo(testApp, created.id)).toEqual(['invitation']);
});

test('the server refuses an invalid e-mail address (spec §5)', async () => {
  for (const email of ['', 'supplier', 'a@b', 'a@test.example, b@test.example', `${'x'.repeat(250)}@test.example`]) {
    const answer = await create(email);
    expect([answer.statusCode, answer.body]).toEqual([400, 'Invalid email address']);
  }
  for (const email of [undefined, null, 7, ['a@test.example']]) expect((await create(email)).statusCode).toBe(400);
});

test('only admins can list or create distributors (spec §6)', async () => {
  const distributor = await makeDistributor(testApp.db);
  const customer = await makeCustomer(testApp.db, distributor);
  for (const by of [null, distributor, customer, await makeAgent(testApp.db, distributor)]) {
    const expected = by ? [403, 'Your role may not do this.'] : [401, 'Please sign in.'];
    for (const answer of [await testApp.request(by, { method: 'GET', url: '/api/distributors' }), await create(fresh(), by)]) {
      expect([answer.statusCode, answer.body]).toEqual(expected);
    }
  }
});

describe('the actions of an admin on a distributor', () => {
  const PASSWORD = 'Three-Sheep-42';
  let stored: string;
  let distributor: Person;
  let agent: Person;
  beforeAll(async () => {
    stored = await hashPassword(PASSWORD);
  });
  beforeEach(async () => {
    distributor = await makeUser(testApp.db, 'distributor', { password: stored });
    agent = await makeUser(testApp.db, 'agent', { distributorId: distributor.id, password: stored });
  });

  const act = async (name: string, { id } = distributor, by: Person | null = admin) =>
    (await testApp.request(by, { method: 'POST', url: `/api/distributors/${id}/${name}` })).statusCode;
  const signIn = async ({ email }: Person, password = PASSWORD) =>
    await testApp.app.inject({ method: 'POST', url: '/api/login', payload: { email, password } });
  const sessionOf = async (person: Person) => String((await signIn(person)).headers['set-cookie']).split(';')[0] ?? '';
  const statusWith = async (cookie: string) =>
    (await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } })).statusCode;
  const stateOf = async ({ id } = distributor) => (await (await testApp.as(admin))(listDistributorStates)).find((state) => state.id === id);

  test('disabling ends the sessions of the distributor and its agents, who cannot sign in until the distributor is enabled again', async () => {
    const customer = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: stored });
    const cookies = [await sessionOf(distributor), await sessionOf(agent), await sessionOf(customer)];
    expect(await act('disable')).toBe(204);
    const statuses = [];
    for (const cookie of cookies) statuses.push(await statusWith(cookie));
    expect(statuses).toEqual([401, 401, 200]);
    expect([(await signIn(distributor)).statusCode, (await signIn(agent)).statusCode]).toEqual([401, 401]);
    expect(await act('enable')).toBe(204);
    expect([(await signIn(distributor)).statusCode, (await signIn(agent)).statusCode]).toEqual([200, 200]);
    for (const cookie of cookies.slice(0, 2)) expect(await statusWith(cookie)).toBe(401);
  });

  test('disabling a distributor twice keeps the time of the first disabling, so that enabling also lets its agents sign in again', async () => {
    const { id } = distributor;
    await testApp.db
      .updateTable('users')
      .set({ disabledAt: '2027-01-01T00:00:00Z' })
      .where((eb) => eb.or([eb('id', '=', id), eb('distributorId', '=', id)]))
      .execute();
    for (const name of ['disable', 'enable']) expect(await act(name)).toBe(204);
    expect([(await signIn(distributor)).statusCode, (await signIn(agent)).statusCode]).toEqual([200, 200]);
  });

  test('disabling suppresses the queued mails that the distributor caused, and no others', async () => {
    const customer = await makeCustomer(testApp.db, distributor);
    const queued = { from: '', to: customer.email, subject: '', html: '', userId: customer.id, distributorId: distributor.id };
    await testApp.db
      .insertInto('emails')
      .values([
        { ...queued, kind: 'bulk', replyTo: distributor.email },
        { ...queued, kind: 'confirmation', orderId: null },
        { ...queued, kind: 'bulk', replyTo: distributor.email, status: 'sent' },
      ])
      .execute();
    await act('disable');
    const rows = await testApp.db.selectFrom('emails').select(['kind', 'status']).where('userId', '=', customer.id).orderBy('id').execute();
    expect(rows).toEqual([
      { kind: 'bulk', status: 'suppressed' },
      { kind: 'confirmation', status: 'queued' },
      { kind: 'bulk', status: 'sent' },
    ]);
  });

  test.each([
    ['a mailing', (to: string) => ['/api/send-emails', [{ to, replyTo: distributor.email, subject: 'a', html: '<p>b</p>' }]] as const],
    [
      'an import of people',
      () => ['/api/users/customer', { users: [{ email: 'late@test.example' }], replyTo: distributor.email, invite: 'later' }] as const,
    ],
  ])('disabling a distributor makes its running calls fail, such as: %s', async (_, callTo) => {
    const { email } = await makeCustomer(testApp.db, distributor);
    const cookie = await sessionOf(distributor);
    const [url, payload] = callTo(email);
    const call = await transaction(testApp.db, async (db) => {
      await distributorFor(db, distributor.id);
      const answer = testApp.app.inject({ method: 'POST', url, headers: { cookie }, payload });
      await waitForLockWaiters(testApp.db);
      await setDisabled(db, distributor.id, testApp.time);
      await stopDistributor(db, distributor.id);
      return { answer };
    });
    const { statusCode, body } = await call.answer;
    expect([statusCode, body]).toEqual([401, 'Please sign in.']);
    expect(await testApp.db.selectFrom('emails').select('id').where('distributorId', '=', distributor.id).execute()).toEqual([]);
    expect(await testApp.db.selectFrom('users').select('id').where('email', '=', 'late@test.example').execute()).toEqual([]);
  });

  test('disabling makes the links that were mailed to agents invalid until the distributor is enabled again, also a link that is being used at this moment (reliability abuse)', async () => {
    const post = (url: string, payload: object) => testApp.app.inject({ method: 'POST', url: `/api/reset-password/${url}`, payload });
    await testApp.db.deleteFrom('emails').execute();
    await post('request', { email: agent.email });
    const token = await mailedToken(testApp, agent.email);
    const reset = async () => {
      const { statusCode, body } = await post('reset', { token, password: 'Four-Sheep-42' });
      return [statusCode, body];
    };
    const { answer } = await transaction(testApp.db, async (db) => {
      await lockAgents(db, distributor.id);
      const answer = reset();
      await waitForLockWaiters(testApp.db);
      await setDisabled(db, distributor.id, testApp.time);
      return { answer };
    });
    expect(await answer).toEqual([400, LINK_REFUSED]);
    expect([await reset(), (await post('check', { token })).json()]).toEqual([[400, LINK_REFUSED], { isValid: false }]);
    expect(await act('enable')).toBe(204);
    expect((await reset())[0]).toBe(200);
  });

  test('disabling also ends the session of an agent whose sign-in ends at this moment (reliability abuse)', async () => {
    const { answer } = await transaction(testApp.db, async (db) => {
      await lockUser(db, agent.id);
      const answer = act('disable');
      await waitForLockWaiters(testApp.db);
      await openSession(db, agent, undefined, { now: testApp.time, rules: { customerIdleDays: 7, secure: false } });
      return { answer };
    });
    expect(await answer).toBe(204);
    expect(await testApp.db.selectFrom('session_store').select('sid').where('userId', '=', agent.id).execute()).toEqual([]);
  });

  test('signing out ends the sessions but leaves the password valid; unlocking removes the lock', async () => {
    const cookie = await sessionOf(distributor);
    expect(await act('sign-out')).toBe(204);
    expect([await statusWith(cookie), (await signIn(distributor)).statusCode]).toEqual([401, 200]);
    for (let failure = 0; failure < 5; failure++) await signIn(distributor, 'Wrong-Word-1');
    expect([(await signIn(distributor)).statusCode, (await stateOf())?.lockedUntil]).toEqual([429, '2027-04-01T12:15:00.000Z']);
    expect(await act('unlock')).toBe(204);
    expect([(await signIn(distributor)).statusCode, (await stateOf())?.lockedUntil]).toEqual([200, null]);
  });

  test("the list shows an admin's last action on a distributor, how many e-mails the distributor caused, and how many people the distributor added", async () => {
    expect(await stateOf()).toMatchObject({ isDisabled: false, hasSignedIn: false, mails: { day: 0, month: 0 }, lastAct: null });
    const ago = (hours: number) => new Date(testApp.time.getTime() - hours * 3_600_000).toISOString();
    await testApp.db
      .updateTable('users')
      .set({ createdAt: ago(48) })
      .where('id', '=', agent.id)
      .execute();
    for (const createdAt of [ago(1), ago(2), ago(25), ago(31 * 24)])
      await makeUser(testApp.db, 'customer', { distributorId: distributor.id, createdAt });
    const mail = { from: '', to: agent.email, subject: '', html: '', distributorId: distributor.id, replyTo: distributor.email };
    await testApp.db
      .insertInto('emails')
      .values([...[ago(1), ago(30), ago(40)].map((createdAt) => ({ ...mail, createdAt })), { ...mail, replyTo: null, createdAt: ago(1) }])
      .execute();
    await act('disable');
    expect(await stateOf()).toMatchObject({
      isDisabled: true,
      mails: { day: 1, month: 3 },
      added: { day: 2, month: 4 },
      lastAct: { act: 'disable', by: admin.email, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
    });
  });

  test('are possible only for admins, and only on distributors', async () => {
    for (const name of ['disable', 'enable', 'sign-out', 'unlock']) {
      for (const by of [distributor, agent]) expect(await act(name, distributor, by)).toBe(403);
      for (const person of [admin, agent, { ...agent, id: 999_999 }]) expect(await act(name, person)).toBe(404);
    }
    expect((await signIn(distributor)).statusCode).toBe(200);
  });
});
