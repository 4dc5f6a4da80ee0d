// Loads the file of a distributor into temporary tables of the running transaction, and compares each table with its checksum.
import type pg from 'pg';
import { isSameChecksum, type TableChecksum } from '../backup/checksum.ts';
import { blockIn, checksumIn, LAST_LINE, migrationNamesIn } from '../backup/file-format.ts';
import { createBackupReader, type BackupReader } from '../backup/read-backup.ts';
import { copyIn, copyTargetOf, namesIn, PORTABLE_TEXT_SETTINGS, tablesOf } from '../backup/tables.ts';
import { appliedOn, migrationsIn } from '../database/migrate.ts';
import { FIRST_LINE } from './file-format.ts';
import { tenantTables, type TenantTable } from './tenant-tables.ts';

/** An error whose message says why the file cannot be used. The caller adds which action it did not do for this reason. */
export class TenantFileError extends Error {
  override name = 'TenantFileError';
}
const refuse = (reason: string): never => {
  throw new TenantFileError(reason);
};
export const DAMAGED = 'The file is damaged';
const CUT_OFF = 'The file ends in the middle';

export const unquoted = (name: string): string => name.slice(1, -1);
/** Returns the name of the temporary table that contains the file's rows of a table. */
export const stagedTableName = ({ name }: Pick<TenantTable, 'name'>): string => `"staged_${unquoted(name)}"`;

async function readHead({ line }: BackupReader, applied: readonly string[]): Promise<void> {
  if ((await line()) !== FIRST_LINE) refuse('The file is no distributor of Feastday that this version can read');
  for (let read = await line(); read !== null && read !== ''; read = await line()) {
    const names = migrationNamesIn(read);
    if (names === null) continue;
    if (names.join() === applied.join()) return;
    refuse('The file is of another version of Feastday, bring both installations to the same version first');
  }
  refuse(DAMAGED);
}

async function stageRows(client: pg.ClientBase, tables: readonly TenantTable[], { line, block }: BackupReader): Promise<void> {
  const read = new Map<string, TableChecksum>();
  const recorded = new Map<string, TableChecksum>();
  for (const table of tables) {
    const columns = table.columns.join(', ');
    await client.query(`CREATE TEMP TABLE ${stagedTableName(table)} ON COMMIT DROP AS SELECT ${columns} FROM ${table.name} WITH NO DATA`);
  }
  for (let text = await line(); text !== LAST_LINE; text = await line()) {
    if (text === null) return refuse(CUT_OFF);
    const head = blockIn(text);
    const tally = checksumIn(text);
    if (tally) recorded.set(...tally);
    if (!head) continue;
    const table =
      tables.find((one) => copyTargetOf(one) === head.place) ?? refuse(`The file holds another table ${head.table} than this version`);
    read.set(table.name, await copyIn(client, `${stagedTableName(table)} (${table.columns.join(', ')})`, block()));
  }
  for (const { name } of tables) {
    const [found, wanted] = [read.get(name), recorded.get(name)];
    if (!found || !isSameChecksum(found, wanted)) refuse(DAMAGED);
  }
}

/** Loads the file and returns the tables whose rows it contains. `source` is the uncompressed content of the file. */
export async function stageTenant(client: pg.ClientBase, source: AsyncIterable<Buffer>): Promise<TenantTable[]> {
  await client.query(PORTABLE_TEXT_SETTINGS);
  const reader = createBackupReader(source);
  await readHead(reader, await appliedOn(client));
  const tables = await tenantTables(client, await tablesOf(client, namesIn(await migrationsIn())));
  await stageRows(client, tables, reader);
  return tables;
}
