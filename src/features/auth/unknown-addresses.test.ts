// Tests failed sign-ins with many e-mail addresses from one network: they store a limited number of rows, and do not reveal which of the
// addresses have an account (contract §3).
// @module-tag long
import { beforeEach, describe, expect, test } from 'vitest';
import { makeAccounts, hashOfPassword, PASSWORD } from '../../../test/data/accounts.ts';
import { makeUser } from '../../../test/data/factories.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { comparableResponse } from '../../../test/responses.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { MAX_EMAILS_PER_NETWORK } from '../../domain/accounts/account.ts';
import { hashOfEmail } from '../../server/auth/account-lock.ts';
import { recordUnknownAttempt } from '../../server/auth/sign-in-attempts.ts';
import { run, transaction } from '../../server/database/db.ts';
import { NO_MATCH } from './texts.ts';

const testApp = setupTestApp({ TRUST_PROXY: '1' });
const NETWORK = '203.0.113.7';
const ELSEWHERE = '192.0.2.200';
const WRONG = 'Wrong-Word-1';
const REFUSED = [401, NO_MATCH];

let distributor: Person;
let customer: Person;
beforeEach(async () => {
  for (const table of ['sign_in_addresses', 'unknown_sign_ins', 'network_attempts'] as const) await testApp.db.deleteFrom(table).execute();
  ({ distributor, customer } = await makeAccounts(testApp));
});

let made = 0;
const nobody = () => `nobody${(made += 1)}@test.example`;
const later = (minutes: number) => (testApp.time = new Date(testApp.time.getTime() + minutes * 60_000));
const signIn = (email: string, { password = WRONG, address = NETWORK, cookie = '' } = {}) =>
  testApp.app.inject({ method: 'POST', url: '/api/login', payload: { email, password }, headers: { 'x-forwarded-for': address, cookie } });
const replyTo = async (...attempt: Parameters<typeof signIn>) => {
  const { statusCode, body } = await signIn(...attempt);
  return [statusCode, body];
};
const statusOf = async (...attempt: Parameters<typeof signIn>) => (await signIn(...attempt)).statusCode;
const comparable = (...attempt: Parameters<typeof signIn>) => comparableResponse(signIn(...attempt));
const triedBefore = (emailsTried: number, address = NETWORK) =>
  testApp.db
    .insertInto('sign_in_addresses')
    .values({ address, emailsTried, emailsTriedSince: testApp.time.toISOString(), windowStart: testApp.time.toISOString() })
    .execute();
const triedBy = async (address = NETWORK) =>
  (await testApp.db.selectFrom('sign_in_addresses').select('emailsTried').where('address', '=', address).executeTakeFirst())?.emailsTried;
const storedHashes = async () =>
  (await testApp.db.selectFrom('unknown_sign_ins').select('emailHash').execute()).map(({ emailHash }) => emailHash);

test('a network that has tried 2,000 e-mail addresses in a day adds no row for a further unknown one, until the next day (reliability abuse)', async () => {
  await triedBefore(MAX_EMAILS_PER_NETWORK - 1);
  const emails = Array.from({ length: iterations(300, 5000) }, nobody);
  const tryAll = async () => {
    for (const email of emails)
      await transaction(testApp.db, (db) => recordUnknownAttempt(db, email, { matches: false, now: testApp.time, address: NETWORK }));
  };
  await tryAll();
  const own = new Set(emails.map(hashOfEmail));
  const ownHashes = async () => (await storedHashes()).filter((stored) => own.has(stored));
  expect(await ownHashes()).toEqual([hashOfEmail(emails[0] ?? '')]);
  // The other addresses share rows whose keys have two characters, so that there are at most 64 * 64 of these rows in each table.
  const counts = await testApp.db.selectFrom('network_attempts').select('emailHash').execute();
  const shared = [...(await storedHashes()), ...counts.map(({ emailHash }) => emailHash)].filter((stored) => !own.has(stored));
  expect(new Set(shared.map((stored) => stored.length))).toEqual(new Set([2]));
  later(25 * 60);
  await tryAll();
  expect((await ownHashes()).length).toBe(Math.min(emails.length, MAX_EMAILS_PER_NETWORK));
});

test('the first failed sign-in with an e-mail address, known or unknown, adds one to the tried addresses of its network; an IPv6 /56 counts as one network', async () => {
  for (const email of [customer.email, nobody()]) {
    const before = (await triedBy('2001:db8:7::/56')) ?? 0;
    const counts = [];
    for (let time = 0; time < 6; time++) {
      await signIn(email, { address: `2001:db8:7:${time}::1` });
      counts.push(((await triedBy('2001:db8:7::/56')) ?? 0) - before);
    }
    expect(counts).toEqual([1, 1, 1, 1, 1, 1]);
    later(16);
    await signIn(email, { address: '2001:db8:7::1' });
    expect(await triedBy('2001:db8:7::/56')).toBe(before + 2);
  }
});

