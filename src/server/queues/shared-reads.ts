// Lets the requests for the same expensive data share one read, so that a flood of such requests costs little (reliability, "abuse").
import type { Db } from '../database/db.ts';
import { asShared } from '../database/tenant-connections.ts';
import { createReadTurns } from './read-turns.ts';

/** The pause after a read is this many times as long as the read took, but at most `maxPause` milliseconds. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE = 500;

/**
 * A read that takes at most this many milliseconds, as a mean of the last reads with its key, is short. A read with an unknown key counts as
 * short.
 */
const SHORT_READ = 40;
/** For so many keys it is known how long their reads take. */
const MAX_KNOWN = 10_000;

interface Reads<Result> {
  /** The reads that have not begun yet, by key. */
  readonly next: Map<string, Promise<Result>>;
  /** The turns of the groups whose reads wait, run or have been followed by a pause that has not ended. */
  readonly turns: Map<string, ReturnType<typeof createReadTurns>>;
  /** How many milliseconds the reads with a key take. */
  readonly took: Map<string, number>;
}

interface ReadOptions {
  /** Requests with the same key share a read. */
  readonly key: string;
  /**
   * The reads of a group run one after the other, for example those of all distributions of a distributor. Otherwise a distributor could keep
   * the database busy with reads of many distributions. The short reads of a group are a group of their own, and no read waits for the pauses
   * after longer ones, so that the families of a small distribution do not wait for the reads of larger ones. By default, each key is a group.
   */
  readonly group?: string;
}

/**
 * Notes how long a read took, and returns the mean. A read that takes longer than usual counts less than one that takes less time,
 * because a short read may take longer once, while the machine is busy.
 */
function note(took: Map<string, number>, key: string, duration: number): number {
  const before = took.get(key) ?? duration;
  const mean = before + (duration - before) / (duration > before ? 8 : 2);
  took.delete(key);
  took.set(key, mean);
  const [oldest] = took.keys();
  if (took.size > MAX_KNOWN && oldest !== undefined) took.delete(oldest);
  return mean;
}

/**
 * Returns a function that runs one read for all requests that wait for the same key. The read gets the input of the first of these
 * requests. It begins after all of them have arrived, so its result contains everything that was saved before they arrived.
 */
export function createSharedReads<Input, Result>(
  read: (db: Db, input: Input) => Promise<Result>,
  { maxPause = MAX_PAUSE } = {},
): (db: Db, options: ReadOptions, input: Input) => Promise<Result> {
  const ofDb = new WeakMap<Db, Reads<Result>>();
  return (db, { key, group }, input) => {
    const reads: Reads<Result> = ofDb.get(db) ?? { next: new Map(), turns: new Map(), took: new Map() };
    ofDb.set(db, reads);
    const known = reads.next.get(key);
    if (known) return known;
    let usual = reads.took.get(key) ?? SHORT_READ;
    const ofGroup = group === undefined ? key : `${usual <= SHORT_READ ? 'short' : 'long'} ${group}`;
    const turns = reads.turns.get(ofGroup) ?? createReadTurns(() => reads.turns.delete(ofGroup));
    reads.turns.set(ofGroup, turns);
    const readInTurn = async (): Promise<Result> => {
      await turns.begin(usual);
      reads.next.delete(key);
      const began = performance.now();
      const duration = (): number => performance.now() - began;
      try {
        const result = await asShared(() => read(db, input));
        usual = Math.min(usual, note(reads.took, key, duration()));
        return result;
      } finally {
        turns.end(usual, Math.min(duration() * PAUSE_FACTOR, maxPause));
      }
    };
    const next = readInTurn();
    reads.next.set(key, next);
    return next;
  };
}
