import { afterEach, expect, test, vi } from 'vitest';
import { asMember, createTenantAdmission } from '../database/tenant-connections.ts';
import { runInQueue, expensiveQueue } from './expensive-queue.ts';

afterEach(() => vi.useRealTimers());

test('a distributor whose read runs for long starts no further read until it ends; another distributor is served within two seconds (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { signal } = new AbortController();
  const running = Promise.withResolvers<void>();
  const started: string[] = [];
  const read = (name: string, distributorId: number, ends: Promise<void>) =>
    runInQueue({ distributorId, signal }, async () => {
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
  await vi.advanceTimersByTimeAsync(2000);
  await Promise.all([slow, ...queued]);
  expect(started).toHaveLength(53);
});

test('while several reads of a distributor wait, its next read begins after a pause as long as the one before; a single list is read without pauses (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { signal } = new AbortController();
  const started: number[] = [];
  const read = (distributorId: number) =>
    runInQueue({ distributorId, signal }, async () => {
      started.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
  const begin = performance.now();
  const all = [read(1), read(1), read(1)];
  await vi.advanceTimersByTimeAsync(600);
  await Promise.all(all);
  expect(started.map((time) => Math.round(time - begin))).toEqual([0, 200, 400]);
  started.length = 0;
  const list = (async () => {
    for (let chunk = 0; chunk < 3; chunk++) await read(2);
  })();
  await vi.advanceTimersByTimeAsync(300);
  await list;
  expect(started.map((time) => Math.round(time - begin))).toEqual([600, 700, 800]);
});

test('the customers of a distributor take turns, one read at a time with pauses; customers with hundreds of queued reads do not use up the places of another customer (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { signal } = new AbortController();
  // The queue may still know the ids of customers from other test files of this process, so these ids are larger.
  const [CROWD, OTHER] = [9_000_100, 9_000_007];
  const started: { customerId: number; at: number }[] = [];
  const read = (customerId: number) =>
    runInQueue({ distributorId: 1, customerId, signal }, async () => {
      started.push({ customerId, at: performance.now() });
      await new Promise((resolve) => setTimeout(resolve, 10));
    });
  const begin = performance.now();
  const flood = Array.from({ length: 240 }, (_, n) => read(CROWD + (n % 12)));
  const other = read(OTHER);
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all([...flood, other]);
  expect(started.findIndex(({ customerId }) => customerId === OTHER)).toBeLessThanOrEqual(13);
  expect(started.slice(0, 4).map(({ at }) => Math.round(at - begin))).toEqual([0, 20, 40, 60]);
});

test('the staff of a distributor take turns, one read at a time; a member with many queued reads does not delay the read of a colleague for long (reliability abuse)', async () => {
  const { signal } = new AbortController();
  const running = Promise.withResolvers<void>();
  const started: number[] = [];
  const read = (userId: number, ends = Promise.resolve()) =>
    asMember({ tenantId: 4, userId }, () =>
      runInQueue({ distributorId: 4, signal }, async () => {
        started.push(userId);
        await ends;
      }),
    );
  const [BUSY, COLLEAGUE] = [9_000_201, 9_000_202];
  const all = [read(BUSY, running.promise), ...Array.from({ length: 20 }, () => read(BUSY)), read(COLLEAGUE)];
  running.resolve();
  await Promise.all(all);
  expect(started).toHaveLength(22);
  expect(started.indexOf(COLLEAGUE)).toBeLessThanOrEqual(2);
});

test('reads of a distributor that wait for its database connections occupy no place, however many of its groups wait; a read of another distributor starts (reliability abuse)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { signal } = new AbortController();
  const admit = createTenantAdmission();
  const asTenant = <Result>(tenantId: number, job: () => Promise<Result>) => asMember({ tenantId, userId: tenantId }, job);
  const occupied = await Promise.all(Array.from({ length: 5 }, () => asTenant(1, admit)));
  const started: string[] = [];
  const read = (name: string) => async () => {
    const leave = await admit();
    started.push(name);
    leave();
  };
  const all = [
    asTenant(1, () => runInQueue({ distributorId: 1, signal }, read('staff'))),
    asTenant(1, () => runInQueue({ distributorId: 1, customerId: 7, signal }, read('customer'))),
    asTenant(1, () => expensiveQueue(read('import'), { distributorId: 1, key: 'import of 1' })),
    asTenant(2, () => runInQueue({ distributorId: 2, signal }, read('other'))),
  ];
  await vi.advanceTimersByTimeAsync(500);
  expect(started).toEqual(['other']);
  for (const leave of occupied) leave();
  await Promise.all(all);
  expect(started).toEqual(['other', 'staff', 'customer', 'import']);
});

test('the staff, the customers and the import of a distributor together have the turns of one distributor (reliability abuse)', async () => {
  const { signal } = new AbortController();
  const running = Promise.withResolvers<void>();
  const started: string[] = [];
  const read = (name: string) => async () => void started.push(name);
  const all = [
    runInQueue({ distributorId: 3, signal }, () => running.promise),
    runInQueue({ distributorId: 1, signal }, read('staff')),
    runInQueue({ distributorId: 1, customerId: 7, signal }, read('customer')),
    expensiveQueue(read('import'), { distributorId: 1, key: 'import of 1' }),
    runInQueue({ distributorId: 2, signal }, read('other')),
  ];
  running.resolve();
  await Promise.all(all);
  expect(started).toEqual(['staff', 'other', 'customer', 'import']);
});
