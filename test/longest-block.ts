// Measures how long the event loop was blocked.
import { setTimeout as pause } from 'node:timers/promises';

/** Returns the CPU time of this thread in milliseconds. It does not depend on other processes. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Runs `work`. Returns its result, and the CPU time in milliseconds of the longest iteration of the event loop meanwhile. */
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
    // The first iteration of the event loop does not belong to the work, so it is not measured.
    await pause(5);
    longest = 0;
    const result = await work();
    await pause(5);
    return { longest, result };
  } finally {
    clearInterval(timer);
  }
}
