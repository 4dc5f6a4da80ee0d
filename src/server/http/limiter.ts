// A limiter runs only a few expensive jobs at a time, and drops queued jobs of clients that have disconnected. The options set the numbers
// and time limits.
import { busy, clientGone } from './errors.ts';

export interface LimiterOptions {
  /** The maximum number of jobs that run at the same time. */
  readonly concurrency: number;
  /**
   * A further condition for starting a job when fewer than `concurrency` jobs run. `running` is the number of jobs that count toward
   * `concurrency`. `ofGroup` is the number of started jobs of the same group that have not ended. By default, there is no further condition.
   */
  readonly mayStart?: (group: string, running: number, ofGroup: number) => boolean;
  /**
   * The maximum number of queued jobs in total; `maxQueuedPerKey` is the maximum per key. When the queue of a key is full, the new job is
   * refused. When the total is reached, a job is refused: of the group with the most queued jobs, the last job of its key with the most.
   */
  readonly maxQueued?: number;
  readonly maxQueuedPerKey?: number;
  readonly refusal?: () => Error;
  /** A job that has been queued for this many milliseconds is refused. */
  readonly maxWait?: number;
  readonly timeoutRefusal?: () => Error;
  /**
   * A job that has run for this many milliseconds no longer counts toward `concurrency`, so another job can start. It is still included in
   * `ofGroup` until it ends.
   */
  readonly maxHold?: number;
  /**
   * If other jobs of the group are queued when a job ends, the group pauses this many times as long as the job took, but at most `MAX_REST`
   * milliseconds. Until then, the job is still included in `ofGroup`; `mayStart` decides whether the others wait. By default, there is no
   * pause.
   */
  readonly restTimes?: number;
}

const MAX_REST = 1000;

/** Says for whom a job runs, and when it is no longer needed. */
export interface JobOptions {
  /**
   * Jobs of different keys take turns. However many jobs of one key are queued, a job of another key waits only for the jobs that already
   * run.
   */
  readonly key?: string;
  /**
   * The group to which the key belongs, for example all customers of a distributor, or all networks that may have the same owner. The groups
   * take turns, and within each group its keys take turns, so that a group with many keys gets no more turns than a group with one. By
   * default, each key is a group.
   */
  readonly group?: string;
  /** This signal is aborted when the client disconnects. A job that is still queued is then dropped. */
  readonly signal?: AbortSignal | undefined;
}

export interface Limiter {
  <Result>(job: () => Promise<Result>, options?: JobOptions): Promise<Result>;
  /** Resolves when a job may start. The job has ended when the returned function is called. */
  readonly acquire: (options?: JobOptions) => Promise<() => void>;
}

interface Waiting {
  readonly group: string;
  readonly key: string;
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

type JobsByKey = Map<string, Set<Waiting>>;

const countOf = (byKey: JobsByKey): number => [...byKey.values()].reduce((count, ofKey) => count + ofKey.size, 0);

/** Returns the longest value, or undefined if there is no value. If several are longest, it is the last one, whose turn comes last. */
function longestOf<Value>(values: Iterable<Value>, lengthOf: (value: Value) => number): Value | undefined {
  let longest: Value | undefined;
  let most = 0;
  for (const value of values) {
    const length = lengthOf(value);
    if (length >= most) [longest, most] = [value, length];
  }
  return longest;
}

/** Returns the first result of `find` that is not undefined. Moves its entry to the end, so that the other entries come first next time. */
function takeTurn<Value>(entries: Map<string, Value>, find: (value: Value, key: string) => Waiting | undefined): Waiting | undefined {
  for (const [key, value] of entries) {
    const found = find(value, key);
    if (!found) continue;
    entries.delete(key);
    entries.set(key, value);
    return found;
  }
  return undefined;
}

/** Holds the queued jobs of each group and key. The groups take turns, and so do the keys of each group. */
function createFairQueue() {
  const byGroup = new Map<string, JobsByKey>();
  let length = 0;
  const lengthOf = (group: string, key: string): number => byGroup.get(group)?.get(key)?.size ?? 0;
  return {
    length: () => length,
    lengthOf,
    hasGroup: (group: string): boolean => byGroup.has(group),
    add(waiting: Waiting): void {
      const byKey: JobsByKey = byGroup.get(waiting.group) ?? new Map();
      byGroup.set(waiting.group, byKey.set(waiting.key, (byKey.get(waiting.key) ?? new Set()).add(waiting)));
      length++;
    },
    remove(waiting: Waiting): void {
      const byKey = byGroup.get(waiting.group);
      const ofKey = byKey?.get(waiting.key);
      if (ofKey?.delete(waiting)) length--;
      if (ofKey?.size === 0) byKey?.delete(waiting.key);
      if (byKey?.size === 0) byGroup.delete(waiting.group);
    },
    next: (mayStart: (group: string) => boolean): Waiting | undefined =>
      takeTurn(byGroup, (byKey, group) => (mayStart(group) ? takeTurn(byKey, ([first]) => first) : undefined)),
    /**
     * Returns the last job of the longest key, in the longest group. If `group`, with one more job, would be at least as long, a key of
     * `group` itself must make room. Returns undefined if `key`, with one more job, would be at least as long as the longest key of `group`.
     */
    lastOfLongest(group: string, key: string): Waiting | undefined {
      const own: JobsByKey = byGroup.get(group) ?? new Map();
      const longest = longestOf(byGroup.values(), countOf) ?? own;
      const isOther = countOf(longest) > countOf(own) + 1;
      const jobs = [...(longestOf((isOther ? longest : own).values(), ({ size }) => size) ?? [])];
      return isOther || jobs.length > lengthOf(group, key) + 1 ? jobs.at(-1) : undefined;
    },
  };
}

/** Counts the jobs that count toward `concurrency`, and for each group the jobs that have not ended. */
function createRunningJobs() {
  let total = 0;
  const byGroup = new Map<string, number>();
  return {
    total: () => total,
    ofGroup: (group: string): number => byGroup.get(group) ?? 0,
    start(group: string): void {
      total++;
      byGroup.set(group, (byGroup.get(group) ?? 0) + 1);
    },
    freeSlot(): void {
      total--;
    },
    end(group: string): void {
      const ofGroup = (byGroup.get(group) ?? 0) - 1;
      if (ofGroup === 0) byGroup.delete(group);
      else byGroup.set(group, ofGroup);
    },
  };
}

/** Returns a function that calls `work` at its first call only. */
export function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

const limiterOf = (acquire: Limiter['acquire']): Limiter => {
  const limit = async <Result>(job: () => Promise<Result>, options?: JobOptions): Promise<Result> => {
    const release = await acquire(options);
    try {
      return await job();
    } finally {
      release();
    }
  };
  return Object.assign(limit, { acquire });
};

type QueuedJob = Pick<Waiting, 'group' | 'key'> & Pick<JobOptions, 'signal'>;
interface Patience {
  readonly maxWait: number | undefined;
  readonly timeoutRefusal: () => Error;
}

/** Queues a job, and resolves when it starts. Rejects when it is refused or its client disconnects. */
const waitInQueue = (
  queue: ReturnType<typeof createFairQueue>,
  { group, key, signal }: QueuedJob,
  { maxWait, timeoutRefusal }: Patience,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', drop);
      queue.remove(waiting);
    };
    const start = (): void => {
      leave();
      resolve();
    };
    const refuse = (reason: Error): void => {
      leave();
      reject(reason);
    };
    const waiting = { group, key, start, refuse };
    const drop = (): void => refuse(clientGone());
    const timer = maxWait === undefined ? undefined : setTimeout(() => refuse(timeoutRefusal()), maxWait).unref();
    signal?.addEventListener('abort', drop);
    queue.add(waiting);
  });

