import { afterEach, expect, test, vi } from 'vitest';
import { gathered, type Bounds } from './batcher.ts';

const BOUNDS: Bounds = { atOnce: 2, most: 3, isUndone: () => false };

/** A work that answers with each item's double when it is told to, and what it was given. */
function doubling(bounds: Bounds = BOUNDS) {
  const given: number[][] = [];
  const ends: (() => void)[] = [];
  const gathering = gathered<number, number>(bounds, async (items) => {
    given.push([...items]);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => item * 2);
  });
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await turn();
  };
  return { gathering, given, end };
}
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

test('who is alone begins at once; who comes in the same turn goes along; each gets the own result', async () => {
  const { gathering, given, end } = doubling();
  const alone = gathering('a', 1);
  await turn();
  const both = Promise.all([gathering('a', 2), gathering('a', 3)]);
  await turn();
  expect(given).toEqual([[1], [2, 3]]);
  await end();
  await end();
  expect([await alone, await both]).toEqual([2, [4, 6]]);
});

test('what comes while as much is under way as may be goes together after it, no more at once than may', async () => {
  const { gathering, given, end } = doubling();
  const results = [];
  for (const item of [1, 2, 3, 4, 5, 6]) {
    results.push(gathering('a', item));
    await turn();
  }
  expect(given).toEqual([[1], [2]]);
  await end();
  expect(given).toEqual([[1], [2], [3, 4, 5]]);
  await end();
  expect(given).toEqual([[1], [2], [3, 4, 5], [6]]);
  await end();
  await end();
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10, 12]);
});

test('one key never waits for another', async () => {
  const { gathering, given, end } = doubling();
  void gathering('a', 1);
  await turn();
  void gathering('a', 2);
  await turn();
  const other = gathering('b', 7);
  await turn();
  expect(given).toEqual([[1], [2], [7]]);
  for (let n = 0; n < 3; n++) await end();
  expect(await other).toBe(14);
});

/** Refuses 13, whoever it comes with. */
const refusing = (isUndone: boolean) => {
  const given: number[][] = [];
  const gathering = gathered<number, number>({ atOnce: 1, most: 9, isUndone: () => isUndone }, async (items) => {
    given.push([...items]);
    if (items.includes(13)) throw new Error('not thirteen');
    return items;
  });
  return { given, all: Promise.allSettled([1, 13, 3].map((item) => gathering('a', item))) };
};

test('where nothing was done each is worked on alone, so that one who is refused takes nobody along', async () => {
  const { given, all } = refusing(true);
  expect((await all).map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(given).toEqual([[1, 13, 3], [1], [13], [3]]);
});

test('where nobody knows whether it was done, nothing is done again', async () => {
  const { given, all } = refusing(false);
  expect((await all).map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(given).toEqual([[1, 13, 3]]);
});

test('of more items than can be retried alone, the rest is refused as busy at once', async () => {
  const gathering = gathered<number, number>({ atOnce: 1, most: 400, isUndone: () => true }, async (items) => {
    if (items.length > 1) throw new Error('not together');
    return items;
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 400 }, (_, item) => gathering('a', item)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(301);
  expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { status: 503 } });
});

afterEach(() => vi.useRealTimers());

test('who has waited for ten seconds is told so, and whoever comes later is not kept by those who are worked on alone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const ends: (() => void)[] = [];
  const gathering = gathered<number, number>({ atOnce: 1, most: 9, isUndone: () => true }, async (items) => {
    if (items.length > 1) throw new Error('not together');
    await new Promise<void>((resolve) => ends.push(resolve));
    return items;
  });
  const tick = async () => {
    for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  const outcomes = Promise.allSettled([gathering('a', 1), gathering('a', 2), gathering('a', 3)]);
  await tick();
  expect(ends).toHaveLength(1);
  const later = gathering('a', 4);
  await tick();
  expect(ends).toHaveLength(2);
  const latest = Promise.allSettled([gathering('a', 5)]);
  await vi.advanceTimersByTimeAsync(10_001);
  expect(await latest).toMatchObject([{ status: 'rejected', reason: { status: 503 } }]);
  for (const end of ends) end();
  await tick();
  expect(await later).toBe(4);
  expect(await outcomes).toMatchObject([{ value: 1 }, { reason: { status: 503 } }, { reason: { status: 503 } }]);
});

test('items beyond the batches of one tick have the time limit as well, and no timer of a started one is left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const gathering = gathered<number, number>({ atOnce: 1, most: 2, isUndone: () => false }, () => new Promise(() => undefined));
  const items = [1, 2, 3, 4].map((item) => gathering('a', item));
  const waiting = Promise.allSettled(items.slice(2));
  await new Promise((resolve) => setImmediate(resolve));
  expect(vi.getTimerCount()).toBe(2);
  await vi.advanceTimersByTimeAsync(10_001);
  expect(await waiting).toMatchObject([{ reason: { status: 503 } }, { reason: { status: 503 } }]);
});
