// Simulates the network between one station and the server. It is a proxy on a separate port that can be cut, like the Wi-Fi of a hall.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onCleanup } from '../setup/cleanups.ts';

/** With 'closed', connections are refused at once. With 'silent', connections are accepted but no data are delivered. */
type Cut = 'closed' | 'silent';

export interface Network {
  readonly url: string;
  /** Ends all connections, even in the middle of a request or a response. */
  readonly cut: (cut: Cut) => void;
  readonly restore: () => void;
}

export async function openNetwork(serverPort: number): Promise<Network> {
  const sockets = new Set<Socket>();
  let state: Cut | 'open' = 'open';
  const use = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const endAll = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  const listener = createServer((client) => {
    use(client);
    if (state === 'closed') return void client.resetAndDestroy();
    if (state === 'silent') return;
    const server = use(connect(serverPort, '127.0.0.1'));
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onCleanup(async () => {
    listener.close();
    endAll();
  });
  const change = (to: Cut | 'open'): void => {
    state = to;
    endAll();
  };
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    cut: change,
    restore: () => change('open'),
  };
}
