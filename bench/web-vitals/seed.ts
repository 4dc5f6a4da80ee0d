// Starts the built application with a database of its own, and serves the bare page.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keep } from '../command.ts';
import { createDatabases } from '../environment/databases.ts';
import { startServer } from '../environment/servers.ts';
import { startBarePage } from './bare-page.ts';

/** The ids of two users in seed.sql. The session cookie of a user is `s` followed by the id. */
export const DISTRIBUTOR = 1;
export const CUSTOMER = 3000;
export const ORDER_PAGES = [
  { products: 200, path: '/customer/order/1' },
  { products: 500, path: '/customer/order/1001' },
] as const;

export interface SeededServers {
  /** The URL without a trailing slash. */
  readonly url: string;
  readonly bareUrl: string;
}

/** Starts the server and the bare page. The caller must call `closeAll`, which stops them. */
export async function startSeededServers(): Promise<SeededServers> {
  const databases = keep(await createDatabases());
  const sql = await readFile(join(import.meta.dirname, 'seed.sql'), 'utf8');
  await databases.on('ours', async (client) => {
    await client.query(sql);
    await client.query('VACUUM ANALYZE');
  });
  const server = keep(await startServer('ours', databases.urlOf('ours')));
  const bare = keep(await startBarePage());
  return { url: `http://127.0.0.1:${server.port}`, bareUrl: bare.url };
}
