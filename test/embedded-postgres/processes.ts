// The PostgreSQL processes on a folder, and how to kill them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pid in the pid file of `folder`, or null. */
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

/** Every postmaster whose command line names `folder`: more than one would destroy the data. */
export const postmastersOn = (folder: string): number[] =>
  execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(` -D ${folder} `) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10));

/** The server on `folder` with all its processes, the postmaster first; empty without a pid file. */
export function serverProcesses(folder: string): number[] {
  const postmaster = postmasterOf(folder);
  if (postmaster === null) return [];
  const children = table().filter(([, parent]) => parent === postmaster);
  return [postmaster, ...children.map(([pid = 0]) => pid)];
}

/** kill -9 of the server with all its processes, like a power cut. */
export function killServer(folder: string): void {
  const processes = serverProcesses(folder);
  if (processes.length === 0) throw new Error(`no server on ${folder}`);
  for (const pid of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // The process has ended since the list of processes was read.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
