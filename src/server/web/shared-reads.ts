// Lets the requests for the same expensive data share one read, so that a flood of such requests costs little (reliability, "abuse").
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../database/db.ts';
import { asShared } from '../database/tenant-connections.ts';

/** After a read, the next read for the same key waits this many times as long as the read took, but at most `maxRest` milliseconds. */
const REST = 2;
const MAX_REST = 500;

interface Shared<Result> {
  /** The read that has not begun yet. */
  next: Promise<Result> | null;
  /** Resolves when the next read may begin. */
  free: Promise<unknown>;
}

/**
 * Returns a function that runs one read for all requests that wait for the same key. The read gets the input of the first of these
 * requests. It begins after all of them have arrived, so its result contains everything that was saved before they arrived.
 */
export function createSharedReads<Input, Result>(
  read: (db: Db, input: Input) => Promise<Result>,
  { maxRest = MAX_REST } = {},
): (db: Db, key: string, input: Input) => Promise<Result> {
  const ofDb = new WeakMap<Db, Map<string, Shared<Result>>>();
  return (db, key, input) => {
    const reads = ofDb.get(db) ?? new Map<string, Shared<Result>>();
    ofDb.set(db, reads);
    const shared = reads.get(key) ?? { next: null, free: Promise.resolve() };
    reads.set(key, shared);
    if (shared.next) return shared.next;
    let began = 0;
    const begin = (): Promise<Result> => {
      began = performance.now();
      shared.next = null;
      return asShared(() => read(db, input));
    };
    const rest = async (): Promise<void> => {
      await pause(Math.min((performance.now() - began) * REST, maxRest));
      if (!shared.next) reads.delete(key);
    };
    const next = shared.free.then(begin);
    shared.next = next;
    shared.free = next.then(rest, rest);
    return next;
  };
}
