// Sign-ins that wait for a locked account do not occupy the connections to the database that others need (reliability, "abuse").
import { beforeAll, expect, test } from 'vitest';
import { run, transaction } from '../src/server/database/db.ts';
import { makeCustomer, makeDistributor } from './data/factories.ts';
import { LOCK_WAITERS, waitForLockWaiters } from './database/lock-waits.ts';
import { setupTestApp, type Person } from './test-app.ts';

const testApp = setupTestApp({ TRUST_PROXY: '1' });

let account: Person;
let other: Person;
beforeAll(async () => {
  account = await makeDistributor(testApp.db);
  await testApp.db.insertInto('organizations').values({ distributorId: account.id, joinCode: 'join-code' }).execute();
  other = await makeCustomer(testApp.db, await makeDistributor(testApp.db));
});

/** Sends wrong sign-ins from different networks, because each network has its own limit. */
const wrongSignIns = (count: number) =>
  Array.from({ length: count }, (_, each) =>
    testApp.request(null, {
      method: 'POST',
      url: '/api/login',
      headers: { 'x-forwarded-for': `203.0.113.${each}` },
      payload: { email: account.email, password: 'Wrong-Word-1' },
    }),
  );

test('wrong sign-ins do not wait for a transaction that adds rows with a reference to the account, such as an import', async () => {
  const statuses = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE', [account.id]);
    return (await Promise.all(wrongSignIns(3))).map(({ statusCode }) => statusCode);
  });
  expect(statuses).toEqual([401, 401, 401]);
});

test('twenty sign-ins that wait for a locked account occupy one connection, and other people can sign in and read', async () => {
  const waiting: Promise<{ statusCode: number }>[] = [];
  await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [account.id]);
    waiting.push(...wrongSignIns(20));
    await waitForLockWaiters(testApp.db);
    const signIn = await testApp.request(null, {
      method: 'POST',
      url: '/api/login',
      payload: { email: other.email, password: 'Wrong-Word-1' },
    });
    expect(signIn.statusCode).toBe(401);
    for (const url of ['/api/distributions', '/api/contact', '/api/orders'])
      expect((await testApp.request(other, { method: 'GET', url })).statusCode).toBeLessThan(500);
    expect(await run(testApp.db, LOCK_WAITERS, [])).toHaveLength(1);
  });
  const statuses = new Set((await Promise.all(waiting)).map(({ statusCode }) => statusCode));
  expect(statuses).toEqual(new Set([401, 429]));
});

test('sign-ins of one network that wait for locked accounts occupy at most two database connections, so that people in other networks can sign in without waiting (reliability abuse)', async () => {
  const locked = await Promise.all(Array.from({ length: 8 }, () => makeCustomer(testApp.db, account)));
  const signIn = ({ email }: Person, address: string) =>
    testApp.request(null, {
      method: 'POST',
      url: '/api/login',
      headers: { 'x-forwarded-for': address },
      payload: { email, password: 'Wrong-Word-1' },
    });
  const waiting: Promise<{ statusCode: number }>[] = [];
  await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM users WHERE id = ANY($1) FOR UPDATE', [locked.map(({ id }) => id)]);
    waiting.push(...locked.map((person, network) => signIn(person, `2001:db8:1:${network}::1`)));
    await waitForLockWaiters(testApp.db, 2);
    expect((await signIn(other, '198.51.100.1')).statusCode).toBe(401);
    expect(await run(testApp.db, LOCK_WAITERS, [])).toHaveLength(2);
  });
  const statuses = new Set((await Promise.all(waiting)).map(({ statusCode }) => statusCode));
  expect(statuses).toEqual(new Set([401]));
});

test.each([
  ['reset link', '/api/reset-password/request', {}],
  ['join link', '/api/register', { code: 'join-code' }],
])('twenty requests for a %s that wait for a locked account occupy one connection, and other people can sign in', async (_, url, more) => {
  const waiting: Promise<{ statusCode: number }>[] = [];
  await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [account.id]);
    for (let each = 0; each < 20; each++)
      waiting.push(
        testApp.request(null, {
          method: 'POST',
          url,
          headers: { 'x-forwarded-for': `203.0.113.${each}` },
          payload: { email: account.email, ...more },
        }),
      );
    await waitForLockWaiters(testApp.db);
    const signIn = await testApp.request(null, {
      method: 'POST',
      url: '/api/login',
      payload: { email: other.email, password: 'Wrong-Word-1' },
    });
    expect(signIn.statusCode).toBe(401);
    expect(await run(testApp.db, LOCK_WAITERS, [])).toHaveLength(1);
  });
  expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode).filter((status) => status > 202)).toEqual([]);
});

test('a sign-in waits five seconds at most for a locked account, and then gets 503', async () => {
  await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [account.id]);
    expect((await Promise.all(wrongSignIns(1))).map(({ statusCode }) => statusCode)).toEqual([503]);
  });
}, 20_000);
