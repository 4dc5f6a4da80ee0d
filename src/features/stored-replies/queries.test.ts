import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeAgent, makeCustomer, makeDistributor } from '../../../test/data/factories.ts';
import { waitForLockWaiters } from '../../../test/database/lock-waits.ts';
import { setupTestApp, type Person } from '../../../test/test-app.ts';
import { run, transaction, type Db } from '../../server/database/db.ts';

const testApp = setupTestApp();

let distributor: Person;
let agents: Person[];
let customer: Person;
beforeEach(async () => {
  distributor = await makeDistributor(testApp.db);
  agents = [await makeAgent(testApp.db, distributor), await makeAgent(testApp.db, distributor)];
  // The name is a word of the name that a former customer gets, so a reply that is erased twice is different.
  customer = await makeCustomer(testApp.db, distributor, { firstName: 'Dulcinea', lastName: 'Customer' });
});
afterEach(() => vi.restoreAllMocks());

const forget = async () => {
  const answer = await testApp.request(distributor, { method: 'POST', url: `/api/users/customer/${customer.id}/forget` });
  return answer.statusCode;
};
const STORE = `INSERT INTO idempotency_keys ("userId", key, "bodyHash", status, reply, "createdAt")
  SELECT $1, $2 || n, 'x', 200, $4, $5 FROM generate_series(1, $3::int) n`;
/** Stores replies about the customer to requests of this person, with the keys `${key}1`, `${key}2` and so on. */
const storeReplies = (db: Db, by: Person, key: string, count: number) => {
  const reply = JSON.stringify({ userId: customer.id, sentence: 'This is Dulcinea Customer.' });
  return run(db, STORE, [by.id, key, count, reply, new Date(testApp.time.getTime() - 3_600_000)]);
};
const storedReplies = async (): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  const staff = [distributor, ...agents].map(({ id }) => id);
  for (const { reply } of await testApp.db.selectFrom('idempotency_keys').select('reply').where('userId', 'in', staff).execute())
    counts.set(reply ?? '', (counts.get(reply ?? '') ?? 0) + 1);
  return counts;
};
const erased = () => JSON.stringify({ userId: customer.id, sentence: `This is Former customer ${customer.id}.` });

const CLIENT = pg.Client.prototype as unknown as { query: (statement: object) => Promise<pg.QueryResult<object>> };
const hasReplies = ({ fields }: pg.QueryResult<object>): boolean => fields.some(({ name }) => name === 'reply');

interface Reads {
  statements: number;
  replies: number;
}
/** Counts the statements that return stored replies, and these replies, in transactions and outside of them. */
function countReads(): { inTransaction: Reads; outside: Reads } {
  const reads = { inTransaction: { statements: 0, replies: 0 }, outside: { statements: 0, replies: 0 } };
  const open = new Set<pg.Client>();
  const { query } = CLIENT;
  const counted = async function (this: pg.Client, statement: { text: string }) {
    if (/^(BEGIN|START)/.test(statement.text)) open.add(this);
    if (/^(COMMIT|ROLLBACK)$/.test(statement.text)) open.delete(this);
    const where = open.has(this) ? reads.inTransaction : reads.outside;
    const result = await query.call(this, statement);
    if (!/^\s*SELECT/.test(statement.text) || !hasReplies(result)) return result;
    where.statements += 1;
    where.replies += result.rows.length;
    return result;
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(counted as never);
  return reads;
}

test('forgetting a customer reads each stored reply of the staff once, before its transaction, for which the imports of other distributors wait (reliability abuse)', async () => {
  for (const by of [distributor, ...agents]) await storeReplies(testApp.db, by, 'old ', 250);
  const reads = countReads();
  expect(await forget()).toBe(204);
  expect(reads).toEqual({ inTransaction: { statements: 0, replies: 0 }, outside: { statements: 9, replies: 750 } });
  expect(await storedReplies()).toEqual(new Map([[erased(), 750]]));
});

test('forgetting a customer also erases the replies that are stored while the older replies are being erased, or by calls that began before (contract §18)', async () => {
  const [first, second] = agents as [Person, Person];
  await storeReplies(testApp.db, distributor, 'old ', 250);
  const { forgetting, reads } = await transaction(testApp.db, async (db) => {
    await storeReplies(db, distributor, 'begun before ', 2);
    await run(db, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [customer.id]);
    const reads = countReads();
    const forgetting = forget();
    await waitForLockWaiters(testApp.db);
    // The forget call waits for the customer's row, so its first pass has ended and has erased the older replies.
    expect((await storedReplies()).get(erased())).toBe(250);
    await storeReplies(testApp.db, first, 'meanwhile ', 120);
    await storeReplies(db, second, 'begun before ', 3);
    return { forgetting, reads };
  });
  expect(await forgetting).toBe(204);
  expect(await storedReplies()).toEqual(new Map([[erased(), 375]]));
  expect([reads.outside.replies, reads.inTransaction.replies]).toEqual([250, 125]);
});

test('forgetting a customer also erases a reply that is replaced while the transaction erases it (contract §18)', async () => {
  const [agent] = agents as [Person, Person];
  const { forgetting } = await transaction(testApp.db, async (db) => {
    await storeReplies(db, agent, 'begun before ', 1);
    const { query } = CLIENT;
    let replacing: Promise<unknown> | null = null;
    const replaceOnce = async function (this: pg.Client, statement: { text: string }) {
      const result = await query.call(this, statement);
      if (replacing !== null || !hasReplies(result) || result.rows.length === 0) return result;
      replacing = run(testApp.db, 'UPDATE idempotency_keys SET reply = reply WHERE "userId" = $1', [agent.id]);
      await Promise.race([replacing, waitForLockWaiters(testApp.db)]);
      return result;
    };
    await run(db, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [customer.id]);
    const forgetting = forget();
    await waitForLockWaiters(testApp.db);
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(replaceOnce as never);
    return { forgetting };
  });
  expect(await forgetting).toBe(204);
  expect(await storedReplies()).toEqual(new Map([[erased(), 1]]));
});
