// Requests the reads that the page names before the client's scripts are loaded (server/web/route-preloads.ts); fetch.ts uses the
// responses. It imports nothing, because imports would load first. / <reference types="vite/types/importMeta.d.ts" />
import type {} from './fetch.ts';

// Prefetches nothing when the user returns with Back, because the browser may show the page as it was for another user who has signed out
// since.
const isKept = performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'back_forward');

if (!globalThis.prefetched && !isKept) {
  const named = document.currentScript?.dataset['reads']?.split(' ') ?? [];
  const host: string = import.meta.env['VITE_API_HOST'] ?? '';
  const init: RequestInit = { headers: { Accept: 'application/json, text/plain;q=0.9' }, credentials: 'include', cache: 'no-store' };
  globalThis.prefetched = new Map(named.map((address) => [host + address, fetch(host + address, init)]));
  // Prevents an unhandled rejection: the code that uses a response also handles its error.
  for (const answer of globalThis.prefetched.values()) answer.catch(() => undefined);
}
