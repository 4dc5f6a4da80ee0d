// What comes while the database is at work on its like waits for it, and goes there together: a statement for thirty costs far less than
// thirty statements. Who is alone waits for nobody.
import { isRolledBack, type Db } from './db.ts';
import { busy } from '../http/errors.ts';
import { createLimiter } from '../http/limiter.ts';

/** Milliseconds, as long as for a connection. */
const LONGEST_WAIT = 10_000;
/** Items of failed batches that wait to be worked on alone: ten full batches. */
const MAX_QUEUED_RETRIES = 300;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
interface Lane<Item, Result> {
  running: number;
  waiting: Waiting<Item, Result>[];
}

export interface Bounds {
  /** Works under way of one key. */
  readonly atOnce: number;
  /** Items in one of them. */
  readonly most: number;
  /** Whether an error says for sure that nothing was done: then each item of a failed work is worked on alone. */
  readonly isUndone: (error: unknown) => boolean;
}
export type Gathering<Item, Result> = (key: string, item: Item) => Promise<Result>;

/** `work` answers with a result for each item, in their order. Items of different keys have nothing to do with each other. */
export function gathered<Item, Result>(
  { atOnce, most, isUndone }: Bounds,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Gathering<Item, Result> {
  const lanes = new Map<string, Lane<Item, Result>>();

  // A few at a time, of all keys: what holds one up may hold up all of them. Further ones are refused: they would wait too long.
  const retryQueue = createLimiter({ concurrency: atOnce, maxQueued: MAX_QUEUED_RETRIES });
  const alone = async (one: Waiting<Item, Result>): Promise<void> => {
    if (performance.now() - one.since > LONGEST_WAIT) one.reject(busy());
    else await settle([one]);
  };
  const settle = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      // Those that come later do not wait for these.
      if (batch.length > 1 && isUndone(error)) for (const one of batch) retryQueue(() => alone(one)).catch(one.reject);
      else for (const { reject } of batch) reject(error);
    }
  };
  const start = (key: string, lane: Lane<Item, Result>): void => {
    while (lane.running < atOnce && lane.waiting.length > 0) {
      lane.running++;
      const batch = lane.waiting.splice(0, most);
      for (const { timer } of batch) clearTimeout(timer);
      void settle(batch).then(() => {
        lane.running--;
        start(key, lane);
      });
    }
    if (lane.running === 0 && lanes.get(key) === lane) lanes.delete(key);
  };
  const giveUp = (lane: Lane<Item, Result>, waiting: Waiting<Item, Result>): void => {
    const place = lane.waiting.indexOf(waiting);
    if (place < 0) return;
    lane.waiting.splice(place, 1);
    waiting.reject(busy());
  };
  return (key, item) =>
    new Promise((resolve, reject) => {
      const lane = lanes.get(key) ?? { running: 0, waiting: [] };
      lanes.set(key, lane);
      const timer = setTimeout(() => giveUp(lane, waiting), LONGEST_WAIT).unref();
      const waiting: Waiting<Item, Result> = { item, resolve, reject, since: performance.now(), timer };
      lane.waiting.push(waiting);
      // What the same turn of the event loop brings goes along.
      if (lane.waiting.length === 1 && lane.running < atOnce) setImmediate(() => start(key, lane));
    });
}

/** More statements at once would only make each of them smaller. */
const STATEMENTS: Bounds = { atOnce: 2, most: 30, isUndone: isRolledBack };

/** The same for `work` that is one statement, for each database by itself. */
export function together<Item, Result>(
  work: (db: Db, items: readonly Item[]) => Promise<readonly Result[]>,
): (db: Db, key: string, item: Item) => Promise<Result> {
  const gatherings = new WeakMap<Db, Gathering<Item, Result>>();
  return (db, key, item) => {
    const gathering = gatherings.get(db) ?? gathered(STATEMENTS, (items: readonly Item[]) => work(db, items));
    gatherings.set(db, gathering);
    return gathering(key, item);
  };
}
