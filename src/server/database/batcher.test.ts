import { afterEach, expect, test, vi } from 'vitest';
import { createBatcher, type BatcherOptions } from './batcher.ts';

const OPTIONS: BatcherOptions<unknown> = { concurrency: 2, maxBatchSize: 3, isRolledBack: () => false };

/** Creates a batcher that doubles each item when `end` is called, and that records its batches. */
function doubling() {
  const given: number[][] = [];
  const ends: (() => void)[] = [];
  const batcher = createBatcher<number, number>(OPTIONS, async (items) => {
    given.push([...items]);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => item * 2);
  });
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await turn();
  };
  return { batcher, given, end };
}
/** Resolves after the timers that are due and the batches that were scheduled with setImmediate. */
const turn = () => new Promise((resolve) => setTimeout(() => setImmediate(resolve), 0));

test('the batcher starts a single item at once, runs items of the same event loop iteration as one batch, and gives each item its own result', async () => {
  const { batcher, given, end } = doubling();
  const alone = batcher('a', 1);
  await turn();
  const both = Promise.all([batcher('a', 2), batcher('a', 3)]);
  await turn();
  expect(given).toEqual([[1], [2, 3]]);
  await end();
  await end();
  expect([await alone, await both]).toEqual([2, [4, 6]]);
});

