// A limiter runs only a few expensive jobs at a time, and drops queued jobs of clients that have disconnected. The options set the numbers
// and time limits.
import { createRecentCounts } from './counts.ts';
import { busy, clientGone } from '../errors.ts';
import { createFairQueue, type QueuedJob } from './fair-queue.ts';

export interface LimiterOptions {
  /** The maximum number of jobs that run at the same time. Each of them holds a permit. */
  readonly concurrency: number;
  /** The maximum number of started jobs of one group that have not ended, also if they no longer count toward `concurrency`. */
  readonly concurrencyPerGroup?: number;
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
  /**
   * Whether three of four jobs of a group are those of a key whose jobs have run for the shortest time recently, so that busy keys do not
   * delay the others. By default, all keys of a group take turns.
   */
  readonly leastBusyFirst?: boolean;
  /** A job that has been queued for this many milliseconds is refused. */
  readonly maxWait?: number;
  readonly timeoutRefusal?: () => Error;
  /**
   * A job that has run for this many milliseconds releases its permit: it no longer counts toward `concurrency`, so another job can start.
   * It still counts toward `concurrencyPerGroup` until it ends.
   */
  readonly maxHold?: number;
  /**
   * Whether a group pauses after a job if others of its jobs are queued when the job ends: for as long as the job took, but at most
   * `MAX_PAUSE_MS`. Until the pause is over, the job still counts toward `concurrencyPerGroup`. By default, there is no pause.
   */
  readonly pausesBetweenJobs?: boolean;
}

const MAX_PAUSE_MS = 1000;
/** A job has run recently for at least this many milliseconds. */
const RECENT_MS = 10_000;

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
  /** The groups of one owner together have the turns of one group. By default, each group has an owner of its own. */
  readonly owner?: string | undefined;
  /** This signal is aborted when the client disconnects. A job that is still queued is then dropped. */
  readonly signal?: AbortSignal | undefined;
}

export interface Limiter {
  /** The job may call `releasePermit` while it only waits. Like after `maxHold`, it then no longer counts toward `concurrency`. */
  <Result>(job: (releasePermit: () => void) => Promise<Result>, options?: JobOptions): Promise<Result>;
  /** Resolves when a job may start. The job has ended when the returned function is called. */
  readonly acquire: (options?: JobOptions) => Promise<() => void>;
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
    releasePermit(): void {
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

type JobToQueue = Pick<QueuedJob, 'owner' | 'group' | 'key'> & Pick<JobOptions, 'signal'>;
interface Patience {
  readonly maxWait: number | undefined;
  readonly timeoutRefusal: () => Error;
}

/** Queues a job, and resolves when it starts. Rejects when it is refused or its client disconnects. */
const waitInQueue = (
  queue: ReturnType<typeof createFairQueue>,
  { signal, ...names }: JobToQueue,
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
    const waiting = { ...names, start, refuse };
    const drop = (): void => refuse(clientGone());
    const timer = maxWait === undefined ? undefined : setTimeout(() => refuse(timeoutRefusal()), maxWait).unref();
    signal?.addEventListener('abort', drop);
    queue.add(waiting);
  });

/** Starts a job when it may start. Returns a function with which the job releases its permit, and one with which it ends. */
type Begin = (options?: JobOptions) => Promise<{ releasePermit: () => void; end: () => void }>;

const limiterOf = (begin: Begin): Limiter => {
  const limit = async <Result>(job: (releasePermit: () => void) => Promise<Result>, options?: JobOptions): Promise<Result> => {
    const { releasePermit, end } = await begin(options);
    try {
      return await job(releasePermit);
    } finally {
      end();
    }
  };
  return Object.assign(limit, { acquire: async (options?: JobOptions) => (await begin(options)).end });
};

export function createLimiter(options: LimiterOptions): Limiter {
  const { concurrency, maxQueued = Infinity, maxQueuedPerKey = Infinity, maxWait, maxHold, pausesBetweenJobs = false } = options;
  const { concurrencyPerGroup = Infinity, mayStart = () => true, leastBusyFirst = false } = options;
  const { refusal = busy, timeoutRefusal = busy } = options;
  const running = createRunningJobs();
  /** The milliseconds for which the jobs of each key have run. */
  const busyTimes = createRecentCounts(RECENT_MS);
  const queue = createFairQueue(busyTimes.of);
  const canStart = (group: string): boolean => {
    const [total, ofGroup] = [running.total(), running.ofGroup(group)];
    return total < concurrency && ofGroup < concurrencyPerGroup && mayStart(group, total, ofGroup);
  };

  /** Makes room in a full queue by refusing a job of the longest group or key, so that a single one cannot occupy the whole queue. */
  const makeRoomFor = (group: string, key: string): void => {
    if (queue.lengthOf(group, key) >= maxQueuedPerKey) throw refusal();
    if (queue.length() < maxQueued) return;
    const dropped = queue.lastOfLongest(group, key);
    if (!dropped) throw refusal();
    dropped.refuse(refusal());
  };

  const begin: Begin = async ({ key = '', group = key, owner, signal } = {}) => {
    if (signal?.aborted) throw clientGone();
    if (canStart(group)) running.start(group);
    else {
      makeRoomFor(group, key);
      await waitInQueue(queue, { owner, group, key, signal }, { maxWait, timeoutRefusal });
    }
    // A job that has just started counts at once.
    if (leastBusyFirst) busyTimes.add(key);
    const stopCounting = once(() => running.releasePermit());
    const startWaiting = (): void => {
      // If no permit is free, no job may start, so the queue is not searched.
      while (running.total() < concurrency) {
        const next = queue.next(canStart);
        if (!next) return;
        running.start(next.group);
        next.start();
      }
    };
    const began = performance.now();
    const releasePermit = (): void => {
      stopCounting();
      startWaiting();
    };
    const timer = maxHold === undefined ? undefined : setTimeout(releasePermit, maxHold).unref();
    const end = once(() => {
      clearTimeout(timer);
      stopCounting();
      if (leastBusyFirst) busyTimes.add(key, performance.now() - began);
      // Until the pause is over, the job counts as a job of its group that has not ended.
      const endOfGroup = (): void => {
        running.end(group);
        startWaiting();
      };
      if (!pausesBetweenJobs || !queue.hasGroup(group)) return endOfGroup();
      setTimeout(endOfGroup, Math.min(performance.now() - began, MAX_PAUSE_MS)).unref();
      startWaiting();
    });
    return { releasePermit, end };
  };

  return limiterOf(begin);
}

/**
 * Returns a function that resolves when a job may start. Only `concurrency` jobs start in one iteration of the event loop, and the groups and
 * keys take turns.
 */
export function limitPerIteration(options: Pick<LimiterOptions, 'concurrency' | 'leastBusyFirst'>): (job?: JobOptions) => Promise<void> {
  const { acquire } = createLimiter(options);
  return async (job) => void setImmediate(await acquire(job));
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
