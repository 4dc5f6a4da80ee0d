// The last second of a listening server: nobody new is let in, and each connection hears with its next answer that it was the last one.
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as eventsTaken, setTimeout as pause } from 'node:timers/promises';

/** A request that is on its way over a kept connection arrives within this, and would meet a closed one otherwise. */
const ON_THE_WAY_MS = 1_000;

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_, count) => resolve(count));
  });

/** Where each turn of the event loop is long, or somebody comes in each. */
const LONGEST_KNOCK_MS = 2_000;
/** Nobody looks at the door while a turn of the event loop does something else. */
const SHORT_TURN_MS = 0.2;

/**
 * Who has knocked already comes in, one in each turn of the event loop: the kernel resets those whom nobody has let in when the door
 * closes. So it closes after a turn that was short and in which nobody came. `letIn` counts them.
 */
async function nobodyKnocks(letIn: () => number): Promise<void> {
  // The turn in which the signal came has looked at the door before it.
  await eventsTaken();
  const until = performance.now() + LONGEST_KNOCK_MS;
  while (performance.now() < until) {
    const before = letIn();
    const began = performance.now();
    await eventsTaken();
    if (before === letIn() && performance.now() - began < SHORT_TURN_MS) return;
  }
}

/** To be called before it listens. After the farewell what is still open is idle, or hears with its answer that it was the last. */
export function prepareFarewell(server: Server): () => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let isOver = false;
  let letIn = 0;
  server.prependListener('connection', () => (letIn += 1));
  server.prependListener('request', (_, answer) => {
    answer.shouldKeepAlive &&= !isOver;
    underWay.add(answer);
    answer.once('close', () => underWay.delete(answer));
  });
  return async () => {
    isOver = true;
    for (const answer of underWay) answer.shouldKeepAlive = false;
    await nobodyKnocks(() => letIn);
    // Not the one of HTTP, which would cut the kept connections at once.
    NetServer.prototype.close.call(server);
    for (const until = Date.now() + ON_THE_WAY_MS; Date.now() < until && (await connectionsOf(server)) > 0;) await pause(20);
    await eventsTaken();
  };
}
