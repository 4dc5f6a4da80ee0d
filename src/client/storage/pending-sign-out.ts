// Stores that the user has signed out on this device while the server could not be reached, so that the session still has to be ended.
import { storage } from './storage.ts';

const KEY = 'feastday.pending-sign-out';

export const isSignOutPending = (): boolean => storage.read(KEY) !== null;

export const setSignOutPending = (isPending: boolean): void => storage.write(KEY, isPending ? 'yes' : null);
