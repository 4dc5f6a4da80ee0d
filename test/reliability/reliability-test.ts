// What a long proof is: a row of docs/reliability.md, run against the product as its own processes on a real disk.
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

export type Database = 'embedded' | 'given';

export interface Outcome {
  /** What was counted, as in '20 runs, 3,912 acknowledged, 0 lost'. */
  readonly line: string;
  readonly holds: boolean;
}

export interface Setting {
  readonly on: Database;
  /** Share of the full number of runs, for whoever works on a proof. */
  readonly runs: (full: number) => number;
  readonly tell: (line: string) => void;
}

export interface ReliabilityTest {
  readonly row: string;
  readonly what: string;
  /** Programs beside Node, or 'root'. */
  readonly needs: readonly string[];
  /** Where it makes sense on one of them alone. */
  readonly on?: Database;
  /** How long it takes on two cores, for one database. */
  readonly minutes: number;
  readonly run: (setting: Setting) => Promise<Outcome>;
}

const isHere = (need: string): boolean =>
  need === 'root' ? process.getuid?.() === 0 : spawnSync('sh', ['-c', `command -v ${need}`]).status === 0;

/** What of `needs` this machine has not. */
export const missing = ({ needs }: ReliabilityTest): string[] => needs.filter((need) => !isHere(need));

const LONGEST_MS = 60_000;

/** Looks again and again whether it is so; what is not so after a minute fails the proof with that sentence. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, otherwise: string, every = 10): Promise<void> {
  for (const end = Date.now() + LONGEST_MS; !(await isSo()); await pause(every)) if (Date.now() > end) throw new Error(otherwise);
}

export const counted = (n: number, noun: string): string => `${n.toLocaleString('en-US')} ${noun}`;
