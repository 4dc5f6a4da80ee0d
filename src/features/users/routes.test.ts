import { beforeEach, describe, expect, test } from 'vitest';
import { mailedToken, mailsTo } from '../../../test/mail/mailed-links.ts';
import { hashOfPassword, makeAccounts, PASSWORD } from '../../../test/data/accounts.ts';
import { makeAgent, makeCustomer, makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { changeUser, disableUser, enableUser, inviteUser, listUsers, unlockUser } from './contract.ts';

const testApp = setupTestApp();
const HAS_ACCOUNT = 'This e-mail address already has an account.';
const HAS_SIGNED_IN = 'This person has signed in already.';
const IS_DISABLED = 'This account is disabled.';

let distributor: Person;
let customer: Person;
beforeEach(async () => ({ distributor, customer } = await makeAccounts(testApp)));

let made = 0;
const fresh = () => `mended${(made += 1)}@test.example`;
const post = (url: string, payload: object, cookie = '') =>
  testApp.app.inject({ method: 'POST', url, payload, headers: cookie ? { cookie } : {} });
const signIn = (email: string, password = PASSWORD) => post('/api/login', { email, password });
const cookieOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers['set-cookie']).split(';')[0] ?? '';
const isIn = async (cookie: string) =>
  (await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } })).statusCode === 200;
const act = (
  name: 'unlock' | 'invite' | 'disable' | 'enable',
  person = customer,
  by: Person | null = distributor,
  role: string = person.role,
) => testApp.request(by, { method: 'POST', url: `/api/users/${role}/${person.id}/${name}` });
const correctEmail = (email: string, person = customer, by: Person | null = distributor, role: string = person.role) =>
  testApp.request(by, { method: 'PATCH', url: `/api/users/${role}/${person.id}`, payload: { email } });
const said = async (answer: ReturnType<typeof act>) => {
  const { statusCode, body } = await answer;
  return [statusCode, body];
};
const rowOf = (person: Person) => testApp.db.selectFrom('users').selectAll().where('id', '=', person.id).executeTakeFirstOrThrow();
const hasSignedIn = (person: Person) =>
  testApp.db.updateTable('users').set({ lastLoginAt: '2027-03-01T12:00:00Z' }).where('id', '=', person.id).execute();

test("the server lists a distributor's customers sorted by name, customers without a name last, and agents in a separate list (spec §3, §7)", async () => {
  const distributor = await makeDistributor(testApp.db);
  const zev = await makeCustomer(testApp.db, distributor, { firstName: 'Zev', lastName: 'Adler' });
  const noa = await makeCustomer(testApp.db, distributor, { firstName: 'Noa', lastName: 'Adler' });
  const unnamed = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, disabledAt: '2027-03-01T12:00:00Z' });
  await testApp.db
    .updateTable('users')
    .set({ lockedUntil: '2027-04-01T12:15:00Z', lastLoginAt: '2027-04-01T11:00:00Z' })
    .where('id', '=', zev.id)
    .execute();
  const agent = await makeAgent(testApp.db, distributor);
  await makeCustomer(testApp.db, await makeDistributor(testApp.db));

  const call = await testApp.as(distributor);
  const usual = {
    firstName: null,
    lastName: null,
    phone: null,
    lockedUntil: null,
    hasSignedIn: false,
    isInvited: false,
    isDisabled: false,
  };
  const zevs = { ...usual, userId: zev.id, email: zev.email, firstName: 'Zev', lastName: 'Adler', phone: '555-0100' };
  expect(await call(listUsers, { params: { role: 'customer' } })).toEqual([
    { ...usual, userId: noa.id, email: noa.email, firstName: 'Noa', lastName: 'Adler', phone: '555-0100' },
    { ...zevs, lockedUntil: '2027-04-01T12:15:00.000Z', hasSignedIn: true },
    { ...usual, userId: unnamed.id, email: unnamed.email, isDisabled: true },
  ]);
  expect(await call(listUsers, { params: { role: 'agent' } })).toEqual([{ ...usual, userId: agent.id, email: agent.email }]);
});

const NO_ROLES = ['admin', 'distributor', 'Customer', 'CUSTOMER', 'customers', 'customer ', ' agent', 'agents', 'Agent', 'agent\t'];
const NO_ROLES_EITHER = ['public', '', '0', 'null', '__proto__', 'constructor', 'toString', 'agent%00', 'customer,agent', 'x'.repeat(400)];

test.each([...NO_ROLES, ...NO_ROLES_EITHER])(
  'a path with the role %j, which is neither agent nor customer, lists nobody and creates nobody (spec §7)',
  async (role) => {
    const url = `/api/users/${encodeURIComponent(role)}`;
    const payload = { users: [{ email: fresh() }], replyTo: distributor.email };
    for (const answer of [
      await testApp.request(distributor, { method: 'GET', url }),
      await testApp.request(distributor, { method: 'POST', url, payload }),
      await testApp.request(distributor, { method: 'POST', url: `${url}/${distributor.id}/disable` }),
    ]) {
      expect(answer.statusCode).toBe(404);
    }
    const people = await testApp.db.selectFrom('users').select('id').where('distributorId', '=', distributor.id).execute();
    expect(people).toEqual([{ id: customer.id }]);
  },
);

