// Takes the counter's data off the device: families, queue, and the files with which it starts without a network (contract §14).
import { deleteDB } from 'idb';
import { removeDeviceOwner } from '../../../client/storage/device-owner.ts';
import { closeCounterDb, DB_NAME, readWrites, removeFamilies } from './counter-db.ts';
import { tellTabs } from './tabs.ts';
import { isRefused, isWaiting } from './writes.ts';

/** Writes that the server does not have: they wait, or were refused. */
export const countUnsent = async (): Promise<number> => (await readWrites()).filter((write) => isWaiting(write) || isRefused(write)).length;

/** The worker of the counters below these paths. */
const isCounter = ({ scope }: ServiceWorkerRegistration): boolean => /\/distribution\/\d+\/counter$/.test(new URL(scope).pathname);

async function removeWorkers(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const workers = (await navigator.serviceWorker.getRegistrations()).filter(isCounter);
  await Promise.all(workers.map((worker) => worker.unregister()));
  const names = (await caches.keys()).filter((name) => name.startsWith('workbox-'));
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** At sign-out: everything. */
export async function clearDevice(): Promise<void> {
  tellTabs('signed out');
  await closeCounterDb();
  await deleteDB(DB_NAME);
  await removeWorkers();
  removeDeviceOwner();
}

/** After the session has ended by itself: the families. What the server does not have stays for the same person. */
export async function endSession(): Promise<void> {
  if ((await countUnsent()) === 0) await clearDevice();
  else await removeFamilies();
}
