// Runs a server that inserts its input into SQL without escaping. If an attack tool does not find this vulnerability, its other results
// mean nothing.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { TestDatabase } from '../setup/databases.ts';

export async function startVulnerableServer(place: TestDatabase): Promise<{ url: string; close: () => Promise<void> }> {
  const pool = new pg.Pool(await place.connection());
  const server = createServer((request, answer) => {
    const name = new URL(request.url ?? '/', 'http://localhost').searchParams.get('name') ?? '';
    pool.query(`SELECT name FROM distributions WHERE name = '${name}'`).then(
      (found) => answer.end(JSON.stringify(found)),
      (error: Error) => answer.writeHead(500).end(error.message),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await pool.end();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
