// The queue of a limiter. Owners, their groups and the keys of each group take turns.

/** A queued job of a limiter. */
export interface Waiting {
  readonly owner: string | undefined;
  readonly group: string;
  readonly key: string;
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

type JobsByKey = Map<string, Set<Waiting>>;

function ownerOf(byKey: JobsByKey): string | undefined {
  const [ofKey] = byKey.values();
  const [first] = ofKey ?? [];
  return first?.owner;
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

/** Holds the queued jobs of each group and key. The owners take turns, and so do the groups of each owner and the keys of each group. A group
 * without an owner takes turns like an owner. */
export function createFairQueue() {
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
    next(mayStart: (group: string) => boolean): Waiting | undefined {
      const next = takeTurn(byGroup, (byKey, group) => (mayStart(group) ? takeTurn(byKey, ([first]) => first) : undefined));
      if (next?.owner === undefined) return next;
      // The other groups of the owner move to the end, too. The group whose turn it was stays the last one.
      const ofOwner = [...byGroup].filter(([, byKey]) => ownerOf(byKey) === next.owner);
      for (const [group, byKey] of ofOwner) {
        byGroup.delete(group);
        byGroup.set(group, byKey);
      }
      return next;
    },
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
