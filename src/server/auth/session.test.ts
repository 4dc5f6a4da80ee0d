import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeAdmin, makeAgent, makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction } from '../database/db.ts';
import { definePreload } from './session-preload.ts';
import { authenticateSession, closeSession, cookieName, MAX_SESSIONS_PER_USER, openSession } from './session.ts';

const testApp = setupTestApp();
const RULES = { customerIdleDays: 7, secure: false };
const START = new Date('2027-04-01T12:00:00Z');
const at = (days: number, hours = 0) => new Date(START.getTime() + (days * 24 + hours) * 3_600_000);

let distributor: Person;
let customer: Person;
let admin: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  customer = await makeCustomer(testApp.db, distributor);
  admin = await makeAdmin(testApp.db);
});

const open = async (person: Person, rules = RULES) => (await openSession(testApp.db, person, undefined, { now: START, rules })).cookie;
const isIn = async (cookie: string, when: Date) => (await authenticateSession(testApp.db, cookie, { now: when, rules: RULES })) !== null;

test("a session identifies its user and the user's tenant: a distributor is its own tenant; agents and customers belong to a distributor (spec §6; contract §3)", async () => {
  const agent = await makeAgent(testApp.db, distributor);
  for (const [person, distributorId] of [
    [distributor, null],
    [agent, distributor.id],
    [customer, distributor.id],
  ] as const) {
    const found = await authenticateSession(testApp.db, await open(person), { now: START, rules: RULES });
    const { id, email, role } = person;
    expect(found?.viewer).toEqual({
      userId: id,
      email,
      role,
      distributorId,
      tenantId: distributor.id,
      mayTakePayments: false,
      mustAddSecondFactor: false,
      hasJoined: false,
      signedInAt: START.toISOString(),
    });
  }
});

test('authenticateSession identifies the user of each of many concurrent requests, with the data that is read together with the session', async () => {
  const people = [distributor, customer, admin, await makeAgent(testApp.db, distributor), await makeCustomer(testApp.db, distributor)];
  const cookies = await Promise.all(people.map((person) => open(person)));
  const query = definePreload<{ first: number; second: readonly number[] }, object>({
    name: 'a number and a list',
    args: { first: 'int', second: 'int[]' },
    sql: 'SELECT viewer."userId" AS "for", args.first, args.second',
  });
  const calls = Array.from({ length: 60 }, (_, n) => ({ n, whose: n % 6, hour: n % 2 }));
  const found = await Promise.all(
    calls.map(({ n, whose, hour }) =>
      authenticateSession(testApp.db, cookies[whose] ?? 'nobody', {
        now: at(0, hour * 3),
        rules: RULES,
        preload: { query, parameters: query.parametersOf({ first: n, second: [n, whose] }) },
      }),
    ),
  );
  const expected = calls.map(({ n, whose, hour }) => {
    const id = people[whose]?.id;
    // The calls with `hour` 1 are made three hours after the sign-in, when only the admin's session has ended.
    return id === undefined || (id === admin.id && hour === 1) ? null : [id, { for: id, first: n, second: [n, whose] }];
  });
  expect(found.map((result) => result && [result.viewer.userId, result.preloaded])).toEqual(expected);
});

test('a session lookup that fails does not make the other lookups of its batch fail', async () => {
  const cookie = await open(customer);
  const query = definePreload<{ divisor: number }, object>({
    name: 'a division',
    args: { divisor: 'int' },
    sql: 'SELECT 12 / args.divisor AS share',
  });
  const read = (divisor: number) =>
    authenticateSession(testApp.db, cookie, { now: START, rules: RULES, preload: { query, parameters: query.parametersOf({ divisor }) } });
  const [good, bad, alsoGood] = await Promise.allSettled([read(4), read(0), read(3)]);
  expect([good, alsoGood]).toMatchObject([{ value: { preloaded: { share: 3 } } }, { value: { preloaded: { share: 4 } } }]);
  expect(bad).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
});

