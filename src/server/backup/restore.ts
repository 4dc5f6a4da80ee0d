// Puts a backup into an empty database, in one transaction: all of it, checked row by row, or nothing.
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
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
} from './file-format.ts';
import { createBackupReader, type BackupReader } from './read-backup.ts';
import { functionNamesIn, copyLinesOf, namesIn, copyTargetOf, PORTABLE_TEXT_SETTINGS, tablesOf, type Table } from './tables.ts';
import { isSameChecksum, createTableChecksum, type TableChecksum } from './checksum.ts';
import { apply, MIGRATIONS_TABLE, migrationsIn, TAKE_LOCK, type Migration } from '../database/migrate.ts';

const refuse = (reason: string): never => {
  throw new BackupError(`${reason}: nothing was restored.`);
};
const DAMAGED = 'The backup is damaged';
const NOT_EMPTY = 'The database is not empty';

/** The names in the head; the reading then stands before the rows. */
async function readHead({ line }: BackupReader): Promise<string[]> {
  if ((await line()) !== FIRST_LINE) refuse('The file is no backup of Feastday that this version can read');
  let names: string[] | null = null;
  for (let read = await line(); read !== null; read = await line()) {
    names ??= migrationNamesIn(read);
    if (isRowsHead(read) && names) return names;
  }
  return refuse(DAMAGED);
}

/** A worker looks for mails every second: whoever runs has a session open. */
const RUNNING = `SELECT FROM pg_stat_activity WHERE application_name = 'feastday' AND datname = current_database() LIMIT 1`;

/** Leaves none of our tables but an empty one of the migrations. Tables that hold no row go; any row refuses. */
async function clear(client: pg.ClientBase, known: readonly Migration[]): Promise<void> {
  const names = namesIn(known);
  if ((await tablesOf(client, names)).length === 0) return void (await client.query(MIGRATIONS_TABLE));
  // Waits for one that migrates, and tells our table from a stranger's of that name.
  const isOurs = await client.query(TAKE_LOCK).then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  );
  if (!isOurs) refuse(NOT_EMPTY);
  // That table is locked by its row, as a server that starts does: more would make them wait for each other.
  const others = (await tablesOf(client, names)).map(({ name }) => name).filter((name) => name !== '"migrations"');
  if (others.length > 0) await client.query(`LOCK TABLE ${others.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  for (const name of others) if ((await client.query(`SELECT FROM ${name} LIMIT 1`)).rowCount !== 0) refuse(NOT_EMPTY);
  if (others.length > 0) await client.query(`DROP TABLE ${others.join(', ')}`);
  // Dropping the tables leaves the functions, which the migrations create again.
  const functions = functionNamesIn(known);
  if (functions.length > 0) await client.query(`DROP FUNCTION IF EXISTS ${functions.join(', ')}`);
  await client.query('DELETE FROM migrations');
}

async function copyIn(client: pg.ClientBase, place: string, block: AsyncIterable<Buffer>): Promise<TableChecksum> {
  const tally = createTableChecksum();
  const passing = async function* () {
    for await (const lines of block) {
      tally.add(lines);
      yield lines;
    }
  };
  await pipeline(passing, client.query(copyFrom(`COPY ${place} FROM STDIN`)));
  return tally.end();
}

interface Contents {
  /** Counted while they were read. */
  readonly read: Map<string, TableChecksum>;
  /** As the end of the file says. */
  readonly said: Map<string, TableChecksum>;
}

async function readRows(client: pg.ClientBase, tables: readonly Table[], { line, block }: BackupReader): Promise<Contents> {
  const contents: Contents = { read: new Map(), said: new Map() };
  const places = tables.map(copyTargetOf);
  for (let read = await line(); read !== LAST_LINE; read = await line()) {
    if (read === null) return refuse('The backup ends in the middle');
    const head = blockIn(read);
    const tally = checksumIn(read);
    if (head && !places.includes(head.place)) return refuse(`The backup holds another table ${head.table} than this version`);
    if (head) contents.read.set(head.table, await copyIn(client, head.place, block()));
    else if (isSequenceRestart(read)) await client.query(read);
    else if (tally) contents.said.set(...tally);
  }
  return contents;
}

/** Every table is read once more: what stands in the database now is what stood in the one that was backed up. */
async function verify(client: pg.ClientBase, tables: readonly Table[], { read, said }: Contents): Promise<void> {
  for (const table of tables) {
    const { name } = table;
    const wanted = said.get(name);
    const tally = createTableChecksum();
    for await (const lines of copyLinesOf(client, table)) tally.add(lines as Buffer);
    if (!wanted || !isSameChecksum(wanted, read.get(name)) || !isSameChecksum(wanted, tally.end())) refuse(DAMAGED);
  }
}

export interface Restored {
  readonly tables: number;
  readonly rows: number;
  /** What a newer version has brought to an older backup. */
  readonly applied: readonly string[];
}

interface Target {
  readonly client: pg.ClientBase;
  /** Of the migrations, when they are not the product's own. */
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
  const rows = [...contents.said.values()].reduce((sum, tally) => sum + tally.rows, 0);
  return { tables: tables.length, rows, applied };
}

/** `source` is the unpacked text. */
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
