// Writes a consistent snapshot of the whole database into one file, while the server continues to work.
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { createWriteStream, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import {
  SUMS,
  sumLine,
  BackupError,
  BLOCK_END,
  blockHead,
  headOf,
  MARK_QUEUED_MAILS_UNKNOWN,
  sequenceRestart,
  rowsHead,
  tailOf,
} from './file-format.ts';
import {
  copyLinesOf,
  namesIn,
  nextSequenceValue,
  copyTargetOf,
  PORTABLE_TEXT_SETTINGS,
  tablesOf,
  type CopiedTable,
  type Table,
} from './tables.ts';
import { createTableChecksum, type TableChecksum } from './checksum.ts';
import { appliedOn, MIGRATIONS_TABLE, migrationsIn, type Migration } from '../database/migrate.ts';
import { syncFolder } from '../database/embedded/data-directory.ts';
import { DAY } from '../../domain/durations.ts';

async function madeBy(client: pg.ClientBase, folder?: string): Promise<Migration[]> {
  const applied = await appliedOn(client).catch((error: { code?: string }) => {
    if (error.code !== '42P01') throw error;
    throw new BackupError('The database holds nothing of Feastday yet: there is nothing to back up.');
  });
  const known = new Map((await migrationsIn(folder)).map((migration) => [migration.name, migration]));
  return applied.map((name) => {
    const migration = known.get(name);
    if (migration) return migration;
    throw new BackupError(`The database is of a newer version of Feastday (${name}): back it up with that version.`);
  });
}

/** Begins a transaction that reads one snapshot, and blocks migrations until the transaction ends. */
export async function beginReading(client: pg.ClientBase, folder?: string): Promise<{ migrations: Migration[]; tables: Table[] }> {
  const names = (await tablesOf(client, namesIn(await madeBy(client, folder)))).map(({ name }) => name);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // The snapshot begins with the first query that reads rows. The tables are locked before this query, so that no migration changes their
  // columns in between.
  await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
  await client.query(PORTABLE_TEXT_SETTINGS);
  const migrations = await madeBy(client, folder);
  return { migrations, tables: await tablesOf(client, namesIn(migrations)) };
}

/** Returns the sum of each column in SUMS by the column's name. A table that is missing in a database of an older version is left out. */
export async function sumsOf(client: pg.ClientBase, tables: readonly Table[]): Promise<Map<string, string>> {
  const sums = new Map<string, string>();
  for (const [table, column] of SUMS) {
    if (!tables.some(({ name }) => name === `"${table}"`)) continue;
    const { rows } = await client.query<{ sum: string }>(`SELECT coalesce(sum(${column}), 0)::text AS sum FROM ${table}`);
    sums.set(`${table}.${column}`, rows[0]?.sum ?? '');
  }
  return sums;
}

interface Source {
  readonly client: pg.ClientBase;
  readonly now: Date;
  /** The folder of the migrations. Only tests set this option. */
  readonly folder?: string;
}

/** Yields the rows of a table as the file contains them, and adds their number and checksum to `tallies`. */
export async function* blockOf(
  client: pg.ClientBase,
  table: CopiedTable,
  tallies: Map<string, TableChecksum>,
): AsyncGenerator<string | Buffer> {
  const tally = createTableChecksum();
  yield blockHead(copyTargetOf(table));
  for await (const chunk of copyLinesOf(client, table)) {
    tally.add(chunk as Buffer);
    yield chunk as Buffer;
  }
  tallies.set(table.name, tally.end());
  yield BLOCK_END;
}

/** Yields a backup in chunks, and fills `tallies` with the row count and checksum of each table. */
async function* backupChunks({ client, now, folder }: Source, tallies: Map<string, TableChecksum>): AsyncGenerator<string | Buffer> {
  const { migrations, tables } = await beginReading(client, folder);
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  yield headOf({ migrations: migrations.map(({ name }) => name), madeAt: now, server: rows[0]?.server_version ?? '' });
  yield `${MIGRATIONS_TABLE}\n`;
  for (const { name, sql } of migrations) yield `\n-- ${name}\n${sql}`;
  yield rowsHead;
  for (const table of tables) {
    const { name, identity, sequence } = table;
    yield* blockOf(client, table, tallies);
    if (identity !== null && sequence !== null) yield sequenceRestart(name, identity, await nextSequenceValue(client, sequence));
  }
  if (tables.some(({ columns }) => columns.includes('"leasedUntil"'))) yield `${MARK_QUEUED_MAILS_UNKNOWN}\n`;
  for (const [name, sum] of await sumsOf(client, tables)) yield sumLine(name, sum);
  yield tailOf(tallies);
  await client.query('COMMIT');
}

export interface WrittenBackup {
  readonly path: string;
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
}

const PART = '.part';

/** Deletes the incomplete files of backups that were killed. */
async function removeAbandoned(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('feastday-') || !name.endsWith(PART)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && now.getTime() - found.mtimeMs > DAY) await rm(join(folder, name), { force: true });
  }
}

/** Returns the file name of a backup, such as `feastday-2027-04-01T120000Z.sql.gz`. */
export const backupNameAt = (now: Date): string => `feastday-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.sql.gz`;
export const isBackupName = (name: string): boolean => /^feastday-\d{4}-\d\d-\d\dT\d{6}Z\.sql\.gz$/.test(name);

interface Writing {
  readonly now: Date;
  readonly signal: AbortSignal | undefined;
  /** The beginning of the message of the error that is thrown when writing fails. */
  readonly failed?: string;
}

export const writeBackup = (source: Source, path: string, signal?: AbortSignal): Promise<WrittenBackup> =>
  writeFileOnce((tallies) => backupChunks(source, tallies), path, { now: source.now, signal });

/**
 * Writes a compressed file atomically: the file gets its final name only when it is complete and synced to disk. `chunks` yields the
 * content, and adds the row count and checksum of each table to the map `tallies`.
 */
export async function writeFileOnce(
  chunks: (tallies: Map<string, TableChecksum>) => AsyncIterable<string | Buffer>,
  path: string,
  { now, signal, failed = 'There is no new backup in' }: Writing,
): Promise<WrittenBackup> {
  const tallies = new Map<string, TableChecksum>();
  const part = join(dirname(path), `${basename(path)}.${process.pid}${PART}`);
  try {
    if (existsSync(path)) throw new BackupError(`${path} is there already: nothing was written.`);
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if (made !== undefined) await syncFolder(dirname(made));
    await removeAbandoned(dirname(path), now);
    const file = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(chunks(tallies), createGzip(), file, signal ? { signal } : {});
    await rename(part, path);
    await syncFolder(dirname(path));
    const rows = [...tallies.values()].reduce((sum, tally) => sum + tally.rows, 0);
    return { path, tables: tallies.size, rows, bytes: (await stat(path)).size };
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${failed} ${path}: ${(error as Error).message}.`, { cause: error });
  }
}
