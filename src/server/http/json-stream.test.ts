import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isBatches, hasLists, streamOf, streamOfLists } from './json-stream.ts';

async function* batches(...sizes: number[]): AsyncGenerator<number[]> {
  let next = 0;
  for (const size of sizes) yield Array.from({ length: size }, () => (next += 1));
}
const unchanged = (rows: readonly unknown[]) => [...rows];

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
  expect(await text(await streamOf(batches(1, 2), (rows) => rows.map((row) => `#${String(row)}`)))).toBe('["#1","#2","#3"]');
});

test('streamOf ends a streamed list with an error instead of a shortened list when a batch does not match the contract', async () => {
  const stream = await streamOf(batches(1, 1), ([row]) => {
    if (row === 2) throw new Error('does not fit');
    return [row];
  });
  await expect(text(stream)).rejects.toThrow('does not fit');
});

test('streamOfLists streams an object of several lists, and validates each list under its own name', async () => {
  const lists = { lines: batches(1, 2), weights: batches(), notes: batches(1) };
  const named = (rows: readonly unknown[], name: string) => rows.map((row) => `${name} ${String(row)}`);
  expect(await text(await streamOfLists(lists, named))).toBe('{"lines":["lines 1","lines 2","lines 3"],"weights":[],"notes":["notes 1"]}');
  const withPlain = { id: 7, note: undefined, lines: batches(1) };
  expect(await text(await streamOfLists(withPlain, named))).toBe('{"id":7,"lines":["lines 1"]}');
  expect([withPlain, { lines: batches() }, { lines: [] }, [batches()], {}, null].map(hasLists)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
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
  await expect(streamOfLists({ lines: failing(), weights: batches(1) }, unchanged)).rejects.toThrow('the database is away');
});
