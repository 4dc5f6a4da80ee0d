// Shuts a listening server down. The server first accepts the pending connections, and then no new connections. It closes each keep-alive
// connection after the next response.
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as eventsTaken, setTimeout as pause } from 'node:timers/promises';

/** The number of milliseconds that the server waits for requests that clients have already sent over open keep-alive connections. */
const KEEP_ALIVE_GRACE_MS = 1_000;

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_, count) => resolve(count));
  });

/** The maximum number of milliseconds for accepting pending connections. A server whose event loop is never idle needs this limit. */
const MAX_ACCEPT_DRAIN_MS = 2_000;
/**
 * The longest iteration, in milliseconds, that counts as idle. After a longer one, the event loop may not have checked the accept queue
 * yet.
 */
const IDLE_TURN_MS = 0.2;
/**
 * On a busy machine, a connection may reach the accept queue later than its client gets to know that it is connected. The server waits this
 * many milliseconds for such connections.
 */
const HANDSHAKE_MS = 20;

/**
 * Waits until all pending connections are accepted. The event loop accepts one connection per iteration, and the kernel resets the
 * connections that are still pending when the socket closes. This function therefore returns only after a pause and a short iteration in
 * which no connection was accepted. `acceptedCount` returns the number of accepted connections.
 */
async function drainAcceptQueue(acceptedCount: () => number): Promise<void> {
  // This iteration does not count, because the event loop had already checked its accept queue when the stop signal arrived.
  await eventsTaken();
  const until = performance.now() + MAX_ACCEPT_DRAIN_MS;
  while (performance.now() < until) {
    const before = acceptedCount();
    await pause(HANDSHAKE_MS);
    const began = performance.now();
    await eventsTaken();
    if (before === acceptedCount() && performance.now() - began < IDLE_TURN_MS) return;
  }
}

/**
 * Prepares the shutdown. Call this before the server listens. The returned function drains the connections: afterwards, each remaining
 * connection is idle or closes after its response.
 */
export function createConnectionDrain(server: Server): () => Promise<void> {
  const pendingResponses = new Set<ServerResponse>();
  let isOver = false;
  let acceptedCount = 0;
  server.prependListener('connection', () => (acceptedCount += 1));
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive &&= !isOver;
    pendingResponses.add(response);
    response.once('close', () => pendingResponses.delete(response));
  });
  return async () => {
    isOver = true;
    for (const response of pendingResponses) response.shouldKeepAlive = false;
    await drainAcceptQueue(() => acceptedCount);
    // The server is closed with the close method of net.Server, because the close method of http.Server would close keep-alive connections
    // at once.
    NetServer.prototype.close.call(server);
    for (const until = Date.now() + KEEP_ALIVE_GRACE_MS; Date.now() < until && (await connectionsOf(server)) > 0;) await pause(20);
    await eventsTaken();
  };
}
