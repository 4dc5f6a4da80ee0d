// Removes the counter's data from the device: the orders, the queue, and the cached files with which the counter opens offline (contract
// §14).
import { removeDeviceOwner, setDeviceOwner } from '../../../client/storage/device-owner.ts';
import {
  allowCounterDb,
  counterDb,
  isCounterDbRemoved,
  readWrites,
  readWritesOf,
  removeCounterDb,
  removeDataOf,
  removeFamilies,
} from './counter-db.ts';
import type { CurrentUser } from '../../auth/contract.ts';
import { tellTabs } from './tabs.ts';
import { isMoney, isUnsent, type QueuedWrite } from './writes.ts';

/** Returns the user's writes that the server has not accepted. */
export const readUnsentOf = async (userId: number): Promise<QueuedWrite[]> => (await readWritesOf(userId)).filter(isUnsent);

/**
 * Returns the user's unsent writes. The user is asked about them before signing out, because signing out deletes them. Also reads the database
 * if somebody has signed out in this tab before. If the browser cannot open the database, returns no writes, so that the user can sign out.
 */
export async function readUnsentToSignOut(userId: number): Promise<QueuedWrite[]> {
  allowCounterDb();
  const canOpen = await counterDb().then(
    () => true,
    () => false,
  );
  return canOpen ? await readUnsentOf(userId) : [];
}

/**
 * Returns the number of payments and reversals of a user in a distribution that the server has not accepted. The user's till on the server
 * does not contain them yet.
 */
export const countUnsentPayments = async (place: { readonly userId: number; readonly distributionId: number }): Promise<number> =>
  (await readUnsentOf(place.userId)).filter((queued) => queued.distributionId === place.distributionId && isMoney(queued)).length;

/**
 * Whether the service worker belongs to a counter. Its scope, which is the URL prefix of the pages that it serves, is the distribution's
 * own page. Service workers of earlier versions have a scope that ends with a slash or with the path of the counter.
 */
const isCounter = ({ scope }: ServiceWorkerRegistration): boolean =>
  /\/distribution\/\d+(?:\/(?:counter)?)?$/.test(new URL(scope).pathname);

async function removeWorkers(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const workers = (await navigator.serviceWorker.getRegistrations()).filter(isCounter);
  await Promise.all(workers.map((worker) => worker.unregister()));
  const names = (await caches.keys()).filter((name) => name.startsWith('workbox-'));
  await Promise.all(names.map((name) => caches.delete(name)));
}

/**
 * Removes the data of a user who signs out, or whose session has ended (`null`). If unsent writes of other users stay, the device then belongs
 * to one of these users.
 */
export async function clearDevice(userId: number | null): Promise<void> {
  tellTabs('signed out');
  const nextOwner = await removeDataOf(userId).catch(async () => {
    // The browser cannot open the database, so nobody can read its entries.
    await removeCounterDb();
    return null;
  });
  await removeWorkers();
  if (nextOwner === null) removeDeviceOwner();
  else setDeviceOwner(nextOwner);
}

/**
 * Removes the orders when the session has expired, or when another user has signed in (`next`). If there are unsent writes, they stay in the
 * queue until the same user signs in again.
 */
export async function endSession(next: CurrentUser | null): Promise<void> {
  // If somebody has signed out in this tab, another tab may have stored orders since.
  if (next) allowCounterDb();
  if (isCounterDbRemoved()) return;
  const unsent = (await readWrites()).find(isUnsent);
  if (unsent) await removeFamilies();
  else await clearDevice(null);
}
