import { afterEach, expect, test, vi } from 'vitest';
import { createLimiter } from './limiter.ts';

/** Returns a job and the function with which the test ends the job. */
function held(): { work: () => Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('the limiter never runs more jobs at once than the limit', async () => {
  const limit = createLimiter({ concurrency: 2 });
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await settled();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 9 }, () => limit(work)));
  expect([most, running]).toEqual([2, 0]);
});

test('a thousand queued jobs of one caller delay another caller by one job only', async () => {
  const limit = createLimiter({ concurrency: 1 });
  const first = held();
  const done: string[] = [];
  const all = [limit(first.work, { key: 'flood' })];
  for (let n = 0; n < 1000; n++) all.push(limit(async () => void done.push('flood'), { key: 'flood' }));
  all.push(limit(async () => void done.push('family'), { key: 'family' }));
  first.end();
  await Promise.all(all);
  expect(done.indexOf('family')).toBeLessThanOrEqual(1);
  expect(done).toHaveLength(1001);
});

test('groups take turns, however many keys have queued jobs in one of them, and the keys of a group take turns within it', async () => {
  const limit = createLimiter({ concurrency: 1 });
  const first = held();
  const done: string[] = [];
  const all = [limit(first.work)];
  const queue = (group: string, key: string) => all.push(limit(async () => void done.push(key), { group, key }));
  for (const key of ['flood 1', 'flood 1', 'flood 2', 'flood 2', 'flood 3']) queue('flood', key);
  queue('flood', 'neighbor');
  for (const key of ['family', 'family']) queue('other', key);
  first.end();
  await Promise.all(all);
  expect(done).toEqual(['flood 1', 'family', 'flood 2', 'family', 'flood 3', 'neighbor', 'flood 1', 'flood 2']);
});

test('three of four jobs of a group are those of the key whose jobs have run for the shortest time; for every fourth job, the keys take turns', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const limit = createLimiter({ concurrency: 1, leastBusyFirst: true });
  const done: string[] = [];
  const job = (key: string, milliseconds: number) =>
    limit(
      async () => {
        vi.advanceTimersByTime(milliseconds);
        done.push(key);
      },
      { group: 'customers', key },
    );
  await job('slow', 100);
  for (let each = 0; each < 5; each++) await job('quick', 1);
  done.length = 0;
  const first = held();
  const all = [limit(first.work), ...['slow', 'slow', 'quick', 'quick', 'quick', 'quick', 'quick', 'new'].map((key) => job(key, 1))];
  first.end();
  await Promise.all(all);
  expect(done).toEqual(['new', 'quick', 'quick', 'slow', 'quick', 'quick', 'quick', 'slow']);
});

test('the groups of one owner together have the turns of one group, and take turns within it', async () => {
  const limit = createLimiter({ concurrency: 1 });
  const first = held();
  const done: string[] = [];
  const all = [limit(first.work)];
  const queue = (owner: string, group: string) => all.push(limit(async () => void done.push(group), { owner, group }));
  for (const group of ['a staff', 'a staff', 'a customers', 'a import', 'a import']) queue('a', group);
  for (const group of ['b staff', 'b staff', 'b staff', 'b customers']) queue('b', group);
  first.end();
  await Promise.all(all);
  expect(done).toEqual(['a staff', 'b staff', 'a customers', 'b customers', 'a import', 'b staff', 'a staff', 'b staff', 'a import']);
});

test('a job that releases its permit lets the next job start, and counts as a job of its group until it ends', async () => {
  const limit = createLimiter({ concurrency: 1, concurrencyPerGroup: 1 });
  const first = held();
  const done: string[] = [];
  const running = limit((releasePermit) => (releasePermit(), first.work()), { key: 'a' });
  const queued = limit(async () => void done.push('a'), { key: 'a' });
  await limit(async () => void done.push('b'), { key: 'b' });
  expect(done).toEqual(['b']);
  first.end();
  await Promise.all([running, queued]);
  expect(done).toEqual(['b', 'a']);
});

test('a group that may not start a job is skipped; all jobs of its keys count as running jobs of the group', async () => {
  const limit = createLimiter({ concurrency: 2, concurrencyPerGroup: 1 });
  const [first, second] = [held(), held()];
  const done: string[] = [];
  const job = (name: string) => async () => void done.push(name);
  const running = [limit(first.work, { group: 'a', key: 'a 1' }), limit(second.work, { group: 'b', key: 'b 1' })];
  const queued = ['a 1', 'a 2', 'b 2'].map((key) => limit(job(key), { group: key.slice(0, 1), key }));
  second.end();
  await queued.at(-1);
  expect(done).toEqual(['b 2']);
  first.end();
  await Promise.all([...running, ...queued]);
  expect(done).toEqual(['b 2', 'a 1', 'a 2']);
});

