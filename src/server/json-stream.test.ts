import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isBatches, streamOf } from './json-stream.ts';

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
])('batches of %j are the one list %s', async (sizes, json) => {
  expect(await text(streamOf(batches(...sizes), unchanged))).toBe(json);
});

test('every batch passes the check of the contract', async () => {
  expect(await text(streamOf(batches(1, 2), (rows) => rows.map((row) => `#${String(row)}`)))).toBe('["#1","#2","#3"]');
});

test('a batch that does not fit ends the answer with an error, not with a short list', async () => {
  const stream = streamOf(batches(1, 1), ([row]) => {
    if (row === 2) throw new Error('does not fit');
    return [row];
  });
  await expect(text(stream)).rejects.toThrow('does not fit');
});

test('others are served between two batches', async () => {
  let served = 0;
  const timer = setInterval(() => (served += 1), 0);
  await text(streamOf(batches(...Array.from({ length: 2000 }, () => 100)), unchanged));
  clearInterval(timer);
  expect(served).toBeGreaterThan(3);
});

test('only what comes in batches is taken for batches', () => {
  expect([isBatches(batches()), isBatches([]), isBatches(null), isBatches('text'), isBatches({})]).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
