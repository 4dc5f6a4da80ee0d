// Tests setting up, removing and requiring a second factor (contract §19).
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeAt } from '../../../test/data/second-factors.ts';
import { cookieBrowser } from '../../../test/cookie-browser.ts';
import { makeCustomer, makeUser } from '../../../test/data/factories.ts';
import { softwarePasskey } from '../../../test/data/passkeys/software-passkey.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { CLOCK, setupTestApp, type Person } from '../../../test/test-app.ts';
import { hashPassword } from '../../server/auth/password.ts';
import { endSessions, lockUser } from '../../server/auth/session.ts';
import { transaction } from '../../server/database/db.ts';
import { ADD_SECOND_FACTOR } from '../../shared/texts.ts';
import { LOCKED, NOT_YOUR_PASSWORD } from '../auth/texts.ts';
import { ONLY_AGENTS_NEED_SECOND_FACTOR } from '../users/texts.ts';
import type { SecondFactor } from './contract.ts';
import { HAS_CODE_APP, IS_REQUIRED, NO_FACTOR, NOT_ACCEPTED, PASSKEY_KNOWN, START_AGAIN, TOO_MANY_PASSKEYS, WRONG_CODE } from './texts.ts';

const testApp = setupTestApp();
const OWN = '/api/user/second-factor';
const password = 'Three-Sheep-42';
let stored: string;
let admin: Person;
let distributor: Person;
let agent: Person;
beforeAll(async () => {
  stored = await hashPassword(password);
});
beforeEach(async () => {
  testApp.time = new Date(CLOCK);
  admin = await makeUser(testApp.db, 'admin', { password: stored });
  distributor = await makeUser(testApp.db, 'distributor', { password: stored });
  agent = await makeUser(testApp.db, 'agent', { password: stored, distributorId: distributor.id });
});

const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
async function post(person: Person, url: string, payload?: object): Promise<[number, unknown]> {
  const { statusCode, body, headers } = await testApp.request(person, { method: 'POST', url, ...(payload ? { payload } : {}) });
  return [statusCode, String(headers['content-type']).includes('json') ? JSON.parse(body) : body];
}
const own = async (person: Person) => (await testApp.request(person, { method: 'GET', url: OWN })).json<SecondFactor>();
const setUp = async (person: Person) => (await post(person, `${OWN}/code-app/start`, { password }))[1] as { secret: string; uri: string };

async function addCodeApp(person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await setUp(person);
  const [status, added] = await post(person, `${OWN}/code-app`, { code: codeAt(secret, testApp.time) });
  expect(status).toBe(201);
  return { secret, recoveryCodes: (added as { recoveryCodes?: string[] }).recoveryCodes ?? [] };
}

async function addPasskey(person: Person, name = 'Phone'): Promise<[number, unknown]> {
  const [, options] = await post(person, `${OWN}/passkeys/start`, { password });
  const passkey = softwarePasskey().create((options as { challenge: string }).challenge);
  return await post(person, `${OWN}/passkeys`, { name, passkey });
}

const signIn = async ({ email }: Person) => (await cookieBrowser(testApp.app).signIn(email, password)).json<object>();

test('a change of the second factor that waits while somebody ends the sessions of the user is refused (reliability abuse)', async () => {
  const signedOutDuring = async (url: string, payload: object) => {
    const waiting = await transaction(testApp.db, async (db) => {
      await lockUser(db, distributor.id);
      const answer = post(distributor, url, payload);
      await waitForLockWaiters(testApp.db);
      await endSessions(db, distributor.id);
      return { answer };
    });
    return (await waiting.answer)[0];
  };
  const { secret } = await setUp(distributor);
  expect(await signedOutDuring(`${OWN}/code-app`, { code: codeAt(secret, testApp.time) })).toBe(401);
  expect((await own(distributor)).codeApp).toBeNull();
  await addCodeApp(distributor);
  expect(await signedOutDuring(`${OWN}/code-app/remove`, { password })).toBe(401);
  expect((await own(distributor)).codeApp).not.toBeNull();
});

