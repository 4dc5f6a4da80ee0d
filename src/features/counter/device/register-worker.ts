/// <reference types="vite/types/importMeta.d.ts" />

/** Waits until the service worker has stored the files of the counter. Resolves to false if it could not store them. */
async function isActivated({ active, installing, waiting }: ServiceWorkerRegistration): Promise<boolean> {
  const worker = active ?? waiting ?? installing;
  if (!worker) return false;
  while (worker.state !== 'activated' && worker.state !== 'redundant')
    await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
  return worker.state === 'activated';
}

/**
 * Registers the service worker, which makes the counter open without a network. Calls `onReady` when the service worker has stored the
 * files of the counter. The service worker also handles page loads of the distribution's own page and of all pages below it. Browsers allow
 * service workers only on https and localhost.
 */
export async function registerWorker(onReady: () => void): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  const scope = location.pathname.replace(/\/counter\/?$/, '');
  const worker = await navigator.serviceWorker.register('/counter-worker.js', { scope, updateViaCache: 'none' });
  const isReady = await isActivated(worker);
  // Earlier versions registered the service worker with another scope: only the counter, or the pages below the distribution's own page.
  // Such a registration is removed, because its narrower scope would take precedence for the counter.
  const found = await navigator.serviceWorker.getRegistration(`${scope}/counter`);
  if (found && found.scope !== worker.scope) await found.unregister();
  if (isReady) onReady();
  await worker.update();
}

/**
 * Asks the browser not to delete the queue when the device runs out of space. Browsers that do not ask the user decide themselves. Without
 * the permission, the counter works in the same way.
 */
export async function keepStorage(): Promise<void> {
  // Browsers offer the storage API only on https and localhost.
  if ('storage' in navigator && 'persist' in navigator.storage) await navigator.storage.persist();
}
