// Connects two programs of a cluster over TCP. A test can cut the connection as a broken network does: data are lost, and neither program
// is notified.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onCleanup } from '../setup/cleanups.ts';

export interface NetworkLink {
  /** The port to which a program connects in order to reach the other program. */
  readonly port: number;
  readonly cut: () => void;
  readonly repair: () => void;
}

export async function openLink(to: number): Promise<NetworkLink> {
  let isCut = false;
  const open = new Set<Socket>();
  const hold = (socket: Socket, other?: Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      open.delete(socket);
      other?.destroy();
    });
  };
  const server = createServer((client) => {
    if (isCut) return hold(client);
    const program = connect(to, '127.0.0.1');
    hold(client, program);
    hold(program, client);
    client.pipe(program);
    program.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = (): void => open.forEach((socket) => socket.destroy());
  onCleanup(async () => {
    reset();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of open) socket.unpipe().pause();
    },
    repair() {
      isCut = false;
      reset();
    },
  };
}