test.each(['admin', 'distributor', 'agent'] as const)(
  'a user with the role %s can add a code app and a passkey, and remove both (contract §19)',
  async (role) => {
    const person = { admin, distributor, agent }[role];
    expect(await own(person)).toEqual({ passkeys: [], codeApp: null, recoveryCodes: 0, isRequired: false });
    const { recoveryCodes } = await addCodeApp(person);
    expect([recoveryCodes.length, await signIn(person)]).toEqual([10, { secondFactor: ['code'] }]);
    // Only the response to the first factor contains recovery codes.
    expect(await addPasskey(person)).toEqual([201, {}]);
    expect(await signIn(person)).toEqual({ secondFactor: ['passkey', 'code'] });
    const { passkeys, ...rest } = await own(person);
    const at = CLOCK.toISOString();
    const stamps = { createdAt: expect.any(String), usedAt: null };
    expect(passkeys).toEqual([{ id: expect.any(Number), name: 'Phone', ...stamps, createdAt: at }]);
    expect(rest).toEqual({ codeApp: stamps, recoveryCodes: 10, isRequired: false });
    expect(await post(person, `${OWN}/code-app/remove`, { password })).toEqual([204, '']);
    expect(await post(person, `${OWN}/passkeys/${passkeys[0]?.id ?? 0}/remove`, { password })).toEqual([204, '']);
    expect(await own(person)).toEqual({ passkeys: [], codeApp: null, recoveryCodes: 0, isRequired: false });
    expect(await signIn(person)).toMatchObject({ id: person.id });
  },
);

test('a customer cannot set up a second factor (contract §19)', async () => {
  const customer = await makeCustomer(testApp.db, distributor);
  expect((await testApp.request(customer, { method: 'GET', url: OWN })).statusCode).toBe(403);
  expect((await post(customer, `${OWN}/code-app/start`, { password }))[0]).toBe(403);
});

describe('adding a second factor', () => {
  test('requires the password; wrong passwords lock the account as they do at sign-in', async () => {
    for (let failure = 0; failure < 5; failure++)
      expect(await post(distributor, `${OWN}/code-app/start`, { password: 'Wrong-1' })).toEqual([400, NOT_YOUR_PASSWORD]);
    for (const path of ['code-app/start', 'passkeys/start', 'recovery-codes', 'code-app/remove'])
      expect(await post(distributor, `${OWN}/${path}`, { password })).toEqual([429, LOCKED]);
  });

  test("ends the user's sessions in other browsers, and keeps the session that adds the second factor (contract §19)", async () => {
    const [here, there] = [cookieBrowser(testApp.app), cookieBrowser(testApp.app)];
    for (const one of [here, there]) expect((await one.signIn(distributor.email, password)).statusCode).toBe(200);
    const started = await here.post(`${OWN}/code-app/start`, { password });
    const { secret } = started.json<{ secret: string }>();
    expect((await here.post(`${OWN}/code-app`, { code: codeAt(secret, testApp.time) })).statusCode).toBe(201);
    expect([await here.isIn(), await there.isIn()]).toEqual([true, false]);
  });

  test('requires, for a code app, one code of the app within ten minutes; the code works once', async () => {
    expect(await post(distributor, `${OWN}/code-app`, { code: '123456' })).toEqual([409, START_AGAIN]);
    const { secret, uri } = await setUp(distributor);
    expect(uri).toContain(`secret=${secret}`);
    const wrong = codeAt(secret, new Date(testApp.time.getTime() + 300_000));
    expect(await post(distributor, `${OWN}/code-app`, { code: wrong })).toEqual([400, WRONG_CODE]);
    const code = codeAt(secret, testApp.time);
    const outcomes = await Promise.all([1, 2, 3].map(() => post(distributor, `${OWN}/code-app`, { code })));
    // Adding the app ends the sessions of the other two requests. They get 401, or 409 if the app was added before they looked for the set-up.
    expect(outcomes.filter(([status]) => status === 201)).toHaveLength(1);
    expect(outcomes.filter(([status]) => status === 409 || status === 401)).toHaveLength(2);
    expect(await post(distributor, `${OWN}/code-app/start`, { password })).toEqual([409, HAS_CODE_APP]);
    const { secret: second } = await setUp(agent);
    later(10);
    expect(await post(agent, `${OWN}/code-app`, { code: codeAt(second, testApp.time) })).toEqual([409, START_AGAIN]);
  });

  test('does not allow a sign-in with the code that confirmed a code app', async () => {
    const { secret } = await addCodeApp(distributor);
    const one = cookieBrowser(testApp.app);
    await one.signIn(distributor.email, password);
    expect(await one.step({ code: codeAt(secret, testApp.time) })).toEqual([401, WRONG_CODE]);
  });

  test('requires, for a passkey, the response to an unused challenge that the server made for adding a passkey on this site', async () => {
    const passkey = softwarePasskey();
    expect(await post(distributor, `${OWN}/passkeys`, { name: 'Phone', passkey: passkey.create('Y2hhbGxlbmdl') })).toEqual([
      409,
      START_AGAIN,
    ]);
    const started = async (person: Person) =>
      ((await post(person, `${OWN}/passkeys/start`, { password }))[1] as { challenge: string }).challenge;
    const challenge = await started(distributor);
    const elsewhere = softwarePasskey({ rpId: 'evil.example', origin: 'https://evil.example' }).create(challenge);
    for (const wrong of [passkey.create('Y2hhbGxlbmdl'), elsewhere])
      expect(await post(distributor, `${OWN}/passkeys`, { name: 'Phone', passkey: wrong })).toEqual([400, NOT_ACCEPTED]);
    const made = passkey.create(challenge);
    expect((await post(distributor, `${OWN}/passkeys`, { name: 'Phone', passkey: made }))[0]).toBe(201);
    expect(await post(distributor, `${OWN}/passkeys`, { name: 'Phone', passkey: made })).toEqual([409, START_AGAIN]);
    const copy = passkey.create(await started(agent));
    expect(await post(agent, `${OWN}/passkeys`, { name: 'Phone', passkey: copy })).toEqual([409, PASSKEY_KNOWN]);
  });

  test('is refused when the user has 20 passkeys', async () => {
    const passkeys = Array.from({ length: 20 }, () => ({
      userId: distributor.id,
      credentialId: softwarePasskey().id,
      publicKey: Buffer.from('key'),
      name: 'Phone',
      usedAt: null,
    }));
    await testApp.db.insertInto('passkeys').values(passkeys).execute();
    expect(await post(distributor, `${OWN}/passkeys/start`, { password })).toEqual([409, TOO_MANY_PASSKEYS]);
  });
});

