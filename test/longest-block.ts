// How long the event loop could serve nobody else while something ran.
import { setTimeout as pause } from 'node:timers/promises';

/** CPU time of this thread in milliseconds: other processes of a busy machine do not count. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The CPU time of the longest turn of the event loop during `work`, in milliseconds, and what `work` returns. */
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
    // The first turn of the loop is not that of the work.
    await pause(5);
    longest = 0;
    const result = await work();
    await pause(5);
    return { longest, result };
  } finally {
    clearInterval(timer);
  }
}
