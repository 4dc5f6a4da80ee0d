// Removes the counter's data from the device: the orders, the queue, and the cached files with which the counter opens offline (contract
// §14).
import { removeDeviceOwner } from '../../../client/storage/device-owner.ts';
import { isCounterDbRemoved, readWrites, readWritesOf, removeCounterDb, removeFamilies } from './counter-db.ts';
import { tellTabs } from './tabs.ts';
import { isMoney, isRefused, isWaiting, type QueuedWrite } from './writes.ts';

/** Returns the writes that the server has not accepted: waiting, being sent, or refused. */
export const readUnsent = async (): Promise<QueuedWrite[]> => (await readWrites()).filter((write) => isWaiting(write) || isRefused(write));

/**
 * Returns the number of payments and reversals of a user in a distribution that the server has not accepted. The user's till on the server
 * does not contain them yet.
 */
export const countUnsentPayments = async (place: { readonly userId: number; readonly distributionId: number }): Promise<number> =>
  (await readWritesOf(place.userId)).filter(
    (queued) => queued.distributionId === place.distributionId && isMoney(queued) && (isWaiting(queued) || isRefused(queued)),
  ).length;

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

export async function clearDevice(): Promise<void> {
  tellTabs('signed out');
  await removeCounterDb();
  await removeWorkers();
  removeDeviceOwner();
}

/**
 * Removes the orders when the session has expired. If there are unsent writes, they stay in the queue until the same user signs in again.
 */
export async function endSession(): Promise<void> {
  if (isCounterDbRemoved()) return;
  if ((await readUnsent()).length === 0) await clearDevice();
  else await removeFamilies();
}
