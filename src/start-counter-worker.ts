// The service worker of the counter serves its page and files without a network. It handles no API calls, and no other screen has a service
// worker (contract §14).
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';

/** Defined by the build (scripts/build/counter-worker.ts). */
declare const COUNTER_FILES: PrecacheEntry[];
declare function skipWaiting(): Promise<void>;
declare function addEventListener(type: 'install', listener: () => void): void;

// A new version takes over at once, because an open page has already loaded everything it needs.
addEventListener('install', () => void skipWaiting());
cleanupOutdatedCaches();
precacheAndRoute(COUNTER_FILES, { directoryIndex: '', cleanURLs: false });

const network = new NetworkOnly({ networkTimeoutSeconds: 4 });

// Requests the page from the network first, so that the next page load gets a new release.
registerRoute(
  ({ request }) => request.mode === 'navigate',
  async (options) => {
    const fromServer = await network.handle(options).catch(() => null);
    if (fromServer && fromServer.status < 500) return fromServer;
    return (await matchPrecache('/index.html')) ?? fromServer ?? Response.error();
  },
);
