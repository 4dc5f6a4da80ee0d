// Cuts off the replies of a network that their clients do not read, while other requests of the network wait for an open reply
// (docs/reliability.md, "abuse").
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createCounts } from '../../queues/counts.ts';

/**
 * While another request waits, the connection of a reply is closed if its client has read nothing for this many milliseconds. If the client
 * has read the beginning of what was sent, Node.js waits once more.
 */
const UNREAD_MS = 3000;
const CHECKED_EVERY_MS = 500;

export function createUnreadReplies() {
  const open = new Map<string, Set<ServerResponse>>();
  const waiting = createCounts();
  const limitTime = (): void => {
    for (const [network, replies] of open) {
      if (waiting.of(network) === 0) continue;
      for (const { headersSent, socket } of replies) {
        // Setting the timeout again would start it again.
        if (headersSent && socket instanceof Socket && socket.timeout !== UNREAD_MS) socket.setTimeout(UNREAD_MS);
      }
    }
  };
  const timer = setInterval(limitTime, CHECKED_EVERY_MS).unref();
  return {
    /** A request of this network waits for an open reply until the returned function is called. */
    wait: (network: string): (() => void) => waiting.add(network),
    /** The reply is open until the returned function is called. */
    add(network: string, reply: ServerResponse): () => void {
      const replies = open.get(network) ?? new Set();
      open.set(network, replies.add(reply));
      return () => {
        replies.delete(reply);
        if (replies.size === 0 && open.get(network) === replies) open.delete(network);
      };
    },
    stop: (): void => clearInterval(timer),
  };
}
