// A limiter runs a few expensive jobs at a time and drops queued jobs of disconnected clients. The options set its bounds and time limits.
import { busy, clientGone } from './errors.ts';

export interface LimiterOptions {
  /** The number of concurrent jobs. */
  readonly concurrency: number;
  /**
   * The maximum number of queued jobs, in total and per key. Above it a job is refused. In a full queue, the refused job is the last one of
   * the key with the most jobs.
   */
  readonly maxQueued?: number;
  readonly maxQueuedPerKey?: number;
  readonly refusal?: () => Error;
  /** Milliseconds in the queue, after which a job is refused. */
  readonly maxWait?: number;
  readonly timeoutRefusal?: () => Error;
  /** Milliseconds after which a running job no longer blocks the next one. */
  readonly maxHold?: number;
}

/** Identifies for whom a job runs. */
export interface JobOptions {
  /** Keys are served in turn: a thousand queued jobs of one key delay another key's job only by those that already run. */
  readonly key?: string;
  /** Aborted when the client disconnects; a queued job is then dropped. */
  readonly signal?: AbortSignal;
}

export type Limiter = <Result>(job: () => Promise<Result>, options?: JobOptions) => Promise<Result>;

interface Waiting {
  readonly key: string;
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

/** Queued jobs by key; keys are served in turn. */
function createFairQueue() {
  const byKey = new Map<string, Set<Waiting>>();
  let length = 0;
  return {
    length: () => length,
    lengthOf: (key: string): number => byKey.get(key)?.size ?? 0,
    add(waiting: Waiting): void {
      byKey.set(waiting.key, (byKey.get(waiting.key) ?? new Set()).add(waiting));
      length++;
    },
    remove(waiting: Waiting): void {
      const ofKey = byKey.get(waiting.key);
      if (ofKey?.delete(waiting)) length--;
      if (ofKey?.size === 0) byKey.delete(waiting.key);
    },
    next(): Waiting | undefined {
      const [entry] = byKey;
      if (!entry) return undefined;
      const [key, ofKey] = entry;
      // Moves the key to the end of the rotation.
      byKey.delete(key);
      byKey.set(key, ofKey);
      const [first] = ofKey;
      return first;
    },
    /** The last job of the longest queue, if that queue is longer than the queue of `key` would become. */
    lastOfLongest(key: string): Waiting | undefined {
      const longest = [...byKey.values()].reduce((long, ofKey) => (ofKey.size > long.size ? ofKey : long), new Set<Waiting>());
      return longest.size > (byKey.get(key)?.size ?? 0) + 1 ? [...longest].at(-1) : undefined;
    },
  };
}

export function createLimiter(options: LimiterOptions): Limiter {
  const { concurrency, maxQueued = Infinity, maxQueuedPerKey = Infinity, maxWait, maxHold } = options;
  const { refusal = busy, timeoutRefusal = busy } = options;
  let running = 0;
  const queue = createFairQueue();

  const turn = (key: string, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', drop);
        queue.remove(waiting);
      };
      const start = (): void => {
        leave();
        running++;
        resolve();
      };
      const refuse = (reason: Error): void => {
        leave();
        reject(reason);
      };
      const waiting = { key, start, refuse };
      const drop = (): void => refuse(clientGone());
      const timer = maxWait === undefined ? undefined : setTimeout(() => refuse(timeoutRefusal()), maxWait).unref();
      signal?.addEventListener('abort', drop);
      queue.add(waiting);
    });

  /** One key must not fill the queue of all. */
  const makeRoomFor = (key: string): void => {
    if (queue.lengthOf(key) >= maxQueuedPerKey) throw refusal();
    if (queue.length() < maxQueued) return;
    const dropped = queue.lastOfLongest(key);
    if (!dropped) throw refusal();
    dropped.refuse(refusal());
  };

  return async (job, { key = '', signal } = {}) => {
    if (signal?.aborted) throw clientGone();
    if (running < concurrency) running++;
    else {
      makeRoomFor(key);
      await turn(key, signal);
    }
    let isHeld = true;
    const release = (): void => {
      if (isHeld) running--;
      isHeld = false;
      if (running < concurrency) queue.next()?.start();
    };
    const timer = maxHold === undefined ? undefined : setTimeout(release, maxHold).unref();
    try {
      return await job();
    } finally {
      clearTimeout(timer);
      release();
    }
  };
}

/**
 * Queues reads that keep the database busy for long, such as each batch of a report or of printed orders, so that orders still get a
 * processor and a connection. Never wait here inside a transaction: ten such jobs would hold every connection.
 */
export const reportQueue = createLimiter({
  concurrency: 1,
  maxQueued: 1000,
  maxQueuedPerKey: 200,
  maxWait: 60_000,
  maxHold: 15_000,
});

/** The distributor whose list is read, and the request's abort signal. */
export interface ListRead {
  readonly distributorId: number;
  readonly signal: AbortSignal;
}

/** Runs one read of a list in the report queue, which serves distributors in turn. */
export const readInQueue = <Rows>({ distributorId, signal }: ListRead, read: () => Promise<Rows>): Promise<Rows> =>
  reportQueue(read, { key: String(distributorId), signal });
