import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

/**
 * On the stop signal, this server blocks one iteration of the event loop until a file exists, like a server that is busy with a report.
 * While it is blocked, the server accepts no connection.
 */
const busyServer = (file: string, turn: number): string => `
  import { existsSync } from 'node:fs';
  import { createServer } from 'node:http';
  import { createConnectionDrain } from ${JSON.stringify(new URL('graceful-shutdown.ts', import.meta.url).href)};
  const server = createServer((_, answer) => answer.end('heard'));
  const drainConnections = createConnectionDrain(server);
  const beBusyIn = (turns) => {
    if (turns > 0) return setImmediate(beBusyIn, turns - 1);
    console.log('busy');
    while (!existsSync(${JSON.stringify(file)}));
  };
  process.on('SIGTERM', () => {
    beBusyIn(${turn});
    void drainConnections().then(() => process.exit(0));
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

function connectAndSend(port: string): { readonly connected: Promise<unknown>; readonly received: Promise<string> } {
  const request = get({ host: '127.0.0.1', port, agent: false });
  const received = once(request, 'response').then(async ([answer]: IncomingMessage[]) =>
    String(await answer?.setEncoding('utf8').toArray()),
  );
  return {
    connected: once(request, 'socket').then(([socket]: NodeJS.EventEmitter[]) => socket && once(socket, 'connect')),
    received,
  };
}

test.each([
  [0, 300],
  [1, 20],
  [2, 20],
])(
  'the server accepts and answers connections that are pending when the server closes, even if the server was busy for %i iterations of the event loop',
  { tags: ['long'] },
  async (turn, count) => {
    const folder = await mkdtemp(join(tmpdir(), 'graceful-shutdown-'));
    const file = join(folder, 'all have knocked');
    const server = spawn(process.execPath, ['--input-type=module', '-e', busyServer(file, turn)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
    const port = String((await lines.next()).value);
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    expect((await lines.next()).value).toBe('busy');
    const connections = Array.from({ length: count }, () => connectAndSend(port));
    await Promise.all(connections.map(({ connected }) => connected));
    await writeFile(file, '');
    expect(await Promise.all(connections.map(({ received }) => received))).toEqual(connections.map(() => 'heard'));
    expect(await ended).toEqual([0, null]);
    await rm(folder, { recursive: true });
  },
);
