// Collects items for the database into batches, because one statement for thirty items costs far less than thirty statements. While the
// maximum number of batches is running, all arriving items wait in the next batch. If fewer batches are running, an arriving item starts a
// new batch at once.
import { createActiveGroups, createCounts, createRecentCounts } from '../queues/counts.ts';
import { isRolledBack, type Db } from './db.ts';
import { busy } from '../errors.ts';
import { createLimiter, once } from '../queues/limiter.ts';
import { asShared } from './tenant-connections.ts';

/** The maximum time in milliseconds that an item waits. It equals the maximum wait for a connection. */
const MAX_WAIT = 10_000;
/**
 * When a batch fails, its items are retried one by one. This is the maximum number of items that wait for their retry: ten full batches.
 * Further items are rejected, because they would wait too long.
 */
const MAX_QUEUED_RETRIES = 300;
/** The times in milliseconds for which a batch makes the next one of its group wait, if the batcher leaves room: while it runs, and afterwards. */
const MAX_HOLD = 300;
const MAX_PAUSE = 100;
/** In a group, the people come first whose items of the last so many milliseconds had the smallest weight together. */
const RECENT_MS = 1000;
/** The maximum weight of a batch of several items. */
const MAX_WEIGHT = 1000;

interface QueuedItem<Item, Result> {
  readonly item: Item;
  readonly queuedAt: number;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
interface Queue<Item, Result> {
  readonly group: string;
  running: number;
  items: QueuedItem<Item, Result>[];
}

export interface BatcherOptions<Item> {
  /** The maximum number of concurrent batches per key. */
  readonly concurrency: number;
  readonly maxBatchSize: number;
  /**
   * Whether, while other groups are active, the next batch of a group begins only after the previous one, and after a pause that is as long
   * as the previous one took. Otherwise the batches of one busy group would use all processors of the database, and slow down those of
   * others. The next batch is that of the key where a person with the smallest recent weight waits; if several keys are equal, they take
   * turns. Within a key, the items of such a person come first, too.
   */
  readonly leavesRoom?: boolean;
  /** Returns the id of the person whose item this is. By default, all items are of the same person. */
  readonly personOf?: (item: Item) => string;
  /** Returns how much work the item is, for example its number of rows. By default, each item has the weight 1. */
  readonly weightOf?: (item: Item) => number;
  /** Whether an error guarantees that the batch had no effect. The items of a batch without effect are retried one by one. */
  readonly isRolledBack: (error: unknown) => boolean;
}
export type Batcher<Item, Result> = (key: string, item: Item, group?: string) => Promise<Result>;

function giveUp<Item, Result>({ items }: Queue<Item, Result>, queued: QueuedItem<Item, Result>): void {
  const index = items.indexOf(queued);
  if (index < 0) return;
  items.splice(index, 1);
  queued.reject(busy());
}

/** Removes the next batch from the beginning of `items`: as many items as a batch may contain, and at least one. */
function takeBatch<Item, Result>(
  items: QueuedItem<Item, Result>[],
  { maxBatchSize, weightOf }: { readonly maxBatchSize: number; readonly weightOf: (item: Item) => number },
): QueuedItem<Item, Result>[] {
  let weight = 0;
  const end = items.findIndex(({ item }, index) => {
    weight += weightOf(item);
    return index === maxBatchSize || (index > 0 && weight > MAX_WEIGHT);
  });
  return items.splice(0, end < 0 ? items.length : end);
}

/** Returns a function that runs a batch and settles its items. If the batch fails without an effect, its items are retried one by one. */
function createRunner<Item, Result>(
  { concurrency, isRolledBack }: Pick<BatcherOptions<Item>, 'concurrency' | 'isRolledBack'>,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (key: string, batch: readonly QueuedItem<Item, Result>[]) => Promise<void> {
  // The retries of one key do not delay those of another: a locked row, for example, often blocks all items of one key only.
  const retryLimiter = createLimiter({ concurrency: Infinity, concurrencyPerGroup: concurrency, maxQueued: MAX_QUEUED_RETRIES });
  const retryAlone = async (key: string, queued: QueuedItem<Item, Result>): Promise<void> => {
    if (performance.now() - queued.queuedAt > MAX_WAIT) queued.reject(busy());
    else await runBatch(key, [queued]);
  };
  const runBatch = async (key: string, batch: readonly QueuedItem<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      // The next batch does not wait for these retries.
      if (batch.length > 1 && isRolledBack(error))
        for (const queued of batch) retryLimiter(() => retryAlone(key, queued), { key }).catch(queued.reject);
      else for (const { reject } of batch) reject(error);
    }
  };
  return runBatch;
}

/**
 * Creates a batcher. `run` returns one result per item, in the sequence of the items. Items of different keys never share a batch. Several
 * keys, such as the distributions of one distributor, can form a group, see `leavesRoom`. By default, each key is a group of its own.
 */
export function createBatcher<Item, Result>(
  { concurrency, maxBatchSize, leavesRoom = false, personOf = () => '', weightOf = () => 1, isRolledBack }: BatcherOptions<Item>,
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): Batcher<Item, Result> {
  const queues = new Map<string, Queue<Item, Result>>();
  const active = createActiveGroups();
  /** For each group, the number of batches that use the database, or have just done so. A batch that takes long probably waits for a lock. */
  const using = createCounts();
  const recent = createRecentCounts(RECENT_MS);
  const runBatch = createRunner({ concurrency, isRolledBack }, run);
  const mustLeaveRoom = (group: string): boolean => leavesRoom && active.isAnotherActive(group);
  const queuesOf = (group: string) => [...queues].filter(([, queue]) => queue.group === group);
  const recentOf = ({ item }: QueuedItem<Item, Result>): number => recent.of(personOf(item));
  const fewestRecent = ({ items }: Queue<Item, Result>): number => Math.min(...items.map(recentOf));
  const startNext = (group: string, last: string): void => {
    // The key whose batch has just ended moves to the end, so that keys take turns if their people have had equally few items.
    const queue = queues.get(last);
    if (queue && queues.delete(last)) queues.set(last, queue);
    const waiting = queuesOf(group).toSorted(([, a], [, b]) => fewestRecent(a) - fewestRecent(b));
    for (const [key, next] of waiting) startBatches(key, next);
  };
  const startBatches = (key: string, queue: Queue<Item, Result>): void => {
    const { group } = queue;
    while (queue.items.length > 0 && queue.running < concurrency && !(using.of(group) > 0 && mustLeaveRoom(group))) {
      queue.running++;
      if (leavesRoom) queue.items.sort((a, b) => recentOf(a) - recentOf(b));
      const batch = takeBatch(queue.items, { maxBatchSize, weightOf });
      for (const { timer, item } of batch) {
        clearTimeout(timer);
        recent.add(personOf(item), weightOf(item));
      }
      const stop = active.begin(group);
      const began = performance.now();
      const stopUsing = using.add(group);
      const leave = once(() => {
        stopUsing();
        startNext(group, key);
      });
      const hold = leavesRoom ? setTimeout(leave, MAX_HOLD).unref() : undefined;
      void runBatch(key, batch).then(() => {
        clearTimeout(hold);
        stop();
        queue.running--;
        const isAnyWaiting = queuesOf(group).some(([, { items }]) => items.length > 0);
        if (isAnyWaiting && mustLeaveRoom(group)) setTimeout(leave, Math.min(performance.now() - began, MAX_PAUSE)).unref();
        else leave();
        startBatches(key, queue);
      });
    }
    if (queue.running === 0 && queue.items.length === 0 && queues.get(key) === queue) queues.delete(key);
  };
  return (key, item, group = key) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key) ?? { group, running: 0, items: [] };
      queues.set(key, queue);
      const timer = setTimeout(() => giveUp(queue, queued), MAX_WAIT).unref();
      const queued: QueuedItem<Item, Result> = { item, resolve, reject, queuedAt: performance.now(), timer };
      queue.items.push(queued);
      // The batch starts later in the same iteration of the event loop, so that all items that arrive in this iteration share the batch.
      if (queue.items.length === 1 && queue.running < concurrency) setImmediate(() => startBatches(key, queue));
    });
}

/** In each database, at most two batches with the same key run at once. More concurrent statements would only make each batch smaller. */
const OF_ONE_DATABASE: BatcherOptions<unknown> = { concurrency: 2, maxBatchSize: 30, isRolledBack };

/** Returns a function that collects the items of each database into batches. `run` must execute a single statement. */
export function batchPerDb<Item, Result>(
  run: (db: Db, items: readonly Item[]) => Promise<readonly Result[]>,
  options: Pick<BatcherOptions<Item>, 'leavesRoom' | 'personOf' | 'weightOf'> = {},
): (db: Db, key: string, item: Item, group?: string) => Promise<Result> {
  const batchers = new WeakMap<Db, Batcher<Item, Result>>();
  return (db, key, item, group) => {
    const batcher =
      batchers.get(db) ?? createBatcher({ ...OF_ONE_DATABASE, ...options }, (items: readonly Item[]) => asShared(() => run(db, items)));
    batchers.set(db, batcher);
    return batcher(key, item, group);
  };
}
