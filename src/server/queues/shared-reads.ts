// Lets the requests for the same expensive data share one read, so that a flood of such requests costs little (reliability, "abuse").
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../database/db.ts';
import { asShared } from '../database/tenant-connections.ts';

/** After a read, the next read of the group waits this many times as long as the read took, but at most `maxPause` milliseconds. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE = 500;

interface Group<Result> {
  /** The reads that have not begun yet, by key. */
  readonly next: Map<string, Promise<Result>>;
  /** Resolves when the next read may begin. */
  free: Promise<unknown>;
}

interface ReadOptions {
  /** Requests with the same key share a read. */
  readonly key: string;
  /**
   * The reads of a group run one after the other, for example those of all distributions of a distributor. Otherwise a distributor could keep
   * the database busy with reads of many distributions. By default, each key is a group.
   */
  readonly group?: string;
}

/**
 * Returns a function that runs one read for all requests that wait for the same key. The read gets the input of the first of these
 * requests. It begins after all of them have arrived, so its result contains everything that was saved before they arrived.
 */
export function createSharedReads<Input, Result>(
  read: (db: Db, input: Input) => Promise<Result>,
  { maxPause = MAX_PAUSE } = {},
): (db: Db, options: ReadOptions, input: Input) => Promise<Result> {
  const ofDb = new WeakMap<Db, Map<string, Group<Result>>>();
  return (db, { key, group = key }, input) => {
    const groups = ofDb.get(db) ?? new Map<string, Group<Result>>();
    ofDb.set(db, groups);
    const reads = groups.get(group) ?? { next: new Map(), free: Promise.resolve() };
    groups.set(group, reads);
    const known = reads.next.get(key);
    if (known) return known;
    let began = 0;
    const begin = (): Promise<Result> => {
      began = performance.now();
      reads.next.delete(key);
      return asShared(() => read(db, input));
    };
    const cooldown = async (): Promise<void> => {
      await pause(Math.min((performance.now() - began) * PAUSE_FACTOR, maxPause));
      if (reads.next.size === 0) groups.delete(group);
    };
    const next = reads.free.then(begin);
    reads.next.set(key, next);
    reads.free = next.then(cooldown, cooldown);
    return next;
  };
}
