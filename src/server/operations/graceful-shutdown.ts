// The last second of a listening server: nobody new is let in, and each connection hears with its next answer that it was the last one.
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as eventsTaken, setTimeout as pause } from 'node:timers/promises';

/** A request that is on its way over a kept connection arrives within this, and would meet a closed one otherwise. */
const KEEP_ALIVE_GRACE_MS = 1_000;

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_, count) => resolve(count));
  });

/** Where each turn of the event loop is long, or somebody comes in each. */
const MAX_ACCEPT_DRAIN_MS = 2_000;
/** Nobody looks at the door while a turn of the event loop does something else. */
const IDLE_TURN_MS = 0.2;

/**
 * Who has knocked already comes in, one in each turn of the event loop: the kernel resets those whom nobody has let in when the door
 * closes. So it closes after a turn that was short and in which nobody came. `letIn` counts them.
 */
async function drainAcceptQueue(acceptedCount: () => number): Promise<void> {
  // The turn in which the signal came has looked at the door before it.
  await eventsTaken();
  const until = performance.now() + MAX_ACCEPT_DRAIN_MS;
  while (performance.now() < until) {
    const before = acceptedCount();
    const began = performance.now();
    await eventsTaken();
    if (before === acceptedCount() && performance.now() - began < IDLE_TURN_MS) return;
  }
}

/** To be called before it listens. After the farewell what is still open is idle, or hears with its answer that it was the last. */
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
    // Not the one of HTTP, which would cut the kept connections at once.
    NetServer.prototype.close.call(server);
    for (const until = Date.now() + KEEP_ALIVE_GRACE_MS; Date.now() < until && (await connectionsOf(server)) > 0;) await pause(20);
    await eventsTaken();
  };
}
