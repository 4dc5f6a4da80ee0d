import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { runInQueue } from '../queues/expensive-queue.ts';
import { chunksOfFewRows, idChunks, readAhead, rowsInChunks, splitLongChunks } from './id-chunks.ts';

const testApp = setupTestApp();
const queue = { distributorId: 2, signal: new AbortController().signal };

test('readAhead reads the next chunk of ids while the previous chunk is sent', async () => {
  const told: string[] = [];
  const read = async (part: number) => {
    told.push(`reads ${part}`);
    return part * 10;
  };
  for await (const rows of readAhead([1, 0, 3], read)) told.push(`gives ${rows}`);
  expect(told).toEqual(['reads 1', 'reads 0', 'gives 10', 'reads 3', 'gives 0', 'gives 30']);
});

test('readAhead reads nothing when there are no chunks of ids', async () => {
  for await (const rows of readAhead<number, number>([], () => Promise.reject(new Error('read')))) expect(rows).toBeUndefined();
});

test('readAhead reports the failure of a chunk only after the previous chunks were sent', async () => {
  const given: number[] = [];
  const all = async () => {
    for await (const rows of readAhead([1, 2, 3], async (part) => (part === 2 ? Promise.reject(new Error('lost')) : part)))
      given.push(rows);
  };
  await expect(all()).rejects.toThrow('lost');
  expect(given).toEqual([1]);
});

test('readAhead stops after the current chunk when the consumer stops reading', async () => {
  const begun: number[] = [];
  for await (const rows of readAhead([1, 2, 3], async (part) => begun.push(part))) if (rows) break;
  expect(begun).toEqual([1, 2]);
});

test('splitLongChunks splits chunks whose ids have more than 10,000 rows together, and keeps their sequence and the end of the page', async () => {
  // Each id has as many rows as its value.
  const numbered = `SELECT id, place - 1 AS place FROM unnest(ARRAY[9000, 2000, 12000, 1, 2, 3]) WITH ORDINALITY n (id, place)`;
  const chunks = await idChunks(testApp.db, { numbered, values: [], queue: null, size: 4, most: 6 });
  expect(chunks.map(({ ids, endsPage }) => [ids, endsPage])).toEqual([
    ['{9000,2000,12000,1}', false],
    ['{2,3}', true],
  ]);
  const split = [];
  for await (const { ids, count, endsPage } of splitLongChunks(testApp.db, chunks, 'c.id', { queue })) split.push([ids, count, endsPage]);
  expect(split).toEqual([
    ['{9000}', 1, false],
    ['{2000}', 1, false],
    ['{12000,1}', 2, false],
    ['{2,3}', 2, true],
  ]);
});

/** Occupies the queue of expensive reads, and returns the number of statements that `read` runs meanwhile, and its result. */
async function whileQueueIsBusy<Result>(read: () => Promise<Result>) {
  const running = Promise.withResolvers<void>();
  const other = runInQueue({ ...queue, distributorId: 1 }, () => running.promise);
  const before = testApp.db.poolStats().statements;
  const reading = read();
  await pause(100);
  const statements = testApp.db.poolStats().statements - before;
  running.resolve();
  await other;
  return { statements, result: await reading };
}

test('sorting the ids of a long list waits in the queue of expensive reads (reliability abuse)', async () => {
  const numbered = `SELECT n AS id, row_number() OVER (ORDER BY -n) - 1 AS place FROM generate_series(1, 501) n`;
  const searched = 'SELECT FROM generate_series(1, 501)';
  const list = rowsInChunks(testApp.db, { numbered, values: [], queue, searched }, async (ids) => [ids]);
  const { statements, result } = await whileQueueIsBusy(() => list.next());
  expect(statements).toBe(1);
  expect(result.value?.[0]).toMatch(/^\{501,500,/);
  await list.return(undefined);
});

test('the search for a few ids among many rows waits in the queue of expensive reads (reliability abuse)', async () => {
  const numbered = `SELECT n AS id, row_number() OVER (ORDER BY -n) - 1 AS place FROM generate_series(1, 501) n WHERE n > 499`;
  const searched = 'SELECT FROM generate_series(1, 501)';
  const list = rowsInChunks(testApp.db, { numbered, values: [], queue, searched }, async (ids) => [ids]);
  const { statements, result } = await whileQueueIsBusy(() => list.next());
  expect([statements, result.value]).toEqual([1, ['{501,500}']]);
  await list.return(undefined);
});

const ONE = { numbered: 'SELECT 7 AS id, 0 AS place', values: [], queue };
const SEARCHES = {
  idChunks: () => idChunks(testApp.db, { ...ONE, size: 1, most: 1 }),
  chunksOfFewRows: () => chunksOfFewRows(testApp.db, ONE, '1'),
  splitLongChunks: async () => {
    const split = splitLongChunks(testApp.db, [{ ids: '{7}', count: 1, endsPage: false }], '1', { queue });
    return [(await split.next()).value];
  },
};
test.each(Object.entries(SEARCHES))(
  '%s waits in the queue of expensive reads, also for a short page (reliability abuse)',
  async (_, search) => {
    const { statements, result } = await whileQueueIsBusy(search);
    expect([statements, result]).toEqual([0, [expect.objectContaining({ ids: '{7}' })]]);
  },
);

test('the search for the ids of a page stops at the end of the page (reliability abuse)', async () => {
  // The fifth row would cause a division by zero.
  const numbered = `SELECT n AS id, n - 1 AS place FROM (SELECT generate_series(1, 10) AS n) s WHERE 1 / (5 - n) IS NOT NULL`;
  const chunks = await idChunks(testApp.db, { numbered, values: [], queue: null, size: 2, most: 3 });
  expect(chunks.map(({ ids }) => ids)).toEqual(['{1,2}', '{3}']);
});

test('concurrent reads of a long list share its sorted ids (reliability abuse)', async () => {
  const numbered = `SELECT n AS id, row_number() OVER (ORDER BY -n) - 1 AS place FROM generate_series(1, 601) n`;
  const running = Promise.withResolvers<void>();
  const other = runInQueue({ ...queue, distributorId: 1 }, () => running.promise);
  const before = testApp.db.poolStats().statements;
  const lists = Array.from({ length: 10 }, () =>
    rowsInChunks(testApp.db, { numbered, values: [], queue, searched: 'SELECT FROM generate_series(1, 601)' }, async (ids) => [ids]),
  );
  const firsts = lists.map((list) => list.next());
  // Each of the ten reads first runs a statement that checks whether the list is long.
  await expect.poll(() => testApp.db.poolStats().statements - before).toBe(10);
  await pause(100);
  running.resolve();
  for (const { value } of await Promise.all(firsts)) expect(value?.[0]).toMatch(/^\{601,600,/);
  // The first read began to sort the ids before the other reads arrived. The other nine reads share a second sorting. Together these are
  // twelve statements.
  expect(testApp.db.poolStats().statements - before).toBe(12);
  await other;
});

test('only the last chunk of a full page is marked as the end of a page', async () => {
  const numbered = `SELECT n AS id, n - 1 AS place FROM generate_series(1, 3) n`;
  const endsOf = async (most?: number) =>
    (await idChunks(testApp.db, { numbered, values: [], queue: null, size: 2, most })).map(({ endsPage }) => endsPage);
  expect([await endsOf(3), await endsOf(4), await endsOf()]).toEqual([
    [false, true],
    [false, false],
    [false, false],
  ]);
});
