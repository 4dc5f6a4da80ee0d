// A reliability test: a row of docs/reliability.md, run with the product's own processes on a real disk.
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

export type Database = 'embedded' | 'given';

export interface Outcome {
  /** The counts in one line: '20 runs, 3,912 acknowledged, 0 lost'. */
  readonly line: string;
  readonly holds: boolean;
}

export interface Setting {
  readonly on: Database;
  /** A share of the full number of runs, for developing a test. */
  readonly runs: (full: number) => number;
  readonly tell: (line: string) => void;
}

export interface ReliabilityTest {
  readonly row: string;
  readonly what: string;
  /** Programs that the test needs besides Node, or 'root'. */
  readonly needs: readonly string[];
  /** Only for tests that apply to one kind of database. */
  readonly on?: Database;
  /** The duration on two cores for one kind of database. */
  readonly minutes: number;
  readonly run: (setting: Setting) => Promise<Outcome>;
}

const isHere = (need: string): boolean =>
  need === 'root' ? process.getuid?.() === 0 : spawnSync('sh', ['-c', `command -v ${need}`]).status === 0;

/** The requirements of the test that this machine lacks. */
export const missing = ({ needs }: ReliabilityTest): string[] => needs.filter((need) => !isHere(need));

const LONGEST_MS = 60_000;

/** Waits for a condition; fails with the message after a minute. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, otherwise: string, every = 10): Promise<void> {
  for (const end = Date.now() + LONGEST_MS; !(await isSo()); await pause(every)) if (Date.now() > end) throw new Error(otherwise);
}

export const counted = (n: number, noun: string): string => `${n.toLocaleString('en-US')} ${noun}`;
