/// <reference types="vite/types/importMeta.d.ts" />

/**
 * Registers the service worker with which this counter opens without a network. Browsers allow service workers only on https and localhost.
 */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  const scope = location.pathname;
  const worker = await navigator.serviceWorker.register('/counter-worker.js', { scope, updateViaCache: 'none' });
  await worker.update();
}