describe('a session ends', () => {
  test('for a customer after seven idle days (contract §1)', async () => {
    const cookie = await open(customer);
    expect(await isIn(cookie, at(6, 23))).toBe(true);
    expect(await isIn(cookie, at(13, 22))).toBe(true);
    expect(await isIn(cookie, at(21))).toBe(false);
  });

  test('for a customer after thirty days at most, even if it is used every day', async () => {
    const cookie = await open(customer);
    for (let day = 5; day < 30; day += 5) expect(await isIn(cookie, at(day))).toBe(true);
    expect(await isIn(cookie, at(29, 23))).toBe(true);
    expect(await isIn(cookie, at(30, 1))).toBe(false);
  });

  test('for a customer after thirty days, also if SESSION_DAYS is greater (contract §1)', async () => {
    const rules = { ...RULES, customerIdleDays: 365 };
    const cookie = await open(customer, rules);
    const isInAt = async (when: Date) => (await authenticateSession(testApp.db, cookie, { now: when, rules })) !== null;
    expect([await isInAt(at(29, 23)), await isInAt(at(30, 1))]).toEqual([true, false]);
  });

  test('for an admin after two idle hours, and after twelve hours at most', async () => {
    const idle = await open(admin);
    expect([await isIn(idle, at(0, 1)), await isIn(idle, at(0, 4))]).toEqual([true, false]);
    const busy = await open(admin);
    for (let hour = 1; hour < 12; hour += 1) expect(await isIn(busy, at(0, hour))).toBe(true);
    expect(await isIn(busy, at(0, 12))).toBe(false);
  });

  test('for staff after twelve idle hours, and after seven days at most (contract §1)', async () => {
    const idle = await open(distributor);
    expect([await isIn(idle, at(0, 12)), await isIn(idle, at(0, 13))]).toEqual([false, false]);
    const busy = await open(distributor);
    for (let hour = 10; hour < 7 * 24; hour += 10) expect(await isIn(busy, at(0, hour))).toBe(true);
    expect(await isIn(busy, at(7, 1))).toBe(false);
  });

  test("when SESSION_DAYS was lowered, after the lower number of days since the session's last use (contract §1)", async () => {
    const [idle, used, busy] = [await open(customer), await open(customer), await open(customer)];
    const shorter = { ...RULES, customerIdleDays: 2 };
    const sessionOf = (cookie: string, when: Date, rules = shorter) => authenticateSession(testApp.db, cookie, { now: when, rules });
    await sessionOf(used, at(2), RULES);
    await sessionOf(busy, at(6), { ...RULES, customerIdleDays: 60 });
    expect(await sessionOf(idle, at(3))).toBeNull();
    expect((await sessionOf(used, at(3)))?.renewedUntil).toEqual(at(5));
    expect(await sessionOf(used, at(5, 1))).toBeNull();
    expect(await sessionOf(busy, at(31), { ...RULES, customerIdleDays: 29 })).toBeNull();
    expect((await sessionOf(busy, at(7)))?.renewedUntil).toEqual(at(9));
  });

  test('when SESSION_DAYS was lowered and an earlier server version opened the session, after the lower number of days since the next use', async () => {
    const cookie = await open(customer);
    await sql`UPDATE session_store SET sess = sess - 'idle' WHERE "userId" = ${customer.id}`.execute(testApp.db);
    const sessionAt = (when: Date) => authenticateSession(testApp.db, cookie, { now: when, rules: { ...RULES, customerIdleDays: 2 } });
    expect((await sessionAt(at(3)))?.renewedUntil).toEqual(at(5));
    expect(await sessionAt(at(5, 1))).toBeNull();
  });

  test("when its user signs out with it; the user's other sessions stay open", async () => {
    const [cookie, other] = [await open(customer), await open(customer)];
    await closeSession(testApp.db, cookie);
    expect([await isIn(cookie, START), await isIn(other, START)]).toEqual([false, true]);
  });
});

