// Shuts a listening server down: accepts the pending connections, then no new ones, and closes each kept connection after its next
// response.
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as eventsTaken, setTimeout as pause } from 'node:timers/promises';

/** Time for requests that are already on their way over kept connections. */
const KEEP_ALIVE_GRACE_MS = 1_000;

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_, count) => resolve(count));
  });

/** The time limit for accepting pending connections, for a server whose event loop is never idle. */
const MAX_ACCEPT_DRAIN_MS = 2_000;
/** After a longer iteration, the accept queue may not have been checked in time. */
const IDLE_TURN_MS = 0.2;

/**
 * The event loop accepts one pending connection per iteration, and the kernel resets those still pending when the socket closes. So the
 * socket closes only after a short iteration without a new connection. `acceptedCount` counts them.
 */
async function drainAcceptQueue(acceptedCount: () => number): Promise<void> {
  // The iteration in which the signal arrived has already checked the accept queue.
  await eventsTaken();
  const until = performance.now() + MAX_ACCEPT_DRAIN_MS;
  while (performance.now() < until) {
    const before = acceptedCount();
    const began = performance.now();
    await eventsTaken();
    if (before === acceptedCount() && performance.now() - began < IDLE_TURN_MS) return;
  }
}

/** Call before listening. After the drain, remaining connections are idle or close after their response. */
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
    // Uses net.Server's close, because that of http.Server would cut kept connections at once.
    NetServer.prototype.close.call(server);
    for (const until = Date.now() + KEEP_ALIVE_GRACE_MS; Date.now() < until && (await connectionsOf(server)) > 0;) await pause(20);
    await eventsTaken();
  };
}
