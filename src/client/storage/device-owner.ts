// Stores to which user the counter's data on this device belongs (contract §14). The user's id is in localStorage, because every start of
// the app reads it, and opening IndexedDB would take longer.
import { storage } from './storage.ts';

const KEY = 'feastday.counter';

/** The owner whom the browser could not store because its storage is full. Only this tab then knows about the owner. */
let unstored: number | null = null;

/**
 * Returns the id of the user to whom the counter's data on this device belongs, or null if nobody has opened the counter here since the
 * last sign-out.
 */
export function deviceOwner(): number | null {
  const id = storage.read(KEY);
  return id === null ? unstored : Number(id);
}

export function setDeviceOwner(userId: number | null): void {
  storage.write(KEY, userId === null ? null : String(userId));
  unstored = storage.read(KEY) === null ? userId : null;
}

export const removeDeviceOwner = (): void => setDeviceOwner(null);
