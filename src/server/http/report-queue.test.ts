import { afterEach, expect, test, vi } from 'vitest';
import { readInQueue } from './report-queue.ts';

afterEach(() => vi.useRealTimers());

test('a distributor whose read runs for long starts no further read until it ends; another distributor is served within two seconds (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { signal } = new AbortController();
  const running = Promise.withResolvers<void>();
  const started: string[] = [];
  const read = (name: string, distributorId: number, ends: Promise<void>) =>
    readInQueue({ distributorId, signal }, async () => {
      started.push(name);
      await ends;
    });
  const slow = read('slow', 1, running.promise);
  const queued = Array.from({ length: 50 }, (_, n) => read(`queued ${n}`, 1, Promise.resolve()));
  const other = read('other', 2, Promise.resolve());
  await vi.advanceTimersByTimeAsync(2000);
  expect(started).toEqual(['slow', 'other']);
  await other;
  await read('other again', 2, Promise.resolve());
  await vi.advanceTimersByTimeAsync(20_000);
  expect(started).toEqual(['slow', 'other', 'other again']);
  running.resolve();
  await Promise.all([slow, ...queued]);
  expect(started).toHaveLength(53);
});
