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
 * Registers the service worker with which this counter opens without a network, and calls `onReady` when it has stored the counter's files.
 * The service worker also handles the page loads of the distribution's own page and of the pages below it. Browsers allow service workers
 * only on https and localhost.
 */
export async function registerWorker(onReady: () => void): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  const scope = location.pathname.replace(/\/counter\/?$/, '');
  const worker = await navigator.serviceWorker.register('/counter-worker.js', { scope, updateViaCache: 'none' });
  const isReady = await isActivated(worker);
  // In earlier versions, the service worker was registered for the counter page alone, or for the pages below the distribution's own page.
  // That registration would go on serving the counter.
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
