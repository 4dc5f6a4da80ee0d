/**
 * If the server does not respond within this many milliseconds, the counter opens from the device: the service worker takes the stored page,
 * and the page takes the user who is stored on the device. Only constants are in this file, because the service worker imports it, too.
 */
export const OFFLINE_AFTER_MS = 4000;

/** Timeout of a request that sends a queued write. */
export const WRITE_TIMEOUT_MS = 20_000;
/** Timeout of a short read: the signed-in user, the distributions, or the orders that have changed. */
export const READ_TIMEOUT_MS = 10_000;
/** Timeout of a request for one page of the list of all orders. */
export const ORDER_LIST_TIMEOUT_MS = 30_000;