describe('other people’s customers and agents', () => {
  test('are not found and not changed, whichever role the path names; users are also not found under the path of another role', async () => {
    const other = await makeDistributor(testApp.db);
    const foreign = await makeCustomer(testApp.db, other);
    const agent = await makeAgent(testApp.db, distributor);
    const before = [await rowOf(foreign), await rowOf(agent), await rowOf(distributor)];
    for (const [person, role] of [
      [foreign, 'customer'],
      [foreign, 'agent'],
      [agent, 'customer'],
      [distributor, 'customer'],
      [{ ...customer, id: 2_000_000_000 }, 'customer'],
    ] as const) {
      for (const name of ['unlock', 'invite', 'disable', 'enable'] as const) {
        expect(await said(act(name, person, distributor, role))).toEqual([404, 'User not found']);
      }
      expect(await said(correctEmail(fresh(), person, distributor, role))).toEqual([404, 'User not found']);
    }
    expect([await rowOf(foreign), await rowOf(agent), await rowOf(distributor)]).toEqual(before);
    expect(await mailsTo(testApp, foreign.id)).toEqual([]);
  });

  test('cannot be changed by agents, customers and signed-out visitors', async () => {
    for (const by of [await makeAgent(testApp.db, distributor), customer]) {
      expect(await said(act('disable', customer, by))).toEqual([403, 'Your role may not do this.']);
      expect(await said(correctEmail(fresh(), customer, by))).toEqual([403, 'Your role may not do this.']);
    }
    expect(await said(act('disable', customer, null))).toEqual([401, 'Please sign in.']);
  });
});

describe('unlocking a user', () => {
  test('lets the owner sign in at once, after any number of failures (contract §3)', async () => {
    for (let failure = 0; failure < 6; failure++) await signIn(customer.email, 'Wrong-Word-1');
    expect((await signIn(customer.email)).statusCode).toBe(429);
    const call = await testApp.as(distributor);
    expect(await call(unlockUser, { params: { role: 'customer', userId: customer.id } })).toBeUndefined();
    expect(await rowOf(customer)).toMatchObject({ loginAttempts: 0, lockedUntil: null });
    expect((await signIn(customer.email)).statusCode).toBe(200);
    expect(await said(act('unlock'))).toEqual([204, '']);
  });
});

describe('disabling a user', () => {
  test('ends every session at once, and enabling does not restore them (contract §3)', async () => {
    const cookies = [cookieOf(await signIn(customer.email)), cookieOf(await signIn(customer.email))];
    const call = await testApp.as(distributor);
    await call(disableUser, { params: { role: 'customer', userId: customer.id } });
    expect(await Promise.all(cookies.map(isIn))).toEqual([false, false]);
    expect(await call(listUsers, { params: { role: 'customer' } })).toMatchObject([{ userId: customer.id, isDisabled: true }]);
    await call(enableUser, { params: { role: 'customer', userId: customer.id } });
    expect(await Promise.all(cookies.map(isIn))).toEqual([false, false]);
    expect(await isIn(cookieOf(await signIn(customer.email)))).toBe(true);
  });

  test('gives the right password the same replies as a wrong one: 401, and after five attempts 429', async () => {
    await act('disable');
    const other = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: await hashOfPassword() });
    for (let time = 1; time <= 7; time++) {
      const [right, wrong] = [await signIn(customer.email), await signIn(other.email, 'Wrong-Word-1')];
      expect([right.statusCode, right.body]).toEqual([wrong.statusCode, wrong.body]);
      expect([right.statusCode, right.headers['set-cookie']]).toEqual([time <= 5 ? 401 : 429, undefined]);
    }
  });

  test('stops password reset mails, and invalidates links that were mailed before', async () => {
    await post('/api/reset-password/request', { email: customer.email });
    const token = await mailedToken(testApp, customer.email);
    await act('disable');
    const answer = await post('/api/reset-password/reset', { token, password: 'Four-Sheep-42' });
    expect([answer.statusCode, answer.body]).toEqual([400, 'This link is invalid or has expired.']);
    await post('/api/reset-password/request', { email: customer.email });
    expect(await mailsTo(testApp, customer.id)).toEqual(['reset']);
    expect(await said(act('invite'))).toEqual([409, IS_DISABLED]);
    expect(await said(correctEmail(fresh()))).toEqual([409, IS_DISABLED]);
  });

  test('also ends a session that the person opens at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const person = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: await hashOfPassword() });
      const signingIn = signIn(person.email);
      if (round % 2) await new Promise((resolve) => setTimeout(resolve, 5 * round));
      await Promise.all([signingIn, act('disable', person)]);
      await act('enable', person);
      expect(await isIn(cookieOf(await signingIn))).toBe(false);
    }
  });
});

