/// <reference types="vite/types/importMeta.d.ts" />

/** Lets this counter open without a network from now on; only where the browser allows it (https, or the own machine). */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  const scope = location.pathname;
  const worker = await navigator.serviceWorker.register('/counter-worker.js', { scope, updateViaCache: 'none' });
  await worker.update();
}
