// Stores that the user has signed out on this device while the server could not be reached, so that the session still has to be ended.
import { storage } from './storage.ts';

const KEY = 'feastday.pending-sign-out';

const isStored = (): boolean => storage.read(KEY) !== null;
/** True if the browser could not store the pending sign-out. Only this tab then knows about it. */
let isUnstored = false;

export const isSignOutPending = (): boolean => isUnstored || isStored();

export function setSignOutPending(isPending: boolean): void {
  storage.write(KEY, isPending ? 'yes' : null);
  isUnstored = isPending && !isStored();
}
