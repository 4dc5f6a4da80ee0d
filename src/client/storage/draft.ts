// Stores unsaved typing on the device by user and key (contract §10).
import { storage } from './storage.ts';

const PREFIX = 'feastday.draft.';

export interface Draft<T> {
  read(): T | null;
  keep(value: T): void;
  clear(): void;
}

/** Returns one draft; `key` names what the user edits, such as `order-12`. */
export function draftOf<T>(userId: number, key: string): Draft<T> {
  const storageKey = `${PREFIX}${userId}.${key}`;
  return {
    read() {
      const text = storage.read(storageKey);
      if (text === null) return null;
      try {
        return JSON.parse(text) as T;
      } catch {
        return null;
      }
    },
    keep: (value) => storage.write(storageKey, JSON.stringify(value)),
    clear: () => storage.write(storageKey, null),
  };
}

export function clearDrafts(): void {
  for (const key of storage.keys()) if (key.startsWith(PREFIX)) storage.write(key, null);
}
