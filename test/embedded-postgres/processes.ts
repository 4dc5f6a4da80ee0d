// Finds the PostgreSQL processes on a folder, and kills them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the pid in the pid file of `folder`, or null. */
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

/** Returns every postmaster whose command line names `folder`. More than one would destroy the data. */
export const postmastersOn = (folder: string): number[] =>
  execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(` -D ${folder} `) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10));

/** Returns all processes of the server on `folder`, the postmaster first. Without a pid file the list is empty. */
export function serverProcesses(folder: string): number[] {
  const postmaster = postmasterOf(folder);
  if (postmaster === null) return [];
  const children = table().filter(([, parent]) => parent === postmaster);
  return [postmaster, ...children.map(([pid = 0]) => pid)];
}

/** Kills the server and all its processes with kill -9, as a power cut would. */
export function killServer(folder: string): void {
  const processes = serverProcesses(folder);
  if (processes.length === 0) throw new Error(`no server on ${folder}`);
  for (const pid of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // This process has ended after the list of processes was read.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
