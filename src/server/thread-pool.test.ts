import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createThreadPool, TaskTimeoutError } from './thread-pool.ts';

/**
 * The script of a thread of this test. For a positive number it returns the double, for 0 it ends the thread, and for a negative number it
 * never returns.
 */
const SCRIPT = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (n) => { if (n === 0) process.exit(); while (n < 0); parentPort.postMessage(2 * n); });`;
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('/');${SCRIPT}`)}`,
);

test('the thread pool runs concurrent tasks, and reuses the threads for later ones', async () => {
  const { run } = createThreadPool<number, number>({ name: 'doubling', script });
  expect(await Promise.all([1, 2, 3].map(run))).toEqual([2, 4, 6]);
  expect(await Promise.all([4, 5, 6].map(run))).toEqual([8, 10, 12]);
});

test('the thread pool rejects a task when its thread ends, and runs the next task', async () => {
  const { run } = createThreadPool<number, number>({ name: 'doubling', script });
  await expect(run(0)).rejects.toThrow('A thread of the pool "doubling" has ended.');
  expect(await run(1)).toBe(2);
});

test('the thread pool rejects a task that runs too long, terminates its thread, and runs the next task', { tags: ['long'] }, async () => {
  const { run } = createThreadPool<number, number>({ name: 'doubling', script, maxRunTime: 2000 });
  await expect(run(-1)).rejects.toThrow(TaskTimeoutError);
  expect(await run(1)).toBe(2);
  const busyForFifthOfSecond = async (): Promise<number> => {
    const { user } = process.cpuUsage();
    await pause(200);
    return process.cpuUsage().user - user;
  };
  // A thread in an endless loop would use 200,000 microseconds of CPU time during the pause. A lower value proves that the thread has
  // ended.
  await vi.waitFor(async () => expect(await busyForFifthOfSecond()).toBeLessThan(100_000), { timeout: 20_000 });
});
