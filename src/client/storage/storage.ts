/**
 * Accesses localStorage without throwing. Where the browser refuses access, for example in a private window or when the disk is full, reads
 * return null and writes do nothing.
 */
export const storage = {
  read: (key: string): string | null => attempt(() => localStorage.getItem(key)) ?? null,
  /** Stores the value; null removes the key. */
  write: (key: string, value: string | null): void =>
    attempt(() => (value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value))),
  keys: (): string[] => attempt(() => Object.keys(localStorage)) ?? [],
};

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
