// Passwords, tokens and cookies are stored nowhere in readable form (reliability R45).
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { changePassword, requestReset, resetPassword, signIn } from '../src/features/auth/contract.ts';
import { hashPassword } from '../src/server/auth/password.ts';
import { rowsOfAll } from './database/database-rows.ts';
import { makeDistributor, makeUser } from './data/factories.ts';
import { mailedToken } from './mail/mailed-links.ts';
import { setupTestApp } from './test-app.ts';

const world = setupTestApp();

test('no password, token or cookie appears in the log or in any column of any table, whatever the response was', async () => {
  const [first, second, third, wrong] = ['Marker-Old-4711', 'Marker-New-4712', 'Marker-Reset-4713', 'Marker-Wrong-4714'];
  const distributor = await makeDistributor(world.db);
  const { email } = await makeUser(world.db, 'customer', { distributorId: distributor.id, password: await hashPassword(first) });
  world.logged.length = 0;
  const secrets: string[] = [first, second, third, wrong];
  const post = async (path: string, payload: object, cookie = '') => {
    const answer = await world.app.inject({ method: 'POST', url: path, payload, ...(cookie ? { headers: { cookie } } : {}) });
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
  const token = await mailedToken(world, email);
  secrets.push(token);
  await post(resetPassword.path, { token: `${token}x`, password: third });
  expect((await post(resetPassword.path, { token, password: third })).status).toBe(200);
  expect((await post(resetPassword.path, { token, password: third })).status).toBe(400);
  await world.app.inject({ method: 'GET', url: `/auth?token=${token}` });
  await post(signIn.path, { email, password: third });
  await post(`${signIn.path}?password=${wrong}`, { email: [third], password: { text: third } });

  const { rows: sessions } = await sql<{ row: string }>`SELECT to_jsonb(s)::text AS row FROM session_store s`.execute(world.db);
  const kept = [...(await rowsOfAll(world.db)), ...sessions.map(({ row }) => row), ...world.logged].join('\n');
  expect(secrets.length).toBeGreaterThanOrEqual(8);
  for (const secret of secrets) expect(kept.includes(secret), secret.slice(0, 12)).toBe(false);
});
