// Tests that a user with a second factor can change the second factors only with the password and after a recent sign-in (contract §19).
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeAt } from '../../../test/data/second-factors.ts';
import { cookieBrowser } from '../../../test/cookie-browser.ts';
import { makeUser } from '../../../test/data/factories.ts';
import { softwarePasskey } from '../../../test/data/passkeys/software-passkey.ts';
import { CLOCK, setupTestApp, type Person } from '../../../test/test-app.ts';
import { hashPassword } from '../../server/auth/password.ts';
import { newCodeSecret } from '../../server/auth/second-factor/code-app.ts';
import type { SecondFactor } from './contract.ts';
import { renewCodes } from './queries.ts';
import { SIGN_IN_AGAIN } from './texts.ts';

const testApp = setupTestApp();
const OWN = '/api/user/second-factor';
const password = 'Three-Sheep-42';
let stored: string;
let distributor: Person;
beforeAll(async () => {
  stored = await hashPassword(password);
});
beforeEach(async () => {
  testApp.time = new Date(CLOCK);
  distributor = await makeUser(testApp.db, 'distributor', { password: stored });
});

const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const own = async () => (await testApp.request(distributor, { method: 'GET', url: OWN })).json<SecondFactor>();

describe('when a user has a second factor', () => {
  const secret = newCodeSecret();
  const code = () => codeAt(secret, testApp.time);
  let recoveryCodes: string[];
  let passkeyId: number;
  beforeEach(async () => {
    const userId = distributor.id;
    await testApp.db.insertInto('code_apps').values({ userId, secret, usedAt: null }).execute();
    const passkey = { userId, credentialId: softwarePasskey().id, publicKey: Buffer.from('key'), name: 'Phone', usedAt: null };
    ({ id: passkeyId } = await testApp.db.insertInto('passkeys').values(passkey).returning('id').executeTakeFirstOrThrow());
    recoveryCodes = await renewCodes(testApp.db, userId);
  });

  test('every change of the second factors needs, besides the password, a sign-in with a second factor in the last ten minutes (contract §19)', async () => {
    const one = cookieBrowser(testApp.app);
    await one.signIn(distributor.email, password);
    expect((await one.step({ code: code() }))[0]).toBe(200);
    later(10);
    const before = await own();
    for (const change of ['passkeys/start', `passkeys/${passkeyId}/remove`, 'recovery-codes', 'code-app/start', 'code-app/remove']) {
      const answer = await one.post(`${OWN}/${change}`, { password });
      expect([change, answer.statusCode, answer.body]).toEqual([change, 403, SIGN_IN_AGAIN]);
    }
    expect(await own()).toEqual(before);
    await one.signIn(distributor.email, password);
    expect((await one.step({ code: code() }))[0]).toBe(200);
    later(9);
    expect((await one.post(`${OWN}/passkeys/${passkeyId}/remove`, { password })).statusCode).toBe(204);
  });

  test('a password change does not count as a new sign-in: the next change of the second factors still needs a sign-in (contract §19)', async () => {
    const one = cookieBrowser(testApp.app);
    await one.signIn(distributor.email, password);
    expect((await one.step({ code: code() }))[0]).toBe(200);
    later(10);
    const changed = 'Four-Goats-43';
    expect((await one.post('/api/user/password', { currentPassword: password, password: changed })).statusCode).toBe(204);
    const answer = await one.post(`${OWN}/code-app/remove`, { password: changed });
    expect([answer.statusCode, answer.body]).toEqual([403, SIGN_IN_AGAIN]);
    expect((await own()).codeApp).toBeTruthy();
  });

  test('the second factor can be removed after a sign-in with a recovery code, but not with the password alone (contract §19)', async () => {
    const one = cookieBrowser(testApp.app);
    expect((await one.signIn(distributor.email, password)).json()).toEqual({ secondFactor: ['passkey', 'code'] });
    expect((await one.post(`${OWN}/code-app/remove`, { password })).statusCode).toBe(401);
    expect((await one.step({ recoveryCode: recoveryCodes[0] }))[0]).toBe(200);
    expect((await one.post(`${OWN}/code-app/remove`, { password })).statusCode).toBe(204);
    const trail = testApp.db.selectFrom('distributor_audit').select('act').where('distributorId', '=', distributor.id).orderBy('id');
    expect((await trail.execute()).map(({ act }) => act)).toEqual(['recovery-code', 'second-factor-off']);
  });
});

test('a user without a second factor can add the first one at any time after the sign-in (contract §19)', async () => {
  const one = cookieBrowser(testApp.app);
  await one.signIn(distributor.email, password);
  later(60);
  expect((await one.post(`${OWN}/code-app/start`, { password })).statusCode).toBe(200);
});
