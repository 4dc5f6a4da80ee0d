/**
 * If the server does not respond within this many milliseconds, the counter opens from the device: the service worker takes the stored page,
 * and the page takes the user who is stored on the device. Only constants are in this file, because the service worker imports it, too.
 */
export const OFFLINE_AFTER_MS = 4000;
