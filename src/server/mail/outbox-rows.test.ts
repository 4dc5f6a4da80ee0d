// These tests check in which sequence the outbox sends mails, and how fast workers claim them (contract §8).
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { iterations } from '../../../test/setup/iterations.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run } from '../database/db.ts';
import { claimDue, newRoundRobin, type Mail } from './outbox-rows.ts';
import { enqueueAll, type NewMail } from './outbox.ts';

const testApp = setupTestApp();
/** The number of mails of one group that a worker sends at the same time. */
const MOST = 3;

let distributors: Person[];
let customers: Person[];
beforeAll(async () => {
  distributors = (await Promise.all(Array.from({ length: 8 }, () => makeDistributor(testApp.db)))).toSorted((a, b) => a.id - b.id);
  customers = await Promise.all(distributors.map((distributor) => makeCustomer(testApp.db, distributor)));
});
beforeEach(async () => {
  await testApp.db.deleteFrom('emails').execute();
});

/** Queues `count` mails of a kind for a distributor. By default, the mails were queued an hour ago. */
async function queue(place: number, kind: NewMail['kind'], count: number, minutesAgo = 60): Promise<void> {
  const at = new Date(testApp.time.getTime() - minutesAgo * 60_000);
  const mail = { kind, userId: customers[place]?.id ?? 0, distributorId: distributors[place]?.id ?? null, at };
  await enqueueAll(
    testApp.db,
    Array.from({ length: count }, () => mail),
  );
}
const places = (mails: readonly Mail[]) => mails.map(({ distributorId }) => distributors.findIndex(({ id }) => id === distributorId));
const byPlace = (mails: readonly Mail[]) => places(mails).toSorted((a, b) => a - b);

/** Claims mails in rounds, like a worker, until `count` mails are claimed. */
async function claimed(count: number, turns = newRoundRobin()): Promise<Mail[]> {
  const mails: Mail[] = [];
  while (mails.length < count) {
    const until = new Date(testApp.time.getTime() + 60_000);
    const more = await claimDue(testApp.db, turns, { now: testApp.time, until, sending: [] });
    if (more.length === 0) break;
    mails.push(...more);
  }
  return mails;
}

test('the outbox worker claims a password reset for another distributor’s customer before 2,500 invitations that were queued earlier', async () => {
  await queue(0, 'invitation', 2500);
  await queue(1, 'reset', 1, 0);
  const [first] = await claimed(1);
  expect(first).toMatchObject({ kind: 'reset', distributorId: distributors[1]?.id });
});

/** Queues join links of one distributor that were requested two hours ago. */
async function queueJoins(place: number, count: number): Promise<void> {
  const at = new Date(testApp.time.getTime() - 120 * 60_000);
  const join = { kind: 'join' as const, to: 'joiner@test.example', joinDistributorId: distributors[place]?.id ?? 0, at };
  await enqueueAll(
    testApp.db,
    Array.from({ length: count }, () => join),
  );
}
const kindsOf = (mails: readonly Mail[]) => mails.map(({ kind }) => kind).toSorted((a, b) => a.localeCompare(b));

test('the outbox worker claims password resets before join links, and before notices that an account exists, that were queued earlier', async () => {
  for (const place of [0, 1, 2, 3, 4, 5]) await queueJoins(place, 50);
  await queue(7, 'exists', 50);
  await queue(7, 'reset', 2, 0);
  expect(kindsOf(await claimed(4))).toEqual(['join', 'join', 'reset', 'reset']);
});

test('password resets, join links and other mails each keep one of the five places, and share the others', async () => {
  for (const place of [0, 1, 2, 3, 4, 5]) await queueJoins(place, 50);
  for (const place of [6, 7]) await queue(place, 'reset', 2, 0);
  await queue(7, 'confirmation', 1, 0);
  const sending = await claimed(5);
  expect(kindsOf(sending)).toEqual(['confirmation', 'join', 'reset', 'reset', 'reset']);
  const claim = { now: testApp.time, until: new Date(testApp.time.getTime() + 60_000) };
  const withPlaceOf = (kind: string) => sending.filter((mail) => mail.kind !== kind);
  expect(await claimDue(testApp.db, newRoundRobin(), { ...claim, sending })).toEqual([]);
  expect(await claimDue(testApp.db, newRoundRobin(), { ...claim, sending: withPlaceOf('confirmation') }), 'no such mail is left').toEqual(
    [],
  );
  const more = await claimDue(testApp.db, newRoundRobin(), { ...claim, sending: withPlaceOf('reset') });
  expect(kindsOf(more)).toEqual(['join', 'join', 'reset']);
});

