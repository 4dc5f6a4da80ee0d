/** Counts things by key. A key without any is forgotten. */
export function createCounts() {
  const counts = new Map<string, number>();
  const change = (key: string, by: number): void => {
    const count = (counts.get(key) ?? 0) + by;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    /** The number of keys that have at least one. */
    keys: (): number => counts.size,
    /** Adds one to the count of the key. The caller must call the returned function exactly once, which subtracts it again. */
    add(key: string): () => void {
      change(key, 1);
      return () => change(key, -1);
    },
  };
}

/**
 * Counts things by key, and forgets the old ones: it keeps the counts of the current period and of the previous one. A period lasts at least
 * `periodMs` milliseconds.
 */
export function createRecentCounts(periodMs: number) {
  let began = performance.now();
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  return {
    of: (key: string): number => (current.get(key) ?? 0) + (previous.get(key) ?? 0),
    add(key: string, count = 1): void {
      if (performance.now() - began > periodMs) [began, previous, current] = [performance.now(), current, new Map()];
      current.set(key, (current.get(key) ?? 0) + count);
    },
  };
}

/** A group is active until this many milliseconds after the end of its work. */
const RECENT_MS = 1000;

/** Knows which groups are active: they work now, or have worked within the last second. */
export function createActiveGroups() {
  const counts = createCounts();
  return {
    /** Counts the group as active until a second after the returned function is called. */
    begin: (group: string): (() => void) => {
      const forget = counts.add(group);
      return () => void setTimeout(forget, RECENT_MS).unref();
    },
    isAnotherActive: (group: string): boolean => counts.keys() > (counts.of(group) > 0 ? 1 : 0),
  };
}
