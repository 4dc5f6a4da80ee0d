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
