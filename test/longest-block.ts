// Measures how long the event loop was blocked.
import { setTimeout as pause } from 'node:timers/promises';

/** CPU time of this thread in milliseconds, independent of other processes. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the CPU time of the longest iteration of the event loop during `work`, in milliseconds, and the result of `work`. */
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
    // The first iteration does not belong to the work.
    await pause(5);
    longest = 0;
    const result = await work();
    await pause(5);
    return { longest, result };
  } finally {
    clearInterval(timer);
  }
}
