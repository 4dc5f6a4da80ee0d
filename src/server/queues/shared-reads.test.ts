import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '../database/db.ts';
import { createSharedReads } from './shared-reads.ts';

const db = {} as Db;

/** Fakes the time. A read takes as many milliseconds as its input says. */
function fakeReads() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const read = createSharedReads((_db, duration: number) => new Promise<void>((resolve) => void setTimeout(resolve, duration)));
  return async (key: string, duration: number): Promise<void> => await read(db, { key, group: 'one' }, duration);
}

test('requests that arrive while a read runs share the next read, which begins after they have arrived', async () => {
  let stored = 1;
  let reads = 0;
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const get = createSharedReads(async () => {
    reads++;
    const read = stored;
    begun.resolve();
    await ended.promise;
    return read;
  });
  const first = get(db, { key: 'key' }, null);
  await begun.promise;
  stored = 2;
  const others = Array.from({ length: 30 }, () => get(db, { key: 'key' }, null));
  ended.resolve();
  expect([await first, ...(await Promise.all(others))]).toEqual([1, ...others.map(() => 2)]);
  expect(reads).toBe(2);
});

test('in a flood of requests for the same data, the server reads for less than half of the time', async () => {
  const reads: { began: number; ended: number }[] = [];
  const get = createSharedReads(async () => {
    const began = performance.now();
    await pause(10);
    reads.push({ began, ended: performance.now() });
  });
  while (reads.length < 10) await Promise.all(Array.from({ length: 6 }, () => get(db, { key: 'key' }, null)));
  for (const [index, { began, ended }] of reads.slice(0, -1).entries()) {
    const cooldown = (reads[index + 1]?.began ?? 0) - ended;
    // The pause is at most 500 ms long, even after a very slow read. A timer may fire up to a millisecond early.
    expect(cooldown).toBeGreaterThan(Math.min((ended - began) * 2, 500) - 2);
  }
});