export function createLimiter(options: LimiterOptions): Limiter {
  const { concurrency, maxQueued = Infinity, maxQueuedPerKey = Infinity, maxWait, maxHold, restTimes = 0 } = options;
  const { refusal = busy, timeoutRefusal = busy, mayStart = () => true } = options;
  const running = createRunningJobs();
  const queue = createFairQueue();
  const canStart = (group: string): boolean => running.total() < concurrency && mayStart(group, running.total(), running.ofGroup(group));

  /** Makes room in a full queue by refusing a job of the longest group or key, so that a single one cannot occupy the whole queue. */
  const makeRoomFor = (group: string, key: string): void => {
    if (queue.lengthOf(group, key) >= maxQueuedPerKey) throw refusal();
    if (queue.length() < maxQueued) return;
    const dropped = queue.lastOfLongest(group, key);
    if (!dropped) throw refusal();
    dropped.refuse(refusal());
  };

  const acquire: Limiter['acquire'] = async ({ key = '', group = key, signal } = {}) => {
    if (signal?.aborted) throw clientGone();
    if (canStart(group)) running.start(group);
    else {
      makeRoomFor(group, key);
      await waitInQueue(queue, { group, key, signal }, { maxWait, timeoutRefusal });
    }
    const freeSlot = once(() => running.freeSlot());
    const startWaiting = (): void => {
      // If no place is free, no job may start, so the queue is not searched.
      while (running.total() < concurrency) {
        const next = queue.next(canStart);
        if (!next) return;
        running.start(next.group);
        next.start();
      }
    };
    const began = performance.now();
    const stopHolding = (): void => {
      freeSlot();
      startWaiting();
    };
    const timer = maxHold === undefined ? undefined : setTimeout(stopHolding, maxHold).unref();
    return once(() => {
      clearTimeout(timer);
      freeSlot();
      const rest = queue.hasGroup(group) ? Math.min((performance.now() - began) * restTimes, MAX_REST) : 0;
      // Until the pause is over, the job counts as a job of its group that has not ended.
      const end = (): void => {
        running.end(group);
        startWaiting();
      };
      if (rest === 0) return end();
      setTimeout(end, rest).unref();
      startWaiting();
    });
  };

  return limiterOf(acquire);
}

/**
 * Returns a function that resolves when a job may start. Only this many jobs start in one iteration of the event loop, and the groups and keys
 * take turns.
 */
export function limitPerIteration(concurrency: number): (options?: JobOptions) => Promise<void> {
  const { acquire } = createLimiter({ concurrency });
  return async (options) => void setImmediate(await acquire(options));
}

/** Keeps a limiter for each name, and deletes the limiter when none of its jobs is running or queued. */
export function createLimiters() {
  const limiters = new Map<string, { readonly limiter: Limiter; count: number }>();
  return {
    /** Like `acquire` of the limiter with this name. The first job creates the limiter with these options. */
    async acquire(name: string, options: LimiterOptions, job: JobOptions): Promise<() => void> {
      const found = limiters.get(name) ?? { limiter: createLimiter(options), count: 0 };
      limiters.set(name, found);
      found.count++;
      const forget = (): void => {
        found.count--;
        if (found.count === 0) limiters.delete(name);
      };
      const release = await found.limiter.acquire(job).catch((error: unknown) => {
        forget();
        throw error;
      });
      return once(() => {
        release();
        forget();
      });
    },
  };
}
