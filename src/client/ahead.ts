// Asks for what the page names, before the client's own scripts are there (server/first-look.ts); `takeAhead` hands the answers on.
// It stands alone, because whatever it imported would have to come first.
/// <reference types="vite/types/importMeta.d.ts" />
import type {} from './fetch.ts';

if (!globalThis.readAhead) {
  const named = document.querySelector<HTMLMetaElement>('meta[name="ahead"]')?.content.split(' ') ?? [];
  const host: string = import.meta.env['VITE_API_HOST'] ?? '';
  const init: RequestInit = { headers: { Accept: 'application/json, text/plain;q=0.9' }, credentials: 'include', cache: 'no-store' };
  globalThis.readAhead = new Map(named.map((address) => [host + address, fetch(host + address, init)]));
  // Whoever takes an answer sees what went wrong.
  for (const answer of globalThis.readAhead.values()) answer.catch(() => undefined);
}
