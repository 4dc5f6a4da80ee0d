/**
 * Accesses localStorage without throwing. Where the browser refuses access, for example in a private window or when the disk is full, reads
 * return null and writes do nothing.
 */
export const storage = {
  read: (key: string): string | null => attempt(() => localStorage.getItem(key)) ?? null,
  write: (key: string, value: string): void => attempt(() => localStorage.setItem(key, value)),
  remove: (key: string): void => attempt(() => localStorage.removeItem(key)),
  keys: (): string[] => attempt(() => Object.keys(localStorage)) ?? [],
};

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
