// Stores the owner of the counter's data on this device (contract §14). localStorage holds the owner, because every start reads it and
// opening IndexedDB takes longer.
import { storage } from './storage.ts';

const KEY = 'feastday.counter';

/** Returns the user's id; null if the counter was not opened on this device since the last sign-out. */
export function deviceOwner(): number | null {
  const id = storage.read(KEY);
  return id === null ? null : Number(id);
}

export const setDeviceOwner = (userId: number): void => storage.write(KEY, String(userId));
export const removeDeviceOwner = (): void => storage.remove(KEY);
