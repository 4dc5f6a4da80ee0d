// Restores a backup into an empty database in one transaction. Either every row is restored and verified, or nothing is changed.
import type pg from 'pg';
import {
  BackupError,
  blockIn,
  FIRST_LINE,
  isSequenceRestart,
  isRowsHead,
  LAST_LINE,
  MARK_QUEUED_MAILS_UNKNOWN,
  migrationNamesIn,
  checksumIn,
  sumIn,
} from './file-format.ts';
import { createBackupReader, type BackupReader } from './read-backup.ts';
import { copyIn, functionsIn, copyLinesOf, namesIn, copyTargetOf, PORTABLE_TEXT_SETTINGS, tablesOf, type Table } from './tables.ts';
import { isSameChecksum, createTableChecksum, type TableChecksum } from './checksum.ts';
import { apply, MIGRATIONS_TABLE, migrationsIn, TAKE_LOCK, type Migration } from '../database/migrate.ts';

const refuse = (reason: string): never => {
  throw new BackupError(`${reason}: nothing was restored.`);
};
const DAMAGED = 'The backup is damaged';
const NOT_EMPTY = 'The database is not empty';

/** Reads the names of the migrations from the beginning of the file, up to the first row. */
async function readHead({ line }: BackupReader): Promise<string[]> {
  if ((await line()) !== FIRST_LINE) refuse('The file is no backup of Feastday that this version can read');
  let names: string[] | null = null;
  for (let read = await line(); read !== null; read = await line()) {
    names ??= migrationNamesIn(read);
    if (isRowsHead(read) && names) return names;
  }
  return refuse(DAMAGED);
}

/** Finds a database session of a running server or worker. A worker always has one, because it polls every second. */
const RUNNING = `SELECT FROM pg_stat_activity WHERE application_name = 'feastday' AND datname = current_database() LIMIT 1`;

/** Drops this application's tables except the table of migrations. Throws when any of them contains a row. */
async function clear(client: pg.ClientBase, known: readonly Migration[]): Promise<void> {
  const names = namesIn(known);
  if ((await tablesOf(client, names)).length === 0) return void (await client.query(MIGRATIONS_TABLE));
  // TAKE_LOCK waits until no migration runs. If another program has created the table of migrations, TAKE_LOCK fails or returns no row.
  const isOurs = await client.query(TAKE_LOCK).then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  );
  if (!isOurs) refuse(NOT_EMPTY);
  // The table of migrations is not locked as a whole, because a starting server already holds a lock on one of its rows. The restore and
  // the server would otherwise deadlock.
  const others = (await tablesOf(client, names)).map(({ name }) => name).filter((name) => name !== '"migrations"');
  if (others.length > 0) await client.query(`LOCK TABLE ${others.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  for (const name of others) if ((await client.query(`SELECT FROM ${name} LIMIT 1`)).rowCount !== 0) refuse(NOT_EMPTY);
  const { functions, functionsOfTables } = functionsIn(known);
  const drop = async (what: string, names: readonly string[]): Promise<unknown> =>
    names.length > 0 && client.query(`DROP ${what} IF EXISTS ${names.join(', ')}`);
  await drop('FUNCTION', functions);
  await drop('TABLE', others);
  await drop('FUNCTION', functionsOfTables);
  await client.query('DELETE FROM migrations');
}

interface Contents {
  /** The row counts and checksums that were computed while reading the file. */
  readonly read: Map<string, TableChecksum>;
  /** The row counts and checksums that the end of the file states. */
  readonly recorded: Map<string, TableChecksum>;
  /** The sums of the original database that the end of the file states. Empty for a backup of an older version. */
  readonly sums: Map<string, string>;
}

async function readRows(client: pg.ClientBase, tables: readonly Table[], { line, block }: BackupReader): Promise<Contents> {
  const contents: Contents = { read: new Map(), recorded: new Map(), sums: new Map() };
  const places = tables.map(copyTargetOf);
  for (let read = await line(); read !== LAST_LINE; read = await line()) {
    if (read === null) return refuse('The backup ends in the middle');
    const head = blockIn(read);
    const tally = checksumIn(read);
    const sum = sumIn(read);
    if (head && !places.includes(head.place)) return refuse(`The backup holds another table ${head.table} than this version`);
    if (head) contents.read.set(head.table, await copyIn(client, head.place, block()));
    else if (isSequenceRestart(read)) await client.query(read);
    else if (tally) contents.recorded.set(...tally);
    else if (sum) contents.sums.set(...sum);
  }
  return contents;
}

async function verify(client: pg.ClientBase, tables: readonly Table[], { read, recorded }: Contents): Promise<void> {
  for (const table of tables) {
    const { name } = table;
    const wanted = recorded.get(name);
    const tally = createTableChecksum();
    for await (const lines of copyLinesOf(client, table)) tally.add(lines as Buffer);
    if (!wanted || !isSameChecksum(wanted, read.get(name)) || !isSameChecksum(wanted, tally.end())) refuse(DAMAGED);
  }
}

export interface Restored {
  readonly tables: number;
  readonly rows: number;
  /** The names of the migrations that are newer than the backup and were applied after it. */
  readonly applied: readonly string[];
  /** The row count of each table, and the sums of the original database, as stated at the end of the file. */
  readonly recorded: Pick<Contents, 'recorded' | 'sums'>;
}

interface Target {
  readonly client: pg.ClientBase;
  /** The folder of the migrations. Only tests set this option. */
  readonly folder?: string;
}

async function fill({ client, folder }: Target, reading: BackupReader): Promise<Restored> {
  const names = await readHead(reading);
  const known = await migrationsIn(folder);
  const isOld = ({ name }: Migration): boolean => names.includes(name);
  const unknown = names.find((name) => !known.some((migration) => migration.name === name));
  if (unknown !== undefined) refuse(`The backup is of a newer version of Feastday (${unknown}), update this one first`);
  if ((await client.query(RUNNING)).rowCount !== 0) refuse('Feastday is running on this database, end it first');
  await clear(client, known);
  for (const { sql } of known.filter(isOld)) await client.query(sql);
  const tables = await tablesOf(client, namesIn(known));
  const contents = await readRows(client, tables, reading);
  await verify(client, tables, contents);
  const applied = await apply(
    client,
    known.filter((migration) => !isOld(migration)),
  );
  await client.query(MARK_QUEUED_MAILS_UNKNOWN);
  const now = await tablesOf(client, namesIn(known));
  await client.query(`ANALYZE ${now.map(({ name }) => name).join(', ')}`);
  const rows = [...contents.recorded.values()].reduce((sum, tally) => sum + tally.rows, 0);
  return { tables: tables.length, rows, applied, recorded: contents };
}

/** Restores a backup. `source` is its uncompressed SQL. */
export async function restore(target: Target, source: AsyncIterable<Buffer>): Promise<Restored> {
  const { client } = target;
  await client.query('BEGIN');
  try {
    await client.query(PORTABLE_TEXT_SETTINGS);
    const restored = await fill(target, createBackupReader(source));
    await client.query('COMMIT');
    return restored;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (error instanceof BackupError) throw error;
    return refuse(`The restore failed (${(error as Error).message})`);
  }
}
