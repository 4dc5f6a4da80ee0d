// Measures the CPU time of a test, and how long the event loop was blocked.
import { setTimeout as pause } from 'node:timers/promises';

/** Returns the CPU time that this thread has used, in milliseconds. It does not include the time of other processes. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The CPU time in milliseconds that the reference machine needs for `referenceWork`. */
const REFERENCE = 60;

function referenceWork(): void {
  const text = JSON.stringify(Array.from({ length: 10_000 }, (_, id) => ({ id, name: `Product ${id}`, price: id / 4, tags: ['a', 'b'] })));
  for (let turn = 0; turn < 10; turn++) JSON.stringify(JSON.parse(text));
}

function timeOfReferenceWork(): number {
  const before = cpuTime();
  referenceWork();
  return cpuTime() - before;
}

/**
 * The factor by which this machine is slower than the reference machine, at least 1. The work is timed twice, and the shorter time is used,
 * because the first one includes compilation.
 */
const slowness = Math.max(1, Math.min(timeOfReferenceWork(), timeOfReferenceWork()) / REFERENCE);

/**
 * Runs `work`, and returns its result. `longest` is the CPU time of the longest iteration of the event loop while it ran, in milliseconds,
 * divided by `slowness`.
 */
export async function longestBlock<Result>(work: () => Promise<Result>): Promise<{ longest: number; result: Result }> {
  let longest = 0;
  let before = cpuTime();
  const look = (): void => {
    const after = cpuTime();
    longest = Math.max(longest, after - before);
    before = after;
  };
  const timer = setInterval(look, 1);
  try {
    // The current iteration of the event loop is not measured, because it also contains what ran before `work`.
    await pause(5);
    longest = 0;
    const result = await work();
    await pause(5);
    return { longest: longest / slowness, result };
  } finally {
    clearInterval(timer);
  }
}
