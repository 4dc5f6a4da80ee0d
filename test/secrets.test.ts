// Checks that passwords, tokens and cookies are stored nowhere in readable form (reliability R45).
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { changePassword, requestReset, resetPassword, signIn } from '../src/features/auth/contract.ts';
import { hashPassword } from '../src/server/auth/password.ts';
import { rowsOfAll } from './database/database-rows.ts';
import { addCodeApp, startCodeApp } from '../src/features/second-factor/contract.ts';
import { codeAt } from './data/second-factors.ts';
import { cookieBrowser } from './cookie-browser.ts';
import { makeDistributor, makeUser } from './data/factories.ts';
import { mailedToken } from './mail/mailed-links.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp({ SECOND_FACTOR_KEY: 'Marker-Key-4715-of-more-than-32-letters' });

/**
 * Adds a code app, and signs in with recovery codes and with a code. Adds all secret values to `secrets`: the test checks that they are
 * stored nowhere in readable form.
 */
async function signInWithSecondFactor(person: Person, secrets: string[]): Promise<void> {
  const password = 'Marker-Staff-4716';
  await testApp.db
    .updateTable('users')
    .set({ password: await hashPassword(password) })
    .where('id', '=', person.id)
    .execute();
  const call = await testApp.as(person);
  const { secret, uri } = await call(startCodeApp, { body: { password } });
  const { recoveryCodes = [] } = await call(addCodeApp, { body: { code: codeAt(secret, testApp.time) } });
  const pending = await call(startCodeApp, { body: { password } }).catch((error: unknown) => String(error));
  expect(pending).toContain('409');
  const one = cookieBrowser(testApp.app);
  const [first = '', second = ''] = recoveryCodes;
  for (const recoveryCode of [first, second]) {
    await one.signIn(person.email, password);
    secrets.push(one.jar.get('second-step') ?? '');
    expect((await one.step({ recoveryCode }))[0]).toBe(200);
    secrets.push(one.jar.get('sid') ?? '', one.jar.get('device') ?? '');
  }
  await one.signIn(person.email, password);
  await one.step({ code: `${secret}0` });
  secrets.push(password, secret, uri, ...recoveryCodes, testApp.env.secondFactorKey ?? '');
}

test('no password, token or session cookie appears in the log or in any column of any table, whatever the request', async () => {
  const [first, second, third, wrong] = ['Marker-Old-4711', 'Marker-New-4712', 'Marker-Reset-4713', 'Marker-Wrong-4714'];
  const distributor = await makeDistributor(testApp.db);
  const { email } = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: await hashPassword(first) });
  testApp.logged.length = 0;
  const secrets: string[] = [first, second, third, wrong];
  const post = async (path: string, payload: object, cookie = '') => {
    const answer = await testApp.app.inject({ method: 'POST', url: path, payload, ...(cookie ? { headers: { cookie } } : {}) });
    const set = /sid=([\w-]{20,})/.exec(String(answer.headers['set-cookie']))?.[1];
    if (set !== undefined) secrets.push(set);
    return { status: answer.statusCode, cookie: set === undefined ? '' : `sid=${set}` };
  };
  const { cookie } = await post(signIn.path, { email, password: first });
  await post(signIn.path, { email, password: wrong });
  await post(signIn.path, { email: 'nobody@home.example', password: wrong });
  await post(changePassword.path, { currentPassword: wrong, password: second }, cookie);
  expect(await post(changePassword.path, { currentPassword: first, password: second }, cookie)).toMatchObject({ status: 204 });
  await post(requestReset.path, { email });
  const token = await mailedToken(testApp, email);
  secrets.push(token);
  await post(resetPassword.path, { token: `${token}x`, password: third });
  expect((await post(resetPassword.path, { token, password: third })).status).toBe(200);
  expect((await post(resetPassword.path, { token, password: third })).status).toBe(400);
  await testApp.app.inject({ method: 'GET', url: `/auth?token=${token}` });
  await post(signIn.path, { email, password: third });
  await signInWithSecondFactor(distributor, secrets);
  await post(`${signIn.path}?password=${wrong}`, { email: [third], password: { text: third } });

  const { rows: sessions } = await sql<{ row: string }>`SELECT to_jsonb(s)::text AS row FROM session_store s`.execute(testApp.db);
  const kept = [...(await rowsOfAll(testApp.db)), ...sessions.map(({ row }) => row), ...testApp.logged].join('\n');
  expect(secrets.length).toBeGreaterThanOrEqual(8);
  for (const secret of secrets) expect(kept.includes(secret), secret.slice(0, 12)).toBe(false);
});
