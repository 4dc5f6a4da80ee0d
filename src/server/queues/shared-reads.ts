// Lets the requests for the same expensive data share one read, so that a flood of such requests costs little (reliability, "abuse").
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../database/db.ts';
import { asShared } from '../database/tenant-connections.ts';

/** After a read, the next read of the group waits this many times as long as the read took, but at most `maxPause` milliseconds. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE = 500;

/** A read that takes at most this many milliseconds, as a mean of the last reads with its key, is short. */
const SHORT_READ = 40;
/** For so many keys it is known how long their reads take. */
const MAX_KNOWN = 10_000;

interface Reads<Result> {
  /** The reads that have not begun yet, by key. */
  readonly next: Map<string, Promise<Result>>;
  /** Resolves when the next read of a group may begin. */
  readonly free: Map<string, Promise<unknown>>;
  /** How many milliseconds the reads with a key take. */
  readonly took: Map<string, number>;
}

interface ReadOptions {
  /** Requests with the same key share a read. */
  readonly key: string;
  /**
   * The reads of a group run one after the other, for example those of all distributions of a distributor. Otherwise a distributor could keep
   * the database busy with reads of many distributions. The short reads of a group are a group of their own, so that the families of a small
   * distribution do not wait for the reads of a large one. By default, each key is a group.
   */
  readonly group?: string;
}

/** Notes how long a read took. A read with an unknown key counts as short. */
function note(took: Map<string, number>, key: string, duration: number): void {
  const before = took.get(key) ?? duration;
  took.delete(key);
  took.set(key, (before + duration) / 2);
  const [oldest] = took.keys();
  if (took.size > MAX_KNOWN && oldest !== undefined) took.delete(oldest);
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
    const reads: Reads<Result> = ofDb.get(db) ?? { next: new Map(), free: new Map(), took: new Map() };
    ofDb.set(db, reads);
    const known = reads.next.get(key);
    if (known) return known;
    const isShort = (reads.took.get(key) ?? 0) <= SHORT_READ;
    const turns = group === undefined ? key : `${isShort ? 'short' : 'long'} ${group}`;
    let began = 0;
    const begin = (): Promise<Result> => {
      began = performance.now();
      reads.next.delete(key);
      return asShared(() => read(db, input));
    };
    const cooldown = async (isRead: boolean): Promise<void> => {
      const duration = performance.now() - began;
      if (isRead) note(reads.took, key, duration);
      await pause(Math.min(duration * PAUSE_FACTOR, maxPause));
      if (reads.free.get(turns) === free) reads.free.delete(turns);
    };
    const next = (reads.free.get(turns) ?? Promise.resolve()).then(begin);
    reads.next.set(key, next);
    const free = next.then(
      () => cooldown(true),
      () => cooldown(false),
    );
    reads.free.set(turns, free);
    return next;
  };
}
