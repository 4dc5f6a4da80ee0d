// Reads the CPU time and memory of a running process from Linux's /proc.
import { readdir, readFile, writeFile } from 'node:fs/promises';

const MS_PER_TICK = 10;

interface Times {
  readonly parent: number;
  readonly ownMs: number;
  /** The CPU time in milliseconds of the child processes that have ended. */
  readonly endedMs: number;
}

async function timesOf(pid: number): Promise<Times | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  if (stat === '') return null;
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ms = (from: number): number => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) * MS_PER_TICK;
  return { parent: fields[1] ?? 0, ownMs: ms(11), endedMs: ms(13) };
}

/** Returns the CPU time of the process in milliseconds. */
export const cpuOf = async (pid: number): Promise<number> => (await timesOf(pid))?.ownMs ?? 0;

/** Returns the CPU time in milliseconds of the process and all its child processes, including those that have ended. */
export async function cpuOfFamily(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const times = await Promise.all(pids.map(async (one) => ({ one, times: await timesOf(one) })));
  const family = times.filter(({ one, times: of }) => one === pid || of?.parent === pid);
  return family.reduce((sum, { one, times: of }) => sum + (of?.ownMs ?? 0) + (one === pid ? (of?.endedMs ?? 0) : 0), 0);
}

/** Resets the peak memory that Linux has recorded for the process. */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);

async function statusOf(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024);
}

/** Returns the peak memory of the process in MiB. */
export const peakOf = (pid: number): Promise<number> => statusOf(pid, 'VmHWM');
export const memoryOf = (pid: number): Promise<number> => statusOf(pid, 'VmRSS');
