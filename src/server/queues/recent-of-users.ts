/**
 * Keeps the most recently used entries in memory, with a limit of all and one for each user: a further entry of a user with too many replaces
 * the least recently used one of the same user, so that nobody makes the process forget the entries of others.
 */
export function createRecentOfUsers<Entry extends { readonly userId: number }>({ most, mostOfUser }: { most: number; mostOfUser: number }) {
  // In both maps, and in the sets, the least recently used entry comes first.
  const entries = new Map<string, Entry>();
  const keysOfUsers = new Map<number, Set<string>>();
  const forget = (key: string | undefined): void => {
    const entry = key === undefined ? undefined : entries.get(key);
    if (key === undefined || !entry) return;
    entries.delete(key);
    const keys = keysOfUsers.get(entry.userId);
    keys?.delete(key);
    if (keys?.size === 0) keysOfUsers.delete(entry.userId);
  };
  return {
    get: (key: string): Entry | undefined => entries.get(key),
    forget,
    remember(key: string, entry: Entry): void {
      // Moves a used entry to the end.
      forget(key);
      entries.set(key, entry);
      const keys = keysOfUsers.get(entry.userId) ?? new Set();
      keysOfUsers.set(entry.userId, keys.add(key));
      if (keys.size > mostOfUser) forget(keys.values().next().value);
      if (entries.size > most) forget(entries.keys().next().value);
    },
  };
}
