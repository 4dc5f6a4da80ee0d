// Limits the open connections, so that the process keeps file descriptors for the database, mails and files (docs/reliability.md, "abuse").
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { report } from 'node:process';
import * as z from 'zod/mini';
import { blockOrAddressOf } from '../../auth/network.ts';
import { createCounts } from '../../queues/counts.ts';
import type { Env } from '../../operations/env.ts';
import { lazyValue } from '../../../shared/lazy-value.ts';

/** A thousand families with the six connections of a browser each need fewer. */
const MAX_CONNECTIONS = 10_000;
const PART_OF_OPEN_FILES = 0.5;
/** In a hall, all families may share one IPv4 address. */
const PART_OF_ADDRESS = 0.6;

/** The part of the report of Node.js about its process that contains the limit of open files. On Windows, the report has no limits. */
const Report = z.object({
  userLimits: z.optional(z.object({ open_files: z.object({ soft: z.union([z.number(), z.literal('unlimited')]) }) })),
});

/** Returns the maximum number of file descriptors of this process. Infinity if the system does not limit it. */
const maxOpenFiles = lazyValue((): number => {
  // Otherwise the report would look up the host names of all connections.
  Object.assign(report, { excludeNetwork: true });
  const soft = Report.parse(report.getReport()).userLimits?.open_files.soft;
  return typeof soft === 'number' ? soft : Infinity;
});

/**
 * Node.js closes each further connection at once. Without a proxy, an IPv4 address or IPv6 /48 can have only a part of the connections.
 * Behind a proxy, all connections have its address, and the proxy must limit them (docs/operations.md).
 */
export function limitConnections(server: Server, { trustProxy }: Pick<Env, 'trustProxy'>, openFiles = maxOpenFiles()): void {
  server.maxConnections = Math.min(MAX_CONNECTIONS, Math.floor(PART_OF_OPEN_FILES * openFiles));
  if (trustProxy > 0) return;
  const maxOfAddress = PART_OF_ADDRESS * server.maxConnections;
  const open = createCounts();
  server.on('connection', (socket: Socket) => {
    const address = blockOrAddressOf(socket.remoteAddress ?? '');
    socket.once('close', open.add(address));
    if (open.of(address) > maxOfAddress) socket.destroy();
  });
}
