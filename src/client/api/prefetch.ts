// Sends the requests that the server named in the page's HTML (server/web/route-preloads.ts) before the client's scripts are loaded.
// fetch.ts uses the responses. This file imports no code, because imported files would be loaded first.
/// <reference types="vite/types/importMeta.d.ts" />
import type {} from './fetch.ts';

// When the user returns with Back, nothing is prefetched: the browser may restore a page that the server made for another user, who has
// signed out in the meantime.
const isKept = performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'back_forward');

if (!globalThis.prefetched && !isKept) {
  const named = document.currentScript?.dataset['reads']?.split(' ') ?? [];
  const host: string = import.meta.env['VITE_API_HOST'] ?? '';
  const init: RequestInit = { headers: { Accept: 'application/json, text/plain;q=0.9' }, credentials: 'include', cache: 'no-store' };
  globalThis.prefetched = new Map(named.map((address) => [host + address, fetch(host + address, init)]));
  // Ignores failures here to prevent unhandled rejections. The code that later uses the response handles them.
  for (const answer of globalThis.prefetched.values()) answer.catch(() => undefined);
}
