// Tests the second step of a sign-in (contract §19).
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { cookieBrowser } from '../../../test/cookie-browser.ts';
import { codeAt } from '../../../test/data/second-factors.ts';
import { makeCustomer, makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { mailedToken } from '../../../test/mail/mailed-links.ts';
import { CLOCK, setupTestApp, type Person } from '../../../test/test-app.ts';
import { buildApi } from '../../api.ts';
import { hashPassword } from '../../server/auth/password.ts';
import { newCodeSecret } from '../../server/auth/second-factor/code-app.ts';
import { LOCKED, RESET_DONE } from '../auth/texts.ts';
import { renewCodes } from '../second-factor/queries.ts';
import { WRONG_CODE } from '../second-factor/texts.ts';
import { STEP_EXPIRED } from './texts.ts';

const testApp = setupTestApp();
const PASSWORD = 'Three-Sheep-42';
const NEW_PASSWORD = 'Four-Sheep-42';
let stored: string;
let distributor: Person;
let secret: string;
beforeAll(async () => {
  stored = await hashPassword(PASSWORD);
});
beforeEach(async () => {
  testApp.time = new Date(CLOCK);
  distributor = await makeUser(testApp.db, 'distributor', { password: stored });
  secret = newCodeSecret();
});

const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const code = (steps = 0) => codeAt(secret, new Date(testApp.time.getTime() + steps * 30_000));
const wrongCode = () => String((Number(code()) + 500_000) % 1_000_000).padStart(6, '0');

async function addCodeApp(person = distributor): Promise<string[]> {
  await testApp.db.insertInto('code_apps').values({ userId: person.id, secret, usedAt: null }).execute();
  return await renewCodes(testApp.db, person.id);
}

function browser({ app = testApp.app } = {}) {
  const one = cookieBrowser(app);
  return { ...one, signIn: (password = PASSWORD, { email } = distributor) => one.signIn(email, password) };
}

const user = () => ({ id: distributor.id, email: distributor.email, role: 'distributor', distributorId: null });

test('without a second factor, the password opens the session (contract §19)', async () => {
  const one = browser();
  const answer = await one.signIn();
  expect([answer.statusCode, answer.json(), await one.isIn()]).toEqual([200, user(), true]);
  expect(answer.cookies.map(({ name }) => name)).not.toContain('second-step');
});

test('for a user with an authenticator app, the sign-in with the password returns secondFactor without a session, and the code opens the session (contract §19)', async () => {
  await addCodeApp();
  const one = browser();
  const answer = await one.signIn();
  expect([answer.statusCode, answer.json(), await one.isIn()]).toEqual([200, { secondFactor: ['code'] }, false]);
  expect(answer.cookies.map(({ name }) => name)).toEqual(['second-step']);
  expect(answer.cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  expect([await one.step({ code: code() }), await one.isIn()]).toEqual([[200, user()], true]);
});

test('the cookie that is set between the two steps of a sign-in is refused by all other calls', async () => {
  await addCodeApp();
  const one = browser();
  await one.signIn();
  const pending = one.jar.get('second-step') ?? '';
  for (const cookie of [`sid=${pending}`, `second-step=${pending}`])
    expect((await testApp.app.inject({ method: 'GET', url: '/api/distributions', headers: { cookie } })).statusCode).toBe(401);
});

describe('a code of a code app', () => {
  beforeEach(async () => {
    await addCodeApp();
  });

  test('of the previous, current or next time step is accepted, and no other', async () => {
    const outcomes: number[] = [];
    for (const steps of [-2, 2, -1, 0, 1]) {
      const one = browser();
      await one.signIn();
      outcomes.push((await one.step({ code: code(steps) }))[0]);
    }
    expect(outcomes).toEqual([401, 401, 200, 200, 200]);
  });

  test('is accepted with the space that apps show', async () => {
    const one = browser();
    await one.signIn();
    expect((await one.step({ code: `${code().slice(0, 3)} ${code().slice(3)}` }))[0]).toBe(200);
  });

  test('is accepted only once, even in concurrent sign-ins at several server processes (contract §19)', async () => {
    const other = await buildApi({ db: testApp.db, env: testApp.env, now: () => testApp.time }, pino({ level: 'silent' }));
    const browsers = Array.from({ length: 4 }, (_, index) => browser({ app: index % 2 === 0 ? testApp.app : other }));
    for (const one of browsers) await one.signIn();
    const now = code();
    const outcomes = await Promise.all(browsers.map((one) => one.step({ code: now })));
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(1);
    expect(outcomes.filter(([, said]) => said === WRONG_CODE)).toHaveLength(3);
    expect((await Promise.all(browsers.map((one) => one.isIn()))).filter(Boolean)).toHaveLength(1);
    const again = browser();
    await again.signIn();
    expect(await again.step({ code: now })).toEqual([401, WRONG_CODE]);
    expect((await again.step({ code: code(1) }))[0]).toBe(200);
    await other.close();
  });

  test('that is wrong five times locks the account for 15 minutes, whatever passwords are typed in between (contract §3, §19)', async () => {
    const one = browser();
    for (let failure = 0; failure < 5; failure++) {
      // The right password alone does not reset the count of wrong codes.
      if (failure % 2 === 0) expect((await one.signIn()).json()).toEqual({ secondFactor: ['code'] });
      expect(await one.step({ code: wrongCode() })).toEqual([401, WRONG_CODE]);
    }
    expect(await one.step({ code: code() })).toEqual([429, LOCKED]);
    expect((await browser().signIn()).statusCode).toBe(429);
    later(16);
    const owner = browser();
    await owner.signIn();
    // The server refused this code because the account was locked, so the user can still use the code afterwards.
    expect((await owner.step({ code: code() }))[0]).toBe(200);
  });

  test('is checked for only five of many concurrent guesses; the other guesses are refused', async () => {
    const browsers = Array.from({ length: 5 }, () => browser());
    for (const one of browsers) await one.signIn();
    const guesses = await Promise.all(browsers.flatMap((one) => Array.from({ length: 4 }, () => one.step({ code: wrongCode() }))));
    expect(guesses.filter(([status]) => status === 401)).toHaveLength(5);
    expect(guesses.filter(([status]) => status === 429)).toHaveLength(15);
  });

  test('signs the owner in on a known device while somebody else who knows the password has locked the account', async () => {
    const known = browser();
    await known.signIn();
    expect((await known.step({ code: code() }))[0]).toBe(200);
    const stranger = browser();
    await stranger.signIn();
    for (let failure = 0; failure < 5; failure++) await stranger.step({ code: wrongCode() });
    expect((await stranger.step({ code: wrongCode() }))[0]).toBe(429);
    await known.signIn();
    expect((await known.step({ code: code(1) }))[0]).toBe(200);
  });

  test('is refused after 100 wrong codes in a row, until the user signs in with a recovery code (decision 22)', async () => {
    const codes = await renewCodes(testApp.db, distributor.id);
    await testApp.db.updateTable('code_apps').set({ failures: 100 }).where('userId', '=', distributor.id).execute();
    const one = browser();
    await one.signIn();
    expect(await one.step({ code: code() })).toEqual([401, WRONG_CODE]);
    expect((await one.step({ recoveryCode: codes[0] ?? '' }))[0]).toBe(200);
    const next = browser();
    await next.signIn();
    expect((await next.step({ code: code() }))[0]).toBe(200);
  });
});

describe('a sign-in between its two steps', () => {
  beforeEach(async () => {
    await addCodeApp();
  });

  test('expires after ten minutes', async () => {
    const one = browser();
    await one.signIn();
    later(10);
    expect(await one.step({ code: code() })).toEqual([401, STEP_EXPIRED]);
  });

  test('opens only one session, even when its cookie is copied to another browser', async () => {
    const one = browser();
    await one.signIn();
    const pending = one.jar.get('second-step') ?? '';
    expect((await one.step({ code: code() }))[0]).toBe(200);
    const copy = browser();
    copy.jar.set('second-step', pending);
    expect(await copy.step({ code: code(1) })).toEqual([401, STEP_EXPIRED]);
  });

  test("belongs to one user: the code of another user's app is refused", async () => {
    const other = await makeUser(testApp.db, 'distributor', { password: stored });
    await testApp.db.insertInto('code_apps').values({ userId: other.id, secret: newCodeSecret(), usedAt: null }).execute();
    const one = browser();
    await one.signIn(PASSWORD, other);
    expect(await one.step({ code: code() })).toEqual([401, WRONG_CODE]);
  });

  test.each(['', 'planted', 'x'.repeat(200)])('is refused with the invalid cookie %j', async (cookie) => {
    const one = browser();
    one.jar.set('second-step', cookie);
    expect(await one.step({ code: code() })).toEqual([401, STEP_EXPIRED]);
    expect((await one.post('/api/login/second-factor/challenge')).statusCode).toBe(409);
  });

  test('ends when the password changes, when all sessions end and when the user is disabled', async () => {
    const ends = [
      () => testApp.request(distributor, { method: 'POST', url: '/api/user/sign-out-everywhere' }),
      () =>
        testApp.request(distributor, {
          method: 'POST',
          url: '/api/user/password',
          payload: { currentPassword: PASSWORD, password: NEW_PASSWORD },
        }),
    ];
    for (const end of ends) {
      const one = browser();
      await one.signIn();
      expect((await end()).statusCode).toBe(204);
      expect(await one.step({ code: code() })).toEqual([401, STEP_EXPIRED]);
    }
    const one = browser();
    await one.signIn(NEW_PASSWORD);
    await testApp.db.updateTable('users').set({ disabledAt: testApp.time.toISOString() }).where('id', '=', distributor.id).execute();
    expect((await one.step({ code: code() }))[0]).toBe(401);
    expect(await one.isIn()).toBe(false);
  });

  test('accepts exactly one second factor per request', async () => {
    const one = browser();
    await one.signIn();
    for (const payload of [{}, { code: code(), recoveryCode: 'x' }])
      expect(await one.step(payload)).toEqual([400, 'Send exactly one of code, recoveryCode and passkey.']);
    expect((await one.step({ code: code() }))[0]).toBe(200);
  });
});

describe('a mailed link', () => {
  const resetWith = async (one: ReturnType<typeof browser>) => {
    await one.post('/api/reset-password/request', { email: distributor.email });
    const token = await mailedToken(testApp, distributor.email);
    return await one.post('/api/reset-password/reset', { token, password: NEW_PASSWORD });
  };

  test('sets the password and still asks for the second factor (contract §19)', async () => {
    await addCodeApp();
    const one = browser();
    const reset = await resetWith(one);
    expect([reset.statusCode, reset.json(), await one.isIn()]).toEqual([200, { message: RESET_DONE, secondFactor: ['code'] }, false]);
    expect((await browser().signIn(NEW_PASSWORD)).json()).toEqual({ secondFactor: ['code'] });
    expect([(await one.step({ code: code() }))[0], await one.isIn()]).toEqual([200, true]);
  });

  test('signs the owner in with the right code, even if others lock the account with wrong passwords before the code is typed (reliability abuse)', async () => {
    await addCodeApp();
    const one = browser();
    await resetWith(one);
    const stranger = browser();
    for (let failure = 0; failure < 5; failure++) await stranger.signIn('Wrong-Word-1');
    expect((await stranger.signIn(NEW_PASSWORD)).statusCode).toBe(429);
    expect([(await one.step({ code: code() }))[0], await one.isIn()]).toEqual([200, true]);
    // The completed sign-in ends the lock and makes the browser a known device.
    expect((await stranger.signIn(NEW_PASSWORD)).statusCode).toBe(200);
  });

  test('allows ten wrong codes, which do not lock the account but count toward the 100 wrong codes that disable the code app (decision 22)', async () => {
    await addCodeApp();
    const one = browser();
    await resetWith(one);
    for (let failure = 0; failure < 10; failure++) expect(await one.step({ code: wrongCode() })).toEqual([401, WRONG_CODE]);
    expect(await one.step({ code: code() })).toEqual([401, STEP_EXPIRED]);
    const { failures } = await testApp.db
      .selectFrom('code_apps')
      .select('failures')
      .where('userId', '=', distributor.id)
      .executeTakeFirstOrThrow();
    expect(failures).toBe(10);
    const next = browser();
    await next.signIn(NEW_PASSWORD);
    expect((await next.step({ code: code() }))[0]).toBe(200);
  });

  test('signs users without a second factor in immediately', async () => {
    const one = browser();
    const reset = await resetWith(one);
    expect([reset.json(), await one.isIn()]).toEqual([{ message: RESET_DONE }, true]);
  });
});

test('a customer with stored second factors signs in with the password alone', async () => {
  const customer = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
  await testApp.db.updateTable('users').set({ password: stored }).where('id', '=', customer.id).execute();
  await addCodeApp(customer);
  const one = browser();
  expect([(await one.signIn(PASSWORD, customer)).statusCode, await one.isIn()]).toEqual([200, true]);
});

test('a wrong password gets the same reply with and without a second factor', async () => {
  await addCodeApp();
  const plain = await makeUser(testApp.db, 'distributor', { password: stored });
  const [one, other] = [await browser().signIn('Wrong-Word-1'), await browser().signIn('Wrong-Word-1', plain)];
  expect([one.statusCode, one.body, one.cookies]).toEqual([other.statusCode, other.body, other.cookies]);
});
