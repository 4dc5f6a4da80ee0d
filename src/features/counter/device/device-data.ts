// Removes the counter's data from the device: the orders, the queue, and the cached files with which the counter opens offline (contract
// §14).
import { deviceOwner, removeDeviceOwner, setDeviceOwner } from '../../../client/storage/device-owner.ts';
import { allowCounterDb, counterDb, hasCounterDb, isCounterDbRemoved, readWritesOf, removeCounterDb, removeDataOf } from './counter-db.ts';
import { tellTabs } from './tabs.ts';
import { isMoney, isUnsent, type QueuedWrite } from './writes.ts';

/** Returns the user's writes that the server has not accepted. */
export const readUnsentOf = async (userId: number): Promise<QueuedWrite[]> => (await readWritesOf(userId)).filter(isUnsent);

/**
 * Returns the user's unsent writes. The user is asked about them before signing out, because signing out then deletes them. Also reads the database
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
export const countUnsentPayments = async (userId: number, distributionId: number): Promise<number> =>
  (await readUnsentOf(userId)).filter((queued) => queued.distributionId === distributionId && isMoney(queued)).length;

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

/** Removes the same data as `removeDataOf`. If unsent writes stay, the device then belongs to one of their users. */
async function removeData(lostKeys: readonly string[] | null, current: number | null): Promise<void> {
  const nextOwner = await removeDataOf(lostKeys, current).catch(async () => {
    // The browser cannot open the database, so nobody can read its entries.
    await removeCounterDb();
    return null;
  });
  // The current user has opened the counter on this device.
  if (current !== null && deviceOwner() === current) return;
  await removeWorkers();
  if (nextOwner === null) removeDeviceOwner();
  else setDeviceOwner(nextOwner);
}

/**
 * Removes the families, and the writes with these keys, which the user who signs out has agreed to lose. Writes that the user has made since
 * then stay, as at the end of a session. The counters in other tabs close.
 */
export async function clearDevice(lostKeys: readonly string[]): Promise<void> {
  // If localStorage was full when the counter opened, the database has no owner.
  if (deviceOwner() === null && !(await hasCounterDb().catch(() => false))) return;
  tellTabs('signed out');
  await removeData(lostKeys, null);
}

/**
 * Removes the orders of all users but `current`, when a session has ended or another user has signed in. Unsent writes stay in the queue until
 * their user signs in again. The counters in other tabs stay open: the current user may work with them.
 */
export async function endSession(current: number | null): Promise<void> {
  // After a sign-out in this tab, there is nothing to remove until somebody signs in, perhaps in another tab.
  if (current !== null || !isCounterDbRemoved()) await removeData(null, current);
}