describe('a network that has tried 2,000 e-mail addresses in a day', () => {
  test('gets the same reply for addresses with and without an account, also if they are locked (contract §3; reliability abuse)', async () => {
    const password = await hashOfPassword();
    const lockedAccount = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password });
    const lockedNobody = nobody();
    for (const email of [lockedAccount.email, lockedNobody])
      for (let time = 0; time < 5; time++) await signIn(email, { address: ELSEWHERE });
    await triedBefore(MAX_EMAILS_PER_NETWORK);
    const ghost = nobody();
    const expected = await comparable(nobody());
    expect([expected.statusCode, expected.body]).toEqual(REFUSED);
    for (let time = 0; time < 7; time++)
      for (const email of [customer.email, ghost, lockedAccount.email, lockedNobody]) expect(await comparable(email)).toEqual(expected);
    expect(await replyTo(lockedAccount.email, { password: PASSWORD })).toEqual(REFUSED);
  });

  test('changes no reply to other networks, which could otherwise reveal which of its addresses have an account (contract §3; reliability abuse)', async () => {
    await triedBefore(MAX_EMAILS_PER_NETWORK);
    const ghost = nobody();
    for (const email of [customer.email, ghost]) for (let time = 0; time < 6; time++) await signIn(email);
    for (const email of [customer.email, ghost]) {
      const statuses = [];
      for (let time = 0; time < 6; time++) statuses.push(await statusOf(email, { address: ELSEWHERE }));
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    }
  });

  test('can guess the password of an account five times in 15 minutes, together with all other such networks (contract §3; reliability abuse)', async () => {
    const networks = Array.from({ length: 12 }, (_, index) => `198.51.100.${index}`);
    for (const address of networks) await triedBefore(MAX_EMAILS_PER_NETWORK, address);
    const right = { password: PASSWORD, address: networks[0] ?? '' };
    for (const address of networks.slice(0, 4)) await signIn(customer.email, { address });
    expect(await statusOf(customer.email, right)).toBe(200);
    for (const address of networks.slice(0, 5)) await signIn(customer.email, { address });
    for (const address of networks) expect(await replyTo(customer.email, { password: PASSWORD, address })).toEqual(REFUSED);
    expect(await statusOf(customer.email, { ...right, address: ELSEWHERE })).toBe(200);
    later(15);
    expect(await statusOf(customer.email, right)).toBe(200);
  });

  test('does not prolong the lock of an account by attempts during the lock, because the reply does not tell the owner about the lock', async () => {
    for (let time = 0; time < 5; time++) await signIn(customer.email, { address: ELSEWHERE });
    await triedBefore(MAX_EMAILS_PER_NETWORK);
    const right = { password: PASSWORD };
    for (let time = 0; time < 6; time++) expect(await replyTo(customer.email, right)).toEqual(REFUSED);
    later(15);
    expect(await statusOf(customer.email, right)).toBe(200);
  });

  test('signs in the owner of an account on a known device, after Unlock, and again as other networks do when the day is over', async () => {
    const device = (await signIn(customer.email, { password: PASSWORD, address: ELSEWHERE })).cookies.find(({ name }) => name === 'device');
    await triedBefore(MAX_EMAILS_PER_NETWORK);
    for (let time = 0; time < 6; time++) await signIn(customer.email);
    const right = { password: PASSWORD };
    expect(await statusOf(customer.email, right)).toBe(401);
    expect(await statusOf(customer.email, { ...right, cookie: `device=${device?.value ?? ''}` })).toBe(200);
    await testApp.request(distributor, { method: 'POST', url: `/api/users/customer/${customer.id}/unlock` });
    expect(await statusOf(customer.email, right)).toBe(200);
    later(24 * 60);
    const statuses = [];
    for (let time = 0; time < 6; time++) statuses.push(await statusOf(customer.email));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

test('a failed sign-in counts for its account and its network, even if the client disconnects before the reply (contract §3; reliability abuse)', async () => {
  const url = new URL('/api/login', await testApp.app.listen({ port: 0, host: '127.0.0.1' }));
  const client = new AbortController();
  const reply = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [customer.id]);
    const body = JSON.stringify({ email: customer.email, password: WRONG });
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': NETWORK };
    const reply = fetch(url, { method: 'POST', body, headers, signal: client.signal }).catch((error: unknown) => error);
    await waitForLockWaiters(testApp.db);
    client.abort();
    return [await reply];
  });
  expect(reply).toEqual([expect.objectContaining({ name: 'AbortError' })]);
  const failures = async () => {
    const { loginAttempts } = await testApp.db
      .selectFrom('users')
      .select('loginAttempts')
      .where('id', '=', customer.id)
      .executeTakeFirstOrThrow();
    const network = await testApp.db.selectFrom('sign_in_addresses').select('failures').where('address', '=', NETWORK).executeTakeFirst();
    return [loginAttempts, network?.failures];
  };
  await expect.poll(failures).toEqual([1, 1]);
});