test('a session whose row is locked, for example while its user is being disabled, is valid and is not renewed; the request does not wait (reliability abuse)', async () => {
  const cookie = await open(customer);
  const found = await transaction(testApp.db, async (db) => {
    await run(db, 'SELECT 1 FROM session_store WHERE "userId" = $1 FOR UPDATE', [customer.id]);
    return await authenticateSession(testApp.db, cookie, { now: at(1), rules: RULES });
  });
  expect([found?.viewer.userId, found?.renewedUntil]).toEqual([customer.id, null]);
  expect((await authenticateSession(testApp.db, cookie, { now: at(1), rules: RULES }))?.renewedUntil).toEqual(at(8));
});

test('a request soon after the previous one does not write to the session; a later one extends the session', async () => {
  const cookie = await open(customer);
  expect((await authenticateSession(testApp.db, cookie, { now: at(0, 1), rules: RULES }))?.renewedUntil).toBeNull();
  expect((await authenticateSession(testApp.db, cookie, { now: at(1), rules: RULES }))?.renewedUntil).toEqual(at(8));
});

test('when a session is extended, the reply renews the session cookie', async () => {
  testApp.time = START;
  const cookie = `sid=${await open(customer)}`;
  testApp.time = at(1);
  const answer = await testApp.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } });
  expect(answer.headers['set-cookie']).toBe(`${cookie}; Path=/; Expires=Fri, 09 Apr 2027 12:00:00 GMT; HttpOnly; SameSite=Lax`);
});

test.each(['', 'x', 'x'.repeat(101), '\u0000', "' OR 1=1"])('the cookie %j belongs to no session', async (cookie) => {
  expect(await authenticateSession(testApp.db, cookie, { now: START, rules: RULES })).toBeNull();
});

test('the stored hash of a cookie does not open a session', async () => {
  const cookie = await open(customer);
  const rows = await testApp.db.selectFrom('session_store').select('sid').where('userId', '=', customer.id).execute();
  expect(rows.map((row) => row.sid)).not.toContain(cookie);
  for (const { sid } of rows) expect(await isIn(sid, START)).toBe(false);
});

test('the session cookie has the __Host- prefix when the site uses https (contract §3)', () => {
  expect([cookieName(RULES), cookieName({ ...RULES, secure: true })]).toEqual(['sid', '__Host-sid']);
});

test('a slow query that is read together with the session of one distribution does not delay the sessions of others (reliability abuse)', async () => {
  const cookie = await open(customer);
  const query = definePreload<{ distributionId: number }, object>({
    name: 'slow for the first distribution',
    args: { distributionId: 'int' },
    sql: 'SELECT CASE args."distributionId" WHEN 1 THEN pg_advisory_xact_lock_shared(1)::text END AS waited',
  });
  const read = (distributionId: number) =>
    authenticateSession(testApp.db, cookie, {
      now: START,
      rules: RULES,
      preload: { query, parameters: query.parametersOf({ distributionId }) },
    });
  const slow: ReturnType<typeof read>[] = [];
  await transaction(testApp.db, async (db) => {
    // Until this transaction ends, the query waits for this lock.
    await run(db, 'SELECT pg_advisory_xact_lock(1)', []);
    slow.push(read(1), read(1), read(1));
    expect((await read(2))?.viewer.userId).toBe(customer.id);
  });
  await Promise.all(slow);
});

test(
  'a user has at most 1,000 sessions; when another one is opened, the oldest ends (reliability growth)',
  { tags: ['long'] },
  async () => {
    const cookies = [];
    for (let n = 0; n <= MAX_SESSIONS_PER_USER; n++)
      cookies.push((await openSession(testApp.db, customer, undefined, { now: at(0, n / 1500), rules: RULES })).cookie);
    const other = await open(distributor);
    const states = await Promise.all([cookies[0], cookies[1], cookies.at(-1), other].map((cookie) => isIn(cookie ?? '', at(0, 1))));
    expect(states).toEqual([false, true, true, true]);
  },
);
