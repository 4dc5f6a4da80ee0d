// The queue of a limiter. It decides which job starts next, and which job is refused when the queue is full.

export interface QueuedJob {
  /** The groups of one owner together have the turns of one group. A group without an owner takes turns like an owner. */
  readonly owner: string | undefined;
  readonly group: string;
  readonly key: string;
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

type JobsByKey = Map<string, Set<QueuedJob>>;
interface Group {
  /** The owner of the job that was added last. */
  owner: string | undefined;
  readonly byKey: JobsByKey;
  /** The number of jobs that have started since the last one for which the keys took turns. */
  sinceTurn: number;
}

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

/** Moves an entry to the end, so that the other entries come first next time. */
function moveToEnd<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key);
  entries.set(key, value);
}

const firstOf = <Value>([first]: Iterable<Value>): Value | undefined => first;

/** Returns the first of the keys that were least busy and its jobs, or undefined if there is no key. */
function leastBusyOf(byKey: JobsByKey, busyTimeOf: (key: string) => number): [key: string, jobs: Set<QueuedJob>] | undefined {
  let found: [string, Set<QueuedJob>] | undefined;
  let shortest = Infinity;
  for (const entry of byKey) {
    const time = busyTimeOf(entry[0]);
    if (time < shortest) [found, shortest] = [entry, time];
    if (time === 0) return entry;
  }
  return found;
}

const JOBS_BETWEEN_TURNS = 3;

/**
 * Holds the queued jobs of each group and key. The owners take turns, and so do the groups of each owner. In each group, three of four jobs
 * are those of the key that was least busy recently, so that busy keys do not delay the others. For every fourth job, the keys take turns, so
 * that none waits for long. If `busyTimeOf` returns the same number for all keys, they take turns for all jobs.
 */
export function createFairQueue(busyTimeOf: (key: string) => number) {
  const groups = new Map<string, Group>();
  let length = 0;
  const jobsOf = (group: string): JobsByKey => groups.get(group)?.byKey ?? new Map();
  const lengthOf = (group: string, key: string): number => jobsOf(group).get(key)?.size ?? 0;
  return {
    length: () => length,
    lengthOf,
    hasGroup: (group: string): boolean => groups.has(group),
    add(job: QueuedJob): void {
      const group = groups.get(job.group) ?? { owner: job.owner, byKey: new Map(), sinceTurn: 0 };
      groups.set(job.group, group);
      group.owner = job.owner;
      group.byKey.set(job.key, (group.byKey.get(job.key) ?? new Set()).add(job));
      length++;
    },
    remove(job: QueuedJob): void {
      const byKey = jobsOf(job.group);
      const ofKey = byKey.get(job.key);
      if (ofKey?.delete(job)) length--;
      if (ofKey?.size === 0) byKey.delete(job.key);
      if (byKey.size === 0) groups.delete(job.group);
    },
    /** Returns the next job of a group for which `mayStart` is true, or undefined if there is none. */
    next(mayStart: (group: string) => boolean): QueuedJob | undefined {
      for (const [name, group] of groups) {
        if (!mayStart(name)) continue;
        const { byKey } = group;
        const isByTurn = group.sinceTurn === JOBS_BETWEEN_TURNS;
        const [key, jobs] = (isByTurn ? firstOf(byKey) : leastBusyOf(byKey, busyTimeOf)) ?? [];
        if (key === undefined || jobs === undefined) continue;
        group.sinceTurn = isByTurn ? 0 : group.sinceTurn + 1;
        // The other groups of the owner move to the end, too. The group whose turn it was stays the last one.
        const ofOwner = group.owner === undefined ? [] : [...groups].filter(([, { owner }]) => owner === group.owner);
        for (const [other, jobsOfOther] of ofOwner) moveToEnd(groups, other, jobsOfOther);
        moveToEnd(groups, name, group);
        moveToEnd(byKey, key, jobs);
        return firstOf(jobs);
      }
      return undefined;
    },
    /**
     * Returns the last job of the longest key, in the longest group. If `group`, with one more job, would be at least as long, a key of
     * `group` itself must make room. Returns undefined if `key`, with one more job, would be at least as long as the longest key of `group`.
     */
    lastOfLongest(group: string, key: string): QueuedJob | undefined {
      const own = jobsOf(group);
      const longest =
        longestOf(
          [...groups.values()].map(({ byKey }) => byKey),
          countOf,
        ) ?? own;
      const isOther = countOf(longest) > countOf(own) + 1;
      const jobs = [...(longestOf((isOther ? longest : own).values(), ({ size }) => size) ?? [])];
      return isOther || jobs.length > lengthOf(group, key) + 1 ? jobs.at(-1) : undefined;
    },
  };
}
