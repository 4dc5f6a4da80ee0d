// Databases and folders for the tests of backup and restore, and a view of a database that owes nothing to either.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { unpacked } from '../src/server/backup-reading.ts';
import { copyOf } from './postgres-server.ts';

const endings: (() => Promise<unknown>)[] = [];

/** Ends connections, then drops databases and folders, in the opposite order of their making. */
export async function endAll(): Promise<void> {
  for (let end = endings.pop(); end; end = endings.pop()) await end();
}

export async function connectTo(database: string): Promise<pg.Client> {
  const client = new pg.Client({ ...inject('postgres').connection, database });
  client.on('error', () => undefined);
  await client.connect();
  endings.push(() => client.end().catch(() => undefined));
  return client;
}

/** A database without a table. */
export async function emptyDatabase(): Promise<pg.Client> {
  const { database, drop } = await copyOf('template0', inject('postgres').connection);
  endings.push(drop);
  return await connectTo(database);
}

export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'feastday-backup-'));
  endings.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const tableNames = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

/** Table → number of rows and a checksum over all of them. */
export async function contentsOf(client: pg.Client): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const name of await tableNames(client)) {
    const { rows } = await client.query<{ found: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C")), '') AS found FROM ${name} t`,
    );
    contents[name] = rows[0]?.found ?? '';
  }
  return contents;
}

export async function textOf(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of unpacked(path)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** The text in pieces of `size`, so that every border falls somewhere else. */
export async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
