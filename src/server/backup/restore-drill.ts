// Restores a backup into a temporary database, compares counts and sums with those of the original database, and deletes the temporary
// database.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrationsIn } from '../database/migrate.ts';
import { BackupError } from './file-format.ts';
import { decompressed } from './read-backup.ts';
import { restore, type Restored } from './restore.ts';
import { namesIn, tablesOf } from './tables.ts';
import { isBackupName, sumsOf } from './write-backup.ts';
import { DAY } from '../../domain/durations.ts';

/** Returns the newest automatic backup in a folder, or null. */
export async function newestBackup(folder: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => []);
  const newest = names.filter(isBackupName).toSorted().at(-1);
  return newest === undefined ? null : join(folder, newest);
}

const NAME = '_restore_drill_';

const DRILLS = `SELECT datname AS name FROM pg_database WHERE starts_with(datname, current_database() || '${NAME}')`;

/** Whether this database was left by a drill that was killed. The database of a running drill is less than a day old. */
const isAbandoned = (name: string, now: Date): boolean => now.getTime() - parseInt(name.split(NAME).at(-1) ?? '', 36) > DAY;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export async function connected<Result>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function compare(client: pg.Client, { recorded: { recorded, sums } }: Restored): Promise<number> {
  const tables = await tablesOf(client, namesIn(await migrationsIn()));
  let rows = 0;
  for (const [table, { rows: wanted }] of recorded) {
    const found = await client.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`);
    // The row count of the table of migrations may differ, because newer migrations are applied to the restored database.
    if (table !== '"migrations"' && found.rows[0]?.rows !== wanted)
      throw new BackupError(`${table} has ${found.rows[0]?.rows} rows instead of ${wanted}.`);
    rows += wanted;
  }
  const found = await sumsOf(client, tables);
  for (const [name, wanted] of sums)
    if (found.get(name) !== wanted) throw new BackupError(`The sum of ${name} is ${found.get(name)} instead of ${wanted}.`);
  return rows;
}

/**
 * Makes a restore drill. `main` is a connection to the application's database. The drill creates its database on the same server with the
 * same account. Returns how many rows and sums are equal to the original ones.
 */
export async function restoreDrill(main: pg.Client, path: string, now: Date): Promise<{ rows: number; sums: number }> {
  const { rows: names } = await main.query<{ name: string }>('SELECT current_database() AS name');
  const { rows: drills } = await main.query<{ name: string }>(DRILLS);
  for (const { name } of drills) if (isAbandoned(name, now)) await main.query(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);
  const database = `${names[0]?.name ?? ''}${NAME}${now.getTime().toString(36)}`;
  await main.query(`CREATE DATABASE ${quoted(database)} TEMPLATE template0`);
  try {
    const { host, port, user, password, ssl } = main;
    return await connected({ host, port, user, password, ssl, database, application_name: 'feastday drill' }, async (client) => {
      const restored = await restore({ client }, decompressed(path));
      return { rows: await compare(client, restored), sums: restored.recorded.sums.size };
    });
  } finally {
    await main.query(`DROP DATABASE IF EXISTS ${quoted(database)} WITH (FORCE)`);
  }
}
