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
    /** Counts one more until the returned function is called, which must be called once. */
    add(key: string): () => void {
      change(key, 1);
      return () => change(key, -1);
    },
  };
}
