import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hashOfPassword, PASSWORD } from '../../../test/data/accounts.ts';
import { makeDistributor, makeUser } from '../../../test/data/factories.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { delayAfterFailure } from './network-failures.ts';

/** Contains, for each reply that is delayed now, the function that ends the delay. A delay also ends when it is aborted. */
const delayed = vi.hoisted(() => new Set<() => void>());
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>();
  const setTimeout: typeof timers.setTimeout = async (ms = 0, value, options = {}) => {
    if (ms < 2000) return await timers.setTimeout(ms, value, options);
    return await new Promise((resolve) => {
      const end = (): void => {
        delayed.delete(end);
        resolve(value as never);
      };
      delayed.add(end);
      options.signal?.addEventListener('abort', end);
    });
  };
  return { ...timers, setTimeout };
});

const testApp = setupTestApp({ TRUST_PROXY: '1' });
const NETWORK = '203.0.113.7';
/** The milliseconds for which a sign-in still counts as running after it has released its permits, if others of its network wait. */
const PAUSE_MS = 40;

let email: string;
beforeEach(async () => {
  await testApp.db.deleteFrom('sign_in_addresses').execute();
  const windowStart = testApp.time.toISOString();
  await testApp.db.insertInto('sign_in_addresses').values({ address: NETWORK, failures: 300, windowStart }).execute();
  const distributor = await makeDistributor(testApp.db);
  ({ email } = await makeUser(testApp.db, 'customer', { distributorId: distributor.id, password: await hashOfPassword() }));
});
afterEach(() => {
  for (const end of delayed) end();
  vi.useRealTimers();
});

const signIn = (by: string, password: string, cookie = '') =>
  testApp.app.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email: by, password },
    headers: { 'x-forwarded-for': NETWORK, cookie },
  });
const guess = (count: number) => Array.from({ length: count }, (_, index) => signIn(`nobody${index}@mail.example`, 'Wrong-Word-1'));

/** Lets the server work until the condition is true. Gives up after 20 s, so that a test of a request that never ends fails soon. */
async function workUntil(isDone: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isDone() && performance.now() < end) await nextIteration();
}

/** Resolves when so many replies are delayed and the sign-ins have released their permits. */
async function untilDelayed(count: number): Promise<void> {
  await workUntil(() => delayed.size >= count);
  expect(delayed.size).toBeGreaterThanOrEqual(count);
  for (let iteration = 0; iteration < 5; iteration++) await nextIteration();
}

/** Returns the status of the reply if it arrives although the simulated time does not advance. */
async function statusNow(reply: ReturnType<typeof signIn>): Promise<number | undefined> {
  let status: number | undefined;
  void reply.then(({ statusCode }) => (status = statusCode));
  await workUntil(() => status !== undefined);
  return status;
}

test(
  'sign-ins with wrong passwords whose replies are delayed do not delay others behind the same IPv4 address (reliability abuse)',
  { tags: ['long'] },
  async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const flood = guess(24);
    // The simulated time advances by much less than the second after which a running request no longer delays others.
    for (const count of [8, 16, 24]) {
      await untilDelayed(count);
      await vi.advanceTimersByTimeAsync(PAUSE_MS);
    }
    expect(await statusNow(signIn(email, PASSWORD))).toBe(200);
    expect(delayed.size).toBe(24);
    for (const end of delayed) end();
    for (const reply of flood) expect(await statusNow(reply)).toBe(401);
  },
);

test(
  'a sign-in on a device that has signed in before does not wait for the guesses behind the same IPv4 address (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const [device] = (await signIn(email, PASSWORD)).cookies.filter(({ name }) => name === 'device');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const flood = guess(24);
    await untilDelayed(8);
    const known = signIn(email, PASSWORD, `device=${device?.value}`);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(await statusNow(known)).toBe(200);
    expect(delayed.size).toBeLessThan(24);
    for (const count of [16, 20, 24]) {
      await vi.advanceTimersByTimeAsync(PAUSE_MS);
      await untilDelayed(count);
    }
    for (const end of delayed) end();
    for (const reply of flood) expect(await statusNow(reply)).toBe(401);
  },
);

test(
  'of the delayed replies to one network, the oldest is sent when there are more than a thousand, because each occupies memory (reliability abuse)',
  { tags: ['long'] },
  async () => {
    const ended: number[] = [];
    const wait = async (index: number): Promise<void> => {
      const attempt = { userId: undefined, device: null, address: NETWORK, now: testApp.time, signal: new AbortController().signal };
      await delayAfterFailure(testApp.db, { ...attempt, releasePermits: () => undefined });
      ended.push(index);
    };
    const first = wait(0);
    await expect.poll(() => delayed.size).toBe(1);
    const others = Array.from({ length: 999 }, (_, index) => wait(index + 1));
    await expect.poll(() => delayed.size, { timeout: 20_000 }).toBe(1000);
    expect(ended).toEqual([]);
    const last = wait(1000);
    await first;
    expect([ended, delayed.size]).toEqual([[0], 1000]);
    for (const end of delayed) end();
    await Promise.all([...others, last]);
  },
);
