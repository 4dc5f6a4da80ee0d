// Measures how long the event loop was blocked.
import { setTimeout as pause } from 'node:timers/promises';

/** Returns the CPU time that this thread has used, in milliseconds. Other processes do not affect this time. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Runs `work`. Returns its result, and the CPU time of the longest event loop iteration while it ran, in milliseconds. */
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
    return { longest, result };
  } finally {
    clearInterval(timer);
  }
}