test("a user can rename only the user's own passkeys; other users' passkeys are not found", async () => {
  await addPasskey(distributor);
  const [passkey] = (await own(distributor)).passkeys;
  const url = `${OWN}/passkeys/${passkey?.id ?? 0}`;
  const rename = (person: Person, name: string) => testApp.request(person, { method: 'PATCH', url, payload: { name } });
  expect([(await rename(distributor, 'Blue key')).statusCode, (await rename(agent, 'Mine')).statusCode]).toEqual([204, 404]);
  expect((await rename(distributor, ' ')).statusCode).toBe(400);
  expect((await post(agent, `${url}/remove`, { password }))[0]).toBe(404);
  expect((await own(distributor)).passkeys).toMatchObject([{ name: 'Blue key' }]);
});

test('when a user requests new recovery codes, the old codes stop working (contract §19)', async () => {
  expect(await post(distributor, `${OWN}/recovery-codes`, { password })).toEqual([409, NO_FACTOR]);
  const { recoveryCodes: before } = await addCodeApp(distributor);
  const [status, renewed] = await post(distributor, `${OWN}/recovery-codes`, { password });
  const { recoveryCodes: after } = renewed as { recoveryCodes: string[] };
  expect([status, after.length, after.filter((code) => before.includes(code))]).toEqual([201, 10, []]);
  const one = cookieBrowser(testApp.app);
  await one.signIn(distributor.email, password);
  expect((await one.step({ recoveryCode: before[0] ?? '' }))[0]).toBe(401);
  expect((await one.step({ recoveryCode: after[0] ?? '' }))[0]).toBe(200);
  expect((await own(distributor)).recoveryCodes).toBe(9);
});

