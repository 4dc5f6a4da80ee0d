// The processes of a PostgreSQL server on this machine: which there are on a folder, and their sudden end.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pid of the server that says it lives on `folder`, or null. */
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

/** Every postmaster whose command line names `folder`: more than one would be the end of the data. */
export const postmastersOn = (folder: string): number[] =>
  execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(` -D ${folder} `) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10));

/** The server on `folder` with all its processes, itself first; none when it says nowhere that it lives. */
export function serverProcesses(folder: string): number[] {
  const postmaster = postmasterOf(folder);
  if (postmaster === null) return [];
  const children = table().filter(([, parent]) => parent === postmaster);
  return [postmaster, ...children.map(([pid = 0]) => pid)];
}

/** kill -9 of the server with all its processes, as a power cut would. */
export function killServer(folder: string): void {
  const processes = serverProcesses(folder);
  if (processes.length === 0) throw new Error(`no server on ${folder}`);
  for (const pid of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // A connection that was closed since the table was read.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
