// Finds the PostgreSQL processes that use a database folder, and kills them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the pid from PostgreSQL's pid file in `folder`, or null if there is no such file. */
export function postmasterOf(folder: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);
  } catch {
    return null;
  }
}

const table = (): number[][] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));

/** Returns the pids of all PostgreSQL main processes that were started on `folder`. Two of them at the same time would destroy the data. */
export function postmastersOn(folder: string): number[] {
  const found = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(` -D ${folder} `))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith('Z'));
  const pids = new Set(found.map(([pid]) => pid));
  // A process that a main process has just started still has the arguments of its parent.
  return found.filter(([, parent]) => !pids.has(parent)).map(([pid]) => Number(pid));
}

/** Returns the pids of all processes of the server on `folder`, the main process first. The list is empty if there is no pid file. */
export function serverProcesses(folder: string): number[] {
  const postmaster = postmasterOf(folder);
  if (postmaster === null) return [];
  const children = table().filter(([, parent]) => parent === postmaster);
  return [postmaster, ...children.map(([pid = 0]) => pid)];
}

/** Kills all processes of the server with kill -9, to simulate a power cut. */
export function killServer(folder: string): void {
  const processes = serverProcesses(folder);
  if (processes.length === 0) throw new Error(`no server on ${folder}`);
  for (const pid of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // The process may have ended after the list of processes was read.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
