// Defines what a reliability test is. Each reliability test belongs to a row of docs/reliability.md, and runs the application's own
// processes on a real disk.
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

export type Database = 'embedded' | 'given';

export interface Outcome {
  /** The results of the test in one line, for example '20 runs, 3,912 acknowledged, 0 lost'. */
  readonly line: string;
  readonly holds: boolean;
}

export interface Setting {
  readonly on: Database;
  /**
   * Returns how often the test must repeat something, from the full number of repetitions. A developer who is writing a test can choose a
   * smaller share of it with `--runs`.
   */
  readonly runs: (full: number) => number;
  readonly tell: (line: string) => void;
}

export interface ReliabilityTest {
  readonly row: string;
  readonly what: string;
  /** The programs that the test needs besides Node. The entry 'root' means that the test must run as root. */
  readonly needs: readonly string[];
  /** The only kind of database with which the test runs. The field is missing if the test runs with both kinds. */
  readonly on?: Database;
  /** How many minutes the test takes for one kind of database on two cores. */
  readonly minutes: number;
  readonly run: (setting: Setting) => Promise<Outcome>;
}

const isHere = (need: string): boolean =>
  need === 'root' ? process.getuid?.() === 0 : spawnSync('sh', ['-c', `command -v ${need}`]).status === 0;

/** Returns the entries of `needs` that this machine does not have. */
export const missing = ({ needs }: ReliabilityTest): string[] => needs.filter((need) => !isHere(need));

const MAX_MS = 60_000;

/** Waits until a condition is true. After a minute, it throws an error with the message `otherwise`. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, otherwise: string, every = 10): Promise<void> {
  for (const end = Date.now() + MAX_MS; !(await isSo()); await pause(every)) if (Date.now() > end) throw new Error(otherwise);
}

export const counted = (n: number, noun: string): string => `${n.toLocaleString('en-US')} ${noun}`;
