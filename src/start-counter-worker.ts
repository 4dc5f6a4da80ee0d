// This service worker serves the page and the files of the pick-up counter screen when the device is offline. The other pages of the same
// distribution then lead to the counter. The service worker does not handle API calls. No other page has a service worker (contract §14).
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';
import { SECOND } from './domain/durations.ts';
import { OFFLINE_AFTER_MS } from './features/counter/requests/timeouts.ts';

/** The files to store, which the build fills in (scripts/build/counter-worker.ts). */
declare const COUNTER_FILES: PrecacheEntry[];
declare const registration: { readonly scope: string };
declare function skipWaiting(): Promise<void>;
declare function addEventListener(type: 'install', listener: () => void): void;

// A new version of this service worker takes over at once. An open page is not affected, because it has already loaded all its files.
addEventListener('install', () => void skipWaiting());
cleanupOutdatedCaches();
precacheAndRoute(COUNTER_FILES, { directoryIndex: '', cleanURLs: false });

/**
 * The path of the distribution's own page, to which the scope of this service worker is set. The scope of earlier versions ended with a
 * slash.
 */
const OWN_PAGE = new URL(registration.scope).pathname.replace(/\/$/, '');
/**
 * Whether the page belongs to the distribution of this service worker. A scope is only a prefix: the scope `/distribution/1` also matches
 * the pages of distribution 12.
 */
const isOwn = ({ pathname }: URL): boolean => `${pathname}/`.startsWith(`${OWN_PAGE}/`);

const network = new NetworkOnly({ networkTimeoutSeconds: OFFLINE_AFTER_MS / SECOND });

// The worker requests a page from the network first, so that the next page load after a release gets the new version. The stored page is
// used if the network or the server fails.
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && isOwn(url) && /\/counter\/?$/.test(url.pathname),
  async (options) => {
    const fromServer = await network.handle(options).catch(() => null);
    if (fromServer && fromServer.status < 500) return fromServer;
    return (await matchPrecache('/index.html')) ?? fromServer ?? Response.error();
  },
);

// The other pages of the distribution need the network. A reload of such a page without a network opens the counter, instead of the
// browser's error page, from which no link leads to the counter.
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && isOwn(url),
  async ({ request }) => await fetch(request).catch(() => Response.redirect(`${OWN_PAGE}/counter`)),
);
