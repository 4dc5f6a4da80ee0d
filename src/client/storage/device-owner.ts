// Whose data the counter keeps on this device (contract §14). Read at every start, so it is a plain entry and not the database itself.
import { storage } from './storage.ts';

const KEY = 'feastday.counter';

/** The user's id; null where the counter was not opened on this device since the last sign-out. */
export function deviceOwner(): number | null {
  const id = storage.read(KEY);
  return id === null ? null : Number(id);
}

export const setDeviceOwner = (userId: number): void => storage.write(KEY, String(userId));
export const removeDeviceOwner = (): void => storage.remove(KEY);
