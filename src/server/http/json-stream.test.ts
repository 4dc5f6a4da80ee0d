import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isBatches, hasLists, streamOf } from './json-stream.ts';

async function* batches(...sizes: number[]): AsyncGenerator<number[]> {
  let next = 0;
  for (const size of sizes) yield Array.from({ length: size }, () => (next += 1));
}
const unchanged = (value: unknown) => value;

test.each([
  [[], '[]'],
  [[0], '[]'],
  [[2], '[1,2]'],
  [[1, 1], '[1,2]'],
  [[0, 2, 0, 1, 0], '[1,2,3]'],
])('streamOf joins batches with the sizes %j into the JSON list %s', async (sizes, json) => {
  expect(await text(await streamOf(batches(...sizes), unchanged))).toBe(json);
});

test('streamOf validates every batch of a streamed list with the given function', async () => {
  expect(await text(await streamOf(batches(1, 2), (rows) => (rows as number[]).map((row) => `#${row}`)))).toBe('["#1","#2","#3"]');
});

test('streamOf ends a streamed list with an error instead of a shortened list when a batch does not match the contract', async () => {
  const stream = await streamOf(batches(1, 1), (rows) => {
    if ((rows as number[])[0] === 2) throw new Error('does not fit');
    return rows;
  });
  await expect(text(stream)).rejects.toThrow('does not fit');
});

test('streamOf streams an object of several lists, and validates each slice of a list as part of the object', async () => {
  const lists = { lines: batches(1, 12), weights: batches(), notes: batches(1) };
  const seen: unknown[] = [];
  const note = (value: unknown) => {
    seen.push(value);
    return value;
  };
  const lines = Array.from({ length: 13 }, (_, index) => index + 1);
  expect(await text(await streamOf(lists, note))).toBe(`{"lines":${JSON.stringify(lines)},"weights":[],"notes":[1]}`);
  const empty = { lines: [], weights: [], notes: [] };
  const slices = [[1], lines.slice(1, 11), [12, 13]];
  expect(seen).toEqual([empty, ...slices.map((slice) => ({ ...empty, lines: slice })), { ...empty, notes: [1] }]);
  const withPlain = { id: 7, note: undefined, lines: batches(1) };
  expect(await text(await streamOf(withPlain, unchanged))).toBe('{"id":7,"lines":[1]}');
  expect([withPlain, { lines: batches() }, { lines: [] }, [batches()], {}, null].map(hasLists)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('streamOf streams rows that are objects with long lists, also among other rows', async () => {
  async function* orders() {
    yield [
      { id: 1, lines: [1] },
      { id: 2, lines: batches(2, 1) },
      { id: 3, lines: batches() },
    ];
    yield [{ id: 4, lines: [] }];
    yield [{ id: 5, lines: batches(1) }];
  }
  const named = (rows: unknown) => (rows as { id: number; lines: number[] }[]).map(({ id, lines }) => ({ order: id, lines }));
  const printed = [[1], [1, 2, 3], [], [], [1]].map((lines, index) => ({ order: index + 1, lines }));
  expect(await text(await streamOf(orders(), named))).toBe(JSON.stringify(printed));
});

test('the server handles other requests while it serializes one long batch, because each slice takes a few milliseconds (reliability freeze)', async () => {
  let served = 0;
  const timer = setInterval(() => (served += 1), 0);
  await text(await streamOf(batches(200_000), (rows) => JSON.parse(JSON.stringify(rows)) as unknown));
  clearInterval(timer);
  expect(served).toBeGreaterThan(3);
});

test('the server handles other requests between two batches of a streamed list', async () => {
  let served = 0;
  const timer = setInterval(() => (served += 1), 0);
  await text(await streamOf(batches(...Array.from({ length: 2000 }, () => 100)), unchanged));
  clearInterval(timer);
  expect(served).toBeGreaterThan(3);
});

test('isBatches treats only async iterables as lists that are streamed in batches', () => {
  expect([isBatches(batches()), isBatches([]), isBatches(null), isBatches('text'), isBatches({})]).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('a stream of JSON whose first batch fails throws before the response has started', async () => {
  const failing = () => Readable.from([1]).map(() => Promise.reject(new Error('the database is away')));
  await expect(streamOf(failing(), unchanged)).rejects.toThrow('the database is away');
  await expect(streamOf({ lines: failing(), weights: batches(1) }, unchanged)).rejects.toThrow('the database is away');
});