test('the mails of one distributor occupy at most two of the five places in a group, and three in all', async () => {
  await queueJoins(0, 10);
  await queue(0, 'confirmation', 10);
  const claim = { now: testApp.time, until: new Date(testApp.time.getTime() + 60_000) };
  const sending = await claimDue(testApp.db, newRoundRobin(), { ...claim, sending: [] });
  expect(kindsOf(sending)).toEqual(['confirmation', 'join', 'join']);
  await queue(0, 'reset', 10);
  expect(await claimDue(testApp.db, newRoundRobin(), { ...claim, sending })).toEqual([]);
  await queue(1, 'bulk', 1);
  await queue(1, 'reset', 1);
  const more = await claimDue(testApp.db, newRoundRobin(), { ...claim, sending });
  expect([kindsOf(more), byPlace(more)]).toEqual([
    ['bulk', 'reset'],
    [1, 1],
  ]);
});

test(
  'the outbox worker claims mails of the distributors in turn, however many mails each has queued and however long ago',
  { tags: ['long'] },
  async () => {
    await queue(0, 'bulk', 500);
    for (const place of [1, 2, 3, 4, 5, 6]) await queue(place, 'invitation', 3, 0);
    await queue(7, 'bulk', 3, 0);
    const mails = await claimed(24);
    expect(byPlace(mails.slice(0, 8)), 'the first turns').toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(byPlace(mails)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7]);
    const rest = await claimed(1000);
    expect(places(rest)).toEqual(Array.from({ length: 497 }, () => 0));
  },
);

test('within a distributor, the outbox worker claims mails that customers wait for before bulk mail, each by due time', async () => {
  await queue(0, 'bulk', 7, 60);
  await queue(0, 'confirmation', 2, 10);
  await queue(0, 'invitation', 2, 5);
  expect((await claimed(11)).map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 2 }, () => 'confirmation'),
    ...Array.from({ length: 2 }, () => 'invitation'),
    ...Array.from({ length: 7 }, () => 'bulk'),
  ]);
});

test('within a distributor, the outbox worker first claims the mails of networks that have requested few links, however many mails of other networks are due earlier (reliability abuse)', async () => {
  const mail = { kind: 'reset', userId: customers[0]?.id ?? 0, distributorId: distributors[0]?.id ?? 0 } as const;
  const at = (minutesAgo: number) => new Date(testApp.time.getTime() - minutesAgo * 60_000);
  const flood = Array.from({ length: 300 }, (_, index) => ({ ...mail, at: at(10), networkRequests: index + 1 }));
  await enqueueAll(testApp.db, [...flood, { ...mail, at: at(1), networkRequests: 1 }, { ...mail, at: at(0), networkRequests: 2 }]);
  expect((await claimed(6)).map(({ networkRequests }) => networkRequests)).toEqual([1, 1, 2, 2, 3, 4]);
});

test('mails that are due later, or are claimed by another worker, are not claimed, and do not delay other mails', async () => {
  await queue(0, 'confirmation', 30, -5);
  await queue(1, 'bulk', 2);
  await queue(2, 'bulk', 2);
  const until = new Date(testApp.time.getTime() + 60_000);
  const claim = () => claimDue(testApp.db, newRoundRobin(), { now: testApp.time, until, sending: [] });
  const workers = await Promise.all(Array.from({ length: 6 }, claim));
  const all = workers.flat();
  expect(byPlace(all)).toEqual([1, 1, 2, 2]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(4);
});

test(
  'the outbox worker claims mails as fast while 100,000 mails of 1,000 distributors are queued as while 2,000 are',
  { tags: ['long'] },
  async () => {
    const queued = iterations(20_000, 100_000);
    const fill = `INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "createdAt", "nextAttemptAt")
    SELECT CASE WHEN n % 3 = 0 THEN 'invitation' ELSE 'bulk' END, '', 'a@test.example', '', '', CASE WHEN n % 2 = 0 THEN 1 ELSE n % 1000 END, $2, $2
    FROM generate_series(1, $1::int) n`;
    const turns = newRoundRobin();
    /** Queues more mails, and returns the milliseconds of the fastest of 40 claims. */
    const fastestClaimWith = async (more: number): Promise<number> => {
      await run(testApp.db, fill, [more, new Date(testApp.time.getTime() - 60_000)]);
      // In a running product, the autovacuum of PostgreSQL updates the statistics of the table within a minute.
      await run(testApp.db, 'ANALYZE emails', []);
      const times: number[] = [];
      for (let round = 0; round < 40; round++) {
        const began = performance.now();
        expect(await claimed(MOST, turns)).toHaveLength(MOST);
        times.push(performance.now() - began);
      }
      return Math.min(...times);
    };
    const ofFew = await fastestClaimWith(2000);
    const ofMany = await fastestClaimWith(queued - 2000);
    process.stdout.write(
      `the fastest claim takes ${ofFew.toFixed(1)} ms of 2,000 queued mails, and ${ofMany.toFixed(1)} ms of ${queued}\n`,
    );
    // Other programs on the machine may slow down most claims, but a claim that reads all queued mails is slow every time.
    expect(ofMany).toBeLessThan(4 * ofFew);
  },
);
