// Stores to which user the counter's data on this device belongs (contract §14). The user's id is in localStorage, because every start of
// the app reads it, and opening IndexedDB would take longer.
import { storage } from './storage.ts';

const KEY = 'feastday.counter';

/**
 * Returns the id of the user to whom the counter's data on this device belongs, or null if nobody has opened the counter here since the
 * last sign-out.
 */
export function deviceOwner(): number | null {
  const id = storage.read(KEY);
  return id === null ? null : Number(id);
}

export const setDeviceOwner = (userId: number): void => storage.write(KEY, String(userId));
export const removeDeviceOwner = (): void => storage.write(KEY, null);