test('a read that fails rejects the requests that share it, and the next request reads again', async () => {
  let reads = 0;
  const get = createSharedReads(async () => {
    reads++;
    if (reads === 1) throw new Error('lost');
    return reads;
  });
  const failed = await Promise.allSettled([get(db, { key: 'key' }, null), get(db, { key: 'key' }, null)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await get(db, { key: 'key' }, null)).toBe(2);
});

test('reads with different keys or of different databases are not shared', async () => {
  const get = createSharedReads(async (_db, input: string) => input);
  expect(await Promise.all([get(db, { key: 'a' }, 'one'), get(db, { key: 'b' }, 'two'), get({} as Db, { key: 'a' }, 'three')])).toEqual([
    'one',
    'two',
    'three',
  ]);
});

test('a short read does not wait while a longer read of the same group runs (reliability abuse)', async () => {
  const ended = Promise.withResolvers<void>();
  const get = createSharedReads(async (_db, wait: () => unknown) => void (await wait()));
  const small = () => get(db, { key: 'small', group: 'one' }, () => undefined);
  await small();
  await get(db, { key: 'large', group: 'one' }, () => pause(60));
  const long = get(db, { key: 'large', group: 'one' }, () => ended.promise);
  await small();
  ended.resolve();
  await long;
});

test('the reads of one group run one after the other, with a pause of twice their duration after each; another group does not wait (reliability abuse)', async () => {
  const reads: { began: number; ended: number }[] = [];
  const ends = Promise.withResolvers<void>();
  const get = createSharedReads(async (_db, group: string) => {
    if (group === 'other') return;
    const began = performance.now();
    await ends.promise;
    await pause(10);
    reads.push({ began, ended: performance.now() });
  });
  const ofOne = Array.from({ length: 4 }, (_, index) => get(db, { key: `key ${index}`, group: 'one' }, 'one'));
  await get(db, { key: 'key', group: 'other' }, 'other');
  ends.resolve();
  await Promise.all(ofOne);
  expect(reads).toHaveLength(4);
  for (const [index, { began, ended }] of reads.slice(0, -1).entries()) {
    const cooldown = (reads[index + 1]?.began ?? 0) - ended;
    // The pause is at most 500 ms long. A timer may fire up to a millisecond early.
    expect(cooldown).toBeGreaterThan(Math.min((ended - began) * 2, 500) - 2);
  }
});

test.each([{ durations: [39, 39, 39, 39, 39, 39] }, { durations: [39, 33, 27, 21, 15, 10] }])(
  'while reads of $durations ms of a group are requested again and again, a read of 5 ms waits for at most two of them, and all together take at most half of the time (reliability abuse)',
  async ({ durations }) => {
    const read = fakeReads();
    const keys = durations.map((duration, index) => ({ key: `key ${index}`, duration }));
    const known = Promise.all([read('small', 5), ...keys.map(({ key, duration }) => read(key, duration))]);
    await vi.advanceTimersByTimeAsync(2000);
    await known;
    const time = 5000;
    const end = performance.now() + time;
    let readTime = 0;
    const waits: number[] = [];
    const again = async (key: string, duration: number): Promise<void> => {
      const requested = performance.now();
      await read(key, duration);
      if (performance.now() <= end) readTime += duration;
      if (key === 'small') waits.push(performance.now() - requested - duration);
      if (performance.now() < end) await again(key, duration);
    };
    const ended = Promise.all([again('small', 5), ...keys.map(({ key, duration }) => again(key, duration))]);
    await vi.advanceTimersByTimeAsync(10_000);
    await ended;
    // The last ten milliseconds are the pause after the small read before.
    expect(Math.max(...waits)).toBeLessThanOrEqual(2 * 39 + 10);
    // At the end, one read of each key may have run for which the pause is still to come.
    const unpaid = durations.reduce((sum, duration) => sum + duration, 5);
    expect(readTime).toBeLessThan(time / 2 + unpaid);
  },
);

test('a read gets its turn although shorter reads of the same group are requested all the time (reliability abuse)', async () => {
  const read = fakeReads();
  const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
  const known = Promise.all([read('larger', 39), ...keys.map((key) => read(key, 5))]);
  await vi.advanceTimersByTimeAsync(2000);
  await known;
  let ended = 0;
  const again = async (key: string, duration: number): Promise<void> => {
    await read(key, duration);
    if (key === 'larger') ended++;
    if (ended < 10) await again(key, duration);
  };
  for (const key of keys) void again(key, 5);
  void again('larger', 39);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ended).toBe(10);
});

test('reads of about the same duration take turns, although one of them is always a little shorter (reliability abuse)', async () => {
  const read = fakeReads();
  const keys = [33, 36, 39].map((duration) => ({ key: `key ${duration}`, duration }));
  const known = Promise.all(keys.map(({ key, duration }) => read(key, duration)));
  await vi.advanceTimersByTimeAsync(2000);
  await known;
  const end = performance.now() + 10_000;
  const times = new Map<string, number>();
  const again = async (key: string, duration: number): Promise<void> => {
    await read(key, duration);
    times.set(key, (times.get(key) ?? 0) + 1);
    if (performance.now() < end) await again(key, duration);
  };
  const ended = Promise.all(keys.map(({ key, duration }) => again(key, duration)));
  await vi.advanceTimersByTimeAsync(15_000);
  await ended;
  expect(Math.max(...times.values()) - Math.min(...times.values())).toBeLessThanOrEqual(1);
});

test('a short read that once takes longer, for example on a busy machine, does not wait for the long reads of its group next time (reliability abuse)', async () => {
  const read = fakeReads();
  const known = [read('small', 5), read('large', 400)];
  await vi.advanceTimersByTimeAsync(2000);
  const once = read('small', 200);
  await vi.advanceTimersByTimeAsync(2000);
  await Promise.all([...known, once]);
  void read('large', 400);
  const requested = performance.now();
  const next = read('small', 5).then(() => performance.now() - requested);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await next).toBe(5);
});
