/** Wraps localStorage, or an empty replacement where the browser has no localStorage or refuses access (private windows, full disks). */
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