describe('an agent from whom the distributor requires a second factor', () => {
  const demand = (requireSecondFactor: unknown, { by = distributor, person = agent, role = 'agent' } = {}) =>
    testApp.request(by, { method: 'PATCH', url: `/api/users/${role}/${person.id}`, payload: { requireSecondFactor } });
  const reads = async () => {
    const { statusCode, body } = await testApp.request(agent, { method: 'GET', url: '/api/distributions' });
    return [statusCode, statusCode === 200 ? '' : body];
  };

  test('signs in with the password, must set up a second factor, and can do nothing else until then (contract §19)', async () => {
    expect((await demand(true)).json()).toMatchObject({ userId: agent.id, requireSecondFactor: true });
    const me = { id: agent.id, email: agent.email, role: 'agent', distributorId: distributor.id };
    expect(await signIn(agent)).toEqual({ ...me, mustAddSecondFactor: true });
    expect((await testApp.request(agent, { method: 'GET', url: '/api/user' })).json()).toEqual({ ...me, mustAddSecondFactor: true });
    expect(await reads()).toEqual([403, ADD_SECOND_FACTOR]);
    expect((await own(agent)).isRequired).toBe(true);
    await addCodeApp(agent);
    expect(await reads()).toEqual([200, '']);
    expect((await testApp.request(agent, { method: 'GET', url: '/api/user' })).json()).toEqual(me);
    expect(await signIn(agent)).toEqual({ secondFactor: ['code'] });
  });

  test('cannot remove the last second factor, but can replace it by another one', async () => {
    await demand(true);
    await addCodeApp(agent);
    expect(await post(agent, `${OWN}/code-app/remove`, { password })).toEqual([409, IS_REQUIRED]);
    expect((await own(agent)).codeApp).not.toBeNull();
    await addPasskey(agent);
    expect((await post(agent, `${OWN}/code-app/remove`, { password }))[0]).toBe(204);
  });

  test('can be exempted again; the list of agents and the audit trail show each change', async () => {
    await demand(true);
    await demand(true);
    await demand(false);
    const list = (await testApp.request(distributor, { method: 'GET', url: '/api/users/agent' })).json<object[]>();
    expect(list).toHaveLength(1);
    expect(list[0]).not.toHaveProperty('requireSecondFactor');
    expect(await reads()).toEqual([200, '']);
    expect(await userTrail()).toEqual([
      ['require-second-factor', distributor.id],
      ['release-second-factor', distributor.id],
    ]);
  });

  test("must be the distributor's own agent, not a customer or somebody of another distributor", async () => {
    const customer = await makeCustomer(testApp.db, distributor);
    const refused = await demand(true, { person: customer, role: 'customer' });
    expect([refused.statusCode, refused.body]).toEqual([400, ONLY_AGENTS_NEED_SECOND_FACTOR]);
    const stranger = await makeUser(testApp.db, 'distributor');
    expect((await demand(true, { by: stranger })).statusCode).toBe(404);
    expect((await demand('yes')).statusCode).toBe(400);
  });
});

const userTrail = async () => {
  const rows = await testApp.db.selectFrom('user_audit').selectAll().where('userId', '=', agent.id).orderBy('id').execute();
  return rows.map(({ act, updatedBy }) => [act, updatedBy]);
};

describe("removing another user's second factor", () => {
  test("is possible for a distributor when the user is the distributor's agent; the agent's sessions end, and the audit trail names the distributor (contract §19)", async () => {
    await addCodeApp(agent);
    const one = cookieBrowser(testApp.app);
    await one.signIn(agent.email, password);
    const list = (await testApp.request(distributor, { method: 'GET', url: '/api/users/agent' })).json<object[]>();
    expect(list).toMatchObject([{ userId: agent.id, hasSecondFactor: true }]);
    const url = `/api/users/agent/${agent.id}/second-factor/reset`;
    expect((await post(await makeUser(testApp.db, 'distributor'), url))[0]).toBe(404);
    expect((await post(agent, url))[0]).toBe(403);
    expect(await post(distributor, url)).toEqual([204, '']);
    expect(await post(distributor, url)).toEqual([204, '']);
    expect((await one.step({ code: '000000' }))[0]).toBe(401);
    expect(await signIn(agent)).toMatchObject({ id: agent.id });
    expect(await userTrail()).toEqual([
      ['second-factor-on', agent.id],
      ['second-factor-off', distributor.id],
    ]);
  });

  test('is possible for an admin when the user is a distributor; the list of distributors shows which admin did it (contract §19)', async () => {
    const { recoveryCodes } = await addCodeApp(distributor);
    expect(recoveryCodes).toHaveLength(10);
    const url = `/api/distributors/${distributor.id}/second-factor/reset`;
    const state = async () => {
      const all = (await testApp.request(admin, { method: 'GET', url: '/api/distributors/states' })).json<{ id: number }[]>();
      return all.find(({ id }) => id === distributor.id);
    };
    expect(await state()).toMatchObject({ hasSecondFactor: true, lastAct: { act: 'second-factor-on', by: distributor.email } });
    expect((await post(distributor, url))[0]).toBe(403);
    expect(await post(admin, url)).toEqual([204, '']);
    expect(await state()).toMatchObject({ lastAct: { act: 'second-factor-off', by: admin.email } });
    expect(await state()).not.toHaveProperty('hasSecondFactor');
    expect(await signIn(distributor)).toMatchObject({ id: distributor.id });
    const left = await testApp.db.selectFrom('recovery_codes').selectAll().where('userId', '=', distributor.id).execute();
    expect(left).toEqual([]);
  });
});
