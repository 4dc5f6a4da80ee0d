// Tests the limits of customers who join a distributor through its join link (contract §3).
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { mailedToken } from '../../../test/mail/mailed-links.ts';
import { makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { DAY, HOUR } from '../../domain/durations.ts';
import { run } from '../../server/database/db.ts';
import { renewJoinLink } from '../organization/contract.ts';
import { createUsers, disableUser, MAX_PEOPLE_PER_DAY } from '../users/contract.ts';
import { MAX_JOINED, MAX_JOINED_PER_DAY, MAX_JOINED_PER_NETWORK } from './contract.ts';
import { JOINED_IN_ALL, JOINED_OFTEN, JOINED_TODAY } from './texts.ts';

const testApp = setupTestApp();

let distributor: Person;
let code: string;
beforeEach(async () => {
  testApp.time = new Date();
  distributor = await makeDistributor(testApp.db);
  const { url } = await (await testApp.as(distributor))(renewJoinLink);
  code = new URL(url ?? '').searchParams.get('join') ?? '';
});

let made = 0;
/** Uses the join link with a new e-mail address, and returns the token of the mailed link. */
async function requested(): Promise<{ email: string; token: string }> {
  const email = `confirmed${(made += 1)}@test.example`;
  const remoteAddress = `192.0.2.${made}`;
  await testApp.app.inject({ method: 'POST', url: '/api/register', payload: { email, code }, remoteAddress });
  return { email, token: await mailedToken(testApp, email) };
}
async function accept(token: string, from = '198.51.100.1') {
  const payload = { token, password: 'Three-Sheep-42' };
  const answer = await testApp.app.inject({ method: 'POST', url: '/api/reset-password/reset', payload, remoteAddress: from });
  return [answer.statusCode, answer.statusCode === 200 ? '' : answer.body];
}
const joined = async () => await accept((await requested()).token);
/** Inserts `count` customers who joined at this time. */
const joinedBefore = (count: number, at: Date) =>
  run(
    testApp.db,
    `INSERT INTO users (email, role, "distributorId", password, "joinedAt", "createdAt")
      SELECT 'junk' || n || '-' || $1::int || '@test.example', 'customer', $1::int, 'hash', $3, $3 FROM generate_series(1, $2::int) n`,
    [distributor.id, count, at],
  );
const add = () =>
  testApp.request(distributor, {
    method: 'POST',
    url: createUsers.path.replace(':role', 'customer'),
    payload: { users: [{ email: `added${(made += 1)}@test.example` }], replyTo: distributor.email, invite: 'later' },
  });

test('customers who joined through the join link do not use up the people whom the distributor may add (reliability abuse)', async () => {
  await joinedBefore(MAX_PEOPLE_PER_DAY, testApp.time);
  expect((await add()).statusCode).toBe(201);
});

test('at most 10,000 customers can join a distributor in a day; the link of a refused customer works the next day (reliability abuse)', async () => {
  await joinedBefore(MAX_JOINED_PER_DAY - 1, testApp.time);
  expect(await joined()).toEqual([200, '']);
  const { token } = await requested();
  expect(await accept(token)).toEqual([429, JOINED_TODAY]);
  testApp.time = new Date(testApp.time.getTime() + DAY + 1000);
  expect(await accept(token)).toEqual([200, '']);
});

test(
  'a distributor has at most 50,000 customers who joined; when one is removed or disabled, another can join; the distributor can always add people itself (reliability abuse)',
  { tags: ['long'] },
  async () => {
    await joinedBefore(MAX_JOINED, new Date(testApp.time.getTime() - 2 * DAY));
    const { token } = await requested();
    expect(await accept(token)).toEqual([409, JOINED_IN_ALL]);
    expect((await add()).statusCode).toBe(201);
    const ofJunk = (number: number) =>
      testApp.db.selectFrom('users').select('id').where('email', '=', `junk${number}-${distributor.id}@test.example`);
    await testApp.db
      .updateTable('users')
      .set({ removedAt: sql`now()`, disabledAt: sql`now()` })
      .where('id', '=', ofJunk(1))
      .execute();
    expect(await accept(token)).toEqual([200, '']);
    const next = await requested();
    expect(await accept(next.token)).toEqual([409, JOINED_IN_ALL]);
    const { id: userId } = await ofJunk(2).executeTakeFirstOrThrow();
    const call = await testApp.as(distributor);
    await call(disableUser, { params: { role: 'customer', userId } });
    expect(await accept(next.token)).toEqual([200, '']);
  },
);

test(
  'at most 400 customers an hour can join from one network; customers in other networks, and customers whom the distributor added, are not refused (reliability abuse)',
  { tags: ['long'] },
  async () => {
    expect(await joined()).toEqual([200, '']);
    await testApp.db
      .updateTable('join_networks')
      .set({ requests: MAX_JOINED_PER_NETWORK })
      .where('network', '=', 'joined 198.51.100.1')
      .execute();
    const { token } = await requested();
    expect(await accept(token)).toEqual([429, JOINED_OFTEN]);
    const customer = await requested();
    await run(testApp.db, `INSERT INTO users (email, role, "distributorId") VALUES ($1, 'customer', $2)`, [customer.email, distributor.id]);
    expect(await accept(customer.token)).toEqual([200, '']);
    expect(await joined()).toEqual([429, JOINED_OFTEN]);
    expect(await accept((await requested()).token, '198.51.100.2')).toEqual([200, '']);
    testApp.time = new Date(testApp.time.getTime() + HOUR + 1000);
    expect(await accept(token)).toEqual([200, '']);
    expect(24 * MAX_JOINED_PER_NETWORK).toBeLessThan(MAX_JOINED_PER_DAY);
  },
);
