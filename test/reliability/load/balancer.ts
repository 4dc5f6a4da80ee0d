// Runs a TCP load balancer in front of several servers or of the database. It distributes new connections evenly over its backends, and
// skips backends that refuse a connection.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { onCleanup } from '../setup/cleanups.ts';

/** If no backend accepts a connection, the balancer tries them again for this many milliseconds (like lb_try_duration of Caddy). */
const TRIES_FOR_MS = 5_000;

export interface Balancer {
  readonly port: number;
  readonly url: string;
  /** The ports of the backends. A test may change this list: a removed backend gets no new connections. */
  readonly backends: number[];
  readonly close: () => Promise<void>;
}

async function connected(port: number): Promise<Socket | null> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.setNoDelay(true);
  const [isOpen] = await Promise.race([once(socket, 'connect').then(() => [true]), once(socket, 'close').then(() => [false])]).catch(() => [
    false,
  ]);
  return isOpen ? socket : null;
}

function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    // If one side has ended its stream normally, all its data are still delivered to the other side. If it has aborted the stream, the
    // other side's connection is destroyed too.
    from.on('close', () => from.readableEnded || to.destroy());
    from.pipe(to);
  }
}

/** Opens a load balancer for these ports on a free port. */
export async function openBalancer(...backends: number[]): Promise<Balancer> {
  let turn = 0;
  const open = new Set<Socket>();
  const answer = async (client: Socket): Promise<void> => {
    open.add(client);
    client.once('close', () => open.delete(client)).on('error', () => client.destroy());
    client.setNoDelay(true);
    for (const until = Date.now() + TRIES_FOR_MS; Date.now() < until && !client.destroyed;) {
      const port = backends[turn++ % Math.max(1, backends.length)];
      const socket = port === undefined ? null : await connected(port);
      if (client.destroyed) return void socket?.destroy();
      if (socket !== null) return join(client, socket);
      if (turn % Math.max(1, backends.length) === 0) await pause(50);
    }
    client.destroy();
  };
  const server = createServer((client) => void answer(client)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = onCleanup(async () => {
    for (const client of open) client.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port, url: `http://127.0.0.1:${port}`, backends, close };
}