test('the batcher collects items that arrive while the maximum number of batches runs into one batch', async () => {
  const { batcher, given, end } = doubling();
  const results = [];
  for (const item of [1, 2, 3, 4, 5, 6]) {
    results.push(batcher('a', item));
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

test('the batcher never makes an item wait for items with another batch key', async () => {
  const { batcher, given, end } = doubling();
  void batcher('a', 1);
  await turn();
  void batcher('a', 2);
  await turn();
  const other = batcher('b', 7);
  await turn();
  expect(given).toEqual([[1], [2], [7]]);
  for (let n = 0; n < 3; n++) await end();
  expect(await other).toBe(14);
});

test('while another key is active, or has been within the last second, a batcher that leaves room runs one batch of a key at a time and pauses after it as long as it took; a batch that waits for a lock delays the next one by 0.3 seconds at most (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const ends = new Map<number, () => void>();
  const options = { ...OPTIONS, maxBatchSize: 1, leavesRoom: true };
  const batcher = createBatcher<number, void>(
    options,
    ([item = 0]) => new Promise((resolve) => ends.set(item, () => resolve([undefined]))),
  );
  const add = async (key: string, item: number) => {
    void batcher(key, item);
    await new Promise(setImmediate);
  };
  const endAfter = async (ms: number, item: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    ends.get(item)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  const begun = () => [...ends.keys()];
  await add('other', 9);
  for (const item of [1, 2, 3, 4, 5, 6]) await add('busy', item);
  await endAfter(40, 1);
  await vi.advanceTimersByTimeAsync(39);
  expect(begun()).toEqual([9, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun()).toEqual([9, 1, 2]);
  // The batch of 2 waits for a lock.
  await vi.advanceTimersByTimeAsync(299);
  expect(begun()).toEqual([9, 1, 2]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun()).toEqual([9, 1, 2, 3]);
  await endAfter(250, 3);
  await vi.advanceTimersByTimeAsync(99);
  expect(begun()).toEqual([9, 1, 2, 3]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun()).toEqual([9, 1, 2, 3, 4]);
  await endAfter(0, 9);
  // The other key is no longer active.
  await endAfter(1000, 4);
  expect(begun()).toEqual([9, 1, 2, 3, 4, 5]);
});

test('while another group is active, a batcher that leaves room runs one batch of a group at a time, and its keys take turns (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const begun: string[] = [];
  let end = (): void => undefined;
  const options = { ...OPTIONS, maxBatchSize: 1, leavesRoom: true };
  const batcher = createBatcher<string, void>(options, ([item = '']) => {
    begun.push(item);
    return new Promise((resolve) => {
      if (item !== 'other') end = () => resolve([undefined]);
    });
  });
  void batcher('other', 'other', 'of-another-distributor');
  for (const item of ['a1', 'a2', 'b1', 'c1', 'b2']) {
    void batcher(item.slice(0, 1), item, 'of-the-busy-distributor');
    await new Promise(setImmediate);
  }
  for (let ended = 1; ended <= 5; ended++) {
    expect(begun).toHaveLength(1 + ended);
    await vi.advanceTimersByTimeAsync(40);
    end();
    // The pause after the batch is as long as the batch.
    await vi.advanceTimersByTimeAsync(40);
  }
  expect(begun).toEqual(['other', 'a1', 'b1', 'c1', 'a2', 'b2']);
});

test('in a group that leaves room, the batch with an item of the person with the fewest recent items comes first (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const begun: string[] = [];
  let end = (): void => undefined;
  const options = { ...OPTIONS, maxBatchSize: 2, leavesRoom: true, personOf: (item: string) => item.slice(2) };
  const batcher = createBatcher<string, void>(options, (items) => {
    begun.push(items.join(' '));
    return new Promise((resolve) => {
      if (!items.includes('z-other')) end = () => resolve(items.map(() => undefined));
    });
  });
  void batcher('z', 'z-other', 'of-another-distributor');
  for (const item of ['a-busy', 'b-busy', 'c-busy', 'd-busy', 'd-calm']) {
    void batcher(item.slice(0, 1), item, 'of-the-busy-distributor');
    await new Promise(setImmediate);
  }
  for (let ended = 1; ended <= 3; ended++) {
    await vi.advanceTimersByTimeAsync(40);
    end();
    await vi.advanceTimersByTimeAsync(40);
  }
  expect(begun).toEqual(['z-other', 'a-busy', 'd-calm d-busy', 'b-busy', 'c-busy']);
});

/** Creates a batcher in which every batch with the item 13 fails. */
const refusing = (isRolledBack: boolean) => {
  const given: number[][] = [];
  const batcher = createBatcher<number, number>({ concurrency: 1, maxBatchSize: 9, isRolledBack: () => isRolledBack }, async (items) => {
    given.push([...items]);
    if (items.includes(13)) throw new Error('not thirteen');
    return items;
  });
  return { given, all: Promise.allSettled([1, 13, 3].map((item) => batcher('a', item))) };
};

test('when a batch is rolled back, the batcher runs each of its items alone, so that only the faulty item is rejected', async () => {
  const { given, all } = refusing(true);
  expect((await all).map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(given).toEqual([[1, 13, 3], [1], [13], [3]]);
});

test('the batcher rejects all items of a batch whose outcome is unknown, and repeats nothing', async () => {
  const { given, all } = refusing(false);
  expect((await all).map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(given).toEqual([[1, 13, 3]]);
});

test('the batcher rejects items with a busy error at once when too many other items are being retried alone', async () => {
  const batcher = createBatcher<number, number>({ concurrency: 1, maxBatchSize: 400, isRolledBack: () => true }, async (items) => {
    if (items.length > 1) throw new Error('not in a batch');
    return items;
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 400 }, (_, item) => batcher('a', item)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(301);
  expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { status: 503 } });
});

test('retries of one batch key that take long do not delay the retries of another key (reliability abuse)', async () => {
  const locked = Promise.withResolvers<void>();
  const batcher = createBatcher<string, string>({ concurrency: 2, maxBatchSize: 30, isRolledBack: () => true }, async (items) => {
    if (items.length > 1) throw new Error('not in a batch');
    if (items[0] === 'locked') await locked.promise;
    return items;
  });
  const slow = Promise.all(Array.from({ length: 20 }, () => batcher('a', 'locked')));
  await turn();
  expect(await Promise.all(Array.from({ length: 20 }, () => batcher('b', 'free')))).toHaveLength(20);
  locked.resolve();
  expect(await slow).toHaveLength(20);
});

afterEach(() => vi.useRealTimers());

test('the batcher rejects an item as busy after ten seconds; later items do not wait while the items of a failed batch are retried one by one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const ends: (() => void)[] = [];
  const batcher = createBatcher<number, number>({ concurrency: 1, maxBatchSize: 9, isRolledBack: () => true }, async (items) => {
    if (items.length > 1) throw new Error('not in a batch');
    await new Promise<void>((resolve) => ends.push(resolve));
    return items;
  });
  const tick = async () => {
    for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  const outcomes = Promise.allSettled([batcher('a', 1), batcher('a', 2), batcher('a', 3)]);
  await tick();
  expect(ends).toHaveLength(1);
  const later = batcher('a', 4);
  await tick();
  expect(ends).toHaveLength(2);
  const latest = Promise.allSettled([batcher('a', 5)]);
  await vi.advanceTimersByTimeAsync(10_001);
  expect(await latest).toMatchObject([{ status: 'rejected', reason: { status: 503 } }]);
  for (const end of ends) end();
  await tick();
  expect(await later).toBe(4);
  expect(await outcomes).toMatchObject([{ value: 1 }, { reason: { status: 503 } }, { reason: { status: 503 } }]);
});

test("the batcher applies the time limit only to queued items, and clears an item's timer when the item starts", async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const batcher = createBatcher<number, number>(
    { concurrency: 1, maxBatchSize: 2, isRolledBack: () => false },
    () => new Promise(() => undefined),
  );
  const items = [1, 2, 3, 4].map((item) => batcher('a', item));
  const waiting = Promise.allSettled(items.slice(2));
  await new Promise((resolve) => setImmediate(resolve));
  expect(vi.getTimerCount()).toBe(2);
  await vi.advanceTimersByTimeAsync(10_001);
  expect(await waiting).toMatchObject([{ reason: { status: 503 } }, { reason: { status: 503 } }]);
});

test('a batch of several items has at most the weight 1,000; the items of the people with the least recent weight come first', async () => {
  const given: string[][] = [];
  const ends: (() => void)[] = [];
  const [personOf, weightOf] = [(item: string): string => item.charAt(0), (item: string): number => Number(item.slice(1))];
  const batcher = createBatcher<string, string>({ ...OPTIONS, concurrency: 1, leavesRoom: true, personOf, weightOf }, async (items) => {
    given.push([...items]);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items;
  });
  const all = Promise.all(['a5000', 'a4000', 'b600', 'c300', 'd200', 'b100'].map((item) => batcher('key', item)));
  for (let batch = 0; batch < 4; batch++) {
    await turn();
    ends.shift()?.();
  }
  expect(await all).toHaveLength(6);
  expect(given).toEqual([['a5000'], ['b600', 'c300'], ['d200', 'b100'], ['a4000']]);
});
