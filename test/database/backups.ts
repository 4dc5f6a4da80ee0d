// Creates databases and folders for the tests of backup and restore.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { decompressed } from '../../src/server/backup/read-backup.ts';
import { copyOf } from './postgres-server.ts';

const endings: (() => Promise<unknown>)[] = [];

/** Closes the connections, and deletes the databases and folders that the tests have created, in reverse sequence. */
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

/** Creates a database that has no table. */
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

export async function textOf(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of decompressed(path)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Yields the text in chunks of `size` bytes. A test can thus check that the reader works wherever the text is split. */
export async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
