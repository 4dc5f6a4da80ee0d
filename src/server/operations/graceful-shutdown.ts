// Shuts a listening server down. It first accepts the pending connections, then no new ones. It closes each kept connection after its next
// response.
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as eventsTaken, setTimeout as pause } from 'node:timers/promises';

/** How long the server waits for requests that are already on their way over kept connections. */
const KEEP_ALIVE_GRACE_MS = 1_000;

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_, count) => resolve(count));
  });

/** The maximum time for accepting pending connections. A server whose event loop is never idle needs this limit. */
const MAX_ACCEPT_DRAIN_MS = 2_000;
/** If an iteration takes longer than this, the event loop may not have checked the accept queue yet. */
const IDLE_TURN_MS = 0.2;

/**
 * Waits until all pending connections are accepted. The event loop accepts one of them per iteration, and the kernel resets those that are
 * still pending when the socket closes. The socket therefore closes only after a short iteration that accepted none. `acceptedCount`
 * returns the number of accepted connections.
 */
async function drainAcceptQueue(acceptedCount: () => number): Promise<void> {
  // When the signal arrived, the event loop had already checked the accept queue in that iteration.
  await eventsTaken();
  const until = performance.now() + MAX_ACCEPT_DRAIN_MS;
  while (performance.now() < until) {
    const before = acceptedCount();
    const began = performance.now();
    await eventsTaken();
    if (before === acceptedCount() && performance.now() - began < IDLE_TURN_MS) return;
  }
}

/**
 * Prepares the shutdown; call it before the server listens. The returned function drains the connections: afterwards, each remaining one is
 * idle or closes after its response.
 */
export function createConnectionDrain(server: Server): () => Promise<void> {
  const pendingResponses = new Set<ServerResponse>();
  let isOver = false;
  let acceptedCount = 0;
  server.prependListener('connection', () => (acceptedCount += 1));
  server.prependListener('request', (_, answer) => {
    answer.shouldKeepAlive &&= !isOver;
    pendingResponses.add(answer);
    answer.once('close', () => pendingResponses.delete(answer));
  });
  return async () => {
    isOver = true;
    for (const answer of pendingResponses) answer.shouldKeepAlive = false;
    await drainAcceptQueue(() => acceptedCount);
    // This calls the close method of net.Server, because that of http.Server would close kept connections at once.
    NetServer.prototype.close.call(server);
    for (const until = Date.now() + KEEP_ALIVE_GRACE_MS; Date.now() < until && (await connectionsOf(server)) > 0;) await pause(20);
    await eventsTaken();
  };
}