describe('inviting a user again', () => {
  test('sends a mail to a person who never signed in; replies go to the inviter (contract §3)', async () => {
    const call = await testApp.as(distributor);
    await call(inviteUser, { params: { role: 'customer', userId: customer.id } });
    expect(await testApp.db.selectFrom('emails').selectAll().where('userId', '=', customer.id).execute()).toMatchObject([
      { kind: 'invitation', status: 'queued', distributorId: distributor.id, replyTo: distributor.email },
    ]);
    await hasSignedIn(customer);
    expect(await said(act('invite'))).toEqual([409, HAS_SIGNED_IN]);
    expect(await mailsTo(testApp, customer.id)).toEqual(['invitation']);
  });

  test('does not invalidate links that were mailed before; using one link invalidates the others', async () => {
    await act('invite');
    const first = await mailedToken(testApp, customer.email);
    await act('invite');
    const second = await mailedToken(testApp, customer.email);
    const answers = [];
    for (const token of [first, second, first])
      answers.push((await post('/api/reset-password/reset', { token, password: 'Four-Sheep-42' })).statusCode);
    expect(answers).toEqual([200, 400, 400]);
  });

  test('is refused after the third invitation within an hour (contract §3)', async () => {
    for (const left of [2, 1, 0]) expect([left, (await act('invite')).statusCode]).toEqual([left, 204]);
    expect(await said(act('invite'))).toEqual([429, 'This person was invited three times within the hour. Try again later.']);
    testApp.time = new Date('2027-04-01T13:00:01Z');
    expect((await act('invite')).statusCode).toBe(204);
  });
});

describe('correcting an e-mail address', () => {
  test('sends a new invitation to the new address (contract §3)', async () => {
    const email = fresh();
    const call = await testApp.as(distributor);
    const item = await call(changeUser, {
      params: { role: 'customer', userId: customer.id },
      body: { email: ` ${email.toUpperCase()} ` },
    });
    const unnamed = {
      firstName: null,
      lastName: null,
      phone: null,
      lockedUntil: null,
      hasSignedIn: false,
      isInvited: true,
      isDisabled: false,
    };
    expect(item).toEqual({ ...unnamed, userId: customer.id, email });
    const token = await mailedToken(testApp, email);
    expect((await post('/api/reset-password/reset', { token, password: 'Four-Sheep-42' })).statusCode).toBe(200);
    expect((await signIn(email, 'Four-Sheep-42')).statusCode).toBe(200);
    expect(await said(correctEmail(fresh()))).toEqual([409, HAS_SIGNED_IN]);
  });

  test('stops the queued invitation to the wrong address; the log of e-mails states the reason', async () => {
    await act('invite');
    await correctEmail(fresh());
    const mails = await testApp.db
      .selectFrom('emails')
      .select(['status', 'response'])
      .where('userId', '=', customer.id)
      .orderBy('id')
      .execute();
    expect(mails).toEqual([
      { status: 'suppressed', response: 'The address was corrected before this e-mail was sent.' },
      { status: 'queued', response: null },
    ]);
  });

  test('invalidates the link that was mailed to the wrong address', async () => {
    await act('invite');
    const token = await mailedToken(testApp, customer.email);
    const email = fresh();
    await correctEmail(email);
    expect((await post('/api/reset-password/reset', { token, password: 'Four-Sheep-42' })).statusCode).toBe(400);
    expect((await signIn(email)).statusCode).toBe(401);
    expect((await signIn(customer.email)).statusCode).toBe(401);
  });

  test('is refused when the new address is in use or invalid', async () => {
    const other = await makeDistributor(testApp.db);
    for (const taken of [await makeCustomer(testApp.db, distributor), await makeCustomer(testApp.db, other), distributor]) {
      expect(await said(correctEmail(taken.email.toUpperCase()))).toEqual([409, HAS_ACCOUNT]);
    }
    for (const email of ['', 'rivka', 'a@test.example\r\nBcc: b@test.example']) {
      expect(await said(correctEmail(email))).toEqual([400, 'Invalid email address']);
    }
    expect(await rowOf(customer)).toMatchObject({ email: customer.email, password: await hashOfPassword() });
    expect(await mailsTo(testApp, customer.id)).toEqual([]);
    expect((await correctEmail(customer.email)).statusCode).toBe(200);
  });

  test('to an address that another user gets at the same moment succeeds for one of the two; the other request is refused with a message', async () => {
    for (let round = 0; round < 10; round++) {
      const email = fresh();
      const rival = await makeUser(testApp.db, 'customer', { distributorId: distributor.id });
      const [mended, alsoMended, created] = await Promise.all([
        correctEmail(email),
        correctEmail(email, rival),
        testApp.request(distributor, {
          method: 'POST',
          url: '/api/users/customer',
          payload: { users: [{ email }], replyTo: distributor.email },
        }),
      ]);
      const [result] = created.json();
      const outcomes = [mended, alsoMended].map((answer) => (answer.statusCode === 200 ? 'has it' : `${answer.statusCode} ${answer.body}`));
      outcomes.push(result.success ? 'has it' : `409 ${result.error}`);
      expect(outcomes.toSorted((a, b) => a.localeCompare(b))).toEqual([`409 ${HAS_ACCOUNT}`, `409 ${HAS_ACCOUNT}`, 'has it']);
    }
  });
});