test('a failed job frees its slot', async () => {
  const limit = createLimiter({ concurrency: 1 });
  const failing = limit(async () => {
    throw new Error('no');
  });
  const next = limit(async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('the limiter refuses jobs when the queue is full, and accepts jobs again when there is room', async () => {
  const limit = createLimiter({ concurrency: 1, maxQueued: 2, refusal: () => new Error('full') });
  const first = held();
  const waiting = [limit(first.work, { key: 'a' }), limit(async () => undefined, { key: 'a' }), limit(async () => undefined, { key: 'b' })];
  await expect(limit(async () => undefined, { key: 'c' })).rejects.toThrow('full');
  first.end();
  await Promise.all(waiting);
  expect(await limit(async () => 'served', { key: 'c' })).toBe('served');
});

test('when the queue is full, the limiter drops the last job of the caller with the most jobs, to accept a job of a caller with fewer jobs', async () => {
  const limited = createLimiter({ concurrency: 1, maxQueued: 4, refusal: () => new Error('full') });
  const first = held();
  const done: string[] = [];
  const job = (name: string) => async () => void done.push(name);
  const running = limited(first.work, { key: 'flood' });
  const flood = [1, 2, 3, 4].map((n) => limited(job(`flood ${n}`), { key: 'flood' }));
  await expect(limited(job('flood 5'), { key: 'flood' })).rejects.toThrow('full');
  const others = ['a', 'b'].map((key) => limited(job(key), { key }));
  await expect(Promise.all(flood.slice(2))).rejects.toThrow('full');
  await expect(flood[2]).rejects.toThrow('full');
  first.end();
  await Promise.all([running, ...flood.slice(0, 2), ...others]);
  expect(done.toSorted()).toEqual(['a', 'b', 'flood 1', 'flood 2']);
});

test('when the queue is full, the limiter drops a job of the group with the most jobs, even if no key of this group has several jobs', async () => {
  const limited = createLimiter({ concurrency: 1, maxQueued: 4, refusal: () => new Error('full') });
  const first = held();
  const done: string[] = [];
  const job = (group: string, key: string) => limited(async () => void done.push(key), { group, key });
  const running = limited(first.work);
  const flood = [1, 2, 3, 4].map((n) => job('flood', `flood ${n}`));
  const refused = job('flood', 'flood 5');
  const [family, neighbor] = [['family', 'family'].map((key) => job('other', key)), job('other', 'neighbor')];
  first.end();
  // When the neighbor comes, both groups have two jobs. So the family, which is in the neighbor's group and has two, makes room.
  const results = await Promise.allSettled([...flood, refused, ...family, neighbor, running]);
  const [yes, no] = ['fulfilled', 'rejected'];
  expect(results.map(({ status }) => status)).toEqual([yes, yes, no, no, no, yes, no, yes, yes]);
  expect(done).toEqual(['flood 1', 'family', 'flood 2', 'neighbor']);
});

test('the limiter refuses a caller with too many queued jobs, and accepts other callers', async () => {
  const limit = createLimiter({ concurrency: 1, maxQueued: 9, maxQueuedPerKey: 1, refusal: () => new Error('full') });
  const first = held();
  const waiting = [limit(first.work, { key: 'a' }), limit(async () => undefined, { key: 'a' }), limit(async () => undefined, { key: 'b' })];
  await expect(limit(async () => undefined, { key: 'a' })).rejects.toThrow('full');
  first.end();
  await Promise.all(waiting);
  expect(await limit(async () => 'served', { key: 'a' })).toBe('served');
});

test('the limiter removes a queued job whose client disconnected', async () => {
  const limited = createLimiter({ concurrency: 1 });
  const first = held();
  const running = limited(first.work);
  const client = new AbortController();
  const job = vi.fn<() => Promise<void>>();
  const dropped = limited(job, { key: 'a', signal: client.signal });
  const kept = limited(async () => 'kept', { key: 'a' });
  client.abort();
  await expect(dropped).rejects.toMatchObject({ status: 499 });
  await expect(limited(job, { signal: client.signal })).rejects.toMatchObject({ status: 499 });
  first.end();
  await running;
  expect([await kept, job.mock.calls]).toEqual(['kept', []]);
});

afterEach(() => vi.useRealTimers());

test('the limiter refuses a job that was queued too long, and starts the next job when the running one takes too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const limited = createLimiter({ concurrency: 1, maxWait: 1000, maxHold: 5000 });
  const [first, second] = [held(), held()];
  const running = limited(first.work);
  const late = limited(second.work).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1001);
  expect(await late).toMatchObject({ status: 503, retryAfter: 2 });
  await vi.advanceTimersByTimeAsync(3500);
  const next = limited(async () => 'next');
  await vi.advanceTimersByTimeAsync(501);
  expect(await next).toBe('next');
  first.end();
  await running;
  // After the time limit has released the slot of a job, the end of the job must not release another slot.
  const [third, fourth] = [held(), vi.fn<() => Promise<void>>()];
  const holding = limited(third.work);
  void limited(fourth);
  await Promise.resolve();
  expect(fourth).not.toHaveBeenCalled();
  third.end();
  await holding;
});
