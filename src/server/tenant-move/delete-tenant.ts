// Deletes all data of a distributor that has moved, in small batches, so that other users can work during the deletion. Every deleted row
// must be contained in the export file.
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { BackupError } from '../backup/file-format.ts';
import { namesIn, tablesOf } from '../backup/tables.ts';
import { migrationsIn } from '../database/migrate.ts';
import { deleteMailFiles } from '../mail/mail-files.ts';
import { isOpen } from './close-tenant.ts';
import { stagedTableName, stageTenant, TenantFileError } from './staged-tenant.ts';
import { tenantTables, WITHOUT_TENANT, type TenantTable } from './tenant-tables.ts';
import { withIndexesOn } from './temporary-indexes.ts';

const refuse = (reason: string): never => {
  throw new BackupError(`${reason}: nothing was deleted.`);
};

const BATCH = 500;

/**
 * These columns may differ from the export, because they change without an action of the distributor's people. The cleanup deletes the
 * content of old mails, and failed sign-ins of strangers are counted.
 */
const CHANGING: Readonly<Record<string, readonly string[]>> = {
  '"emails"': ['"html"', '"status"', '"response"', '"sentAt"', '"success"', '"attempts"', '"nextAttemptAt"', '"leasedUntil"'],
  '"users"': ['"loginAttempts"', '"lockedUntil"', '"lastFailureAt"'],
};

interface Deletion {
  readonly client: pg.ClientBase;
  readonly distributorId: number;
  /** The uncompressed content of the export file. */
  readonly source: AsyncIterable<Buffer>;
  /** The folder of the mails that were written to files because there is no SMTP server. */
  readonly mailFolder: string;
  readonly signal?: AbortSignal;
}

/**
 * Throws when a row is missing from the export file, or differs from the row in the file. The file may contain rows that an earlier run has
 * already deleted.
 */
async function refuseUnsaved({ client, distributorId, source }: Deletion): Promise<void> {
  const tables = await stageTenant(client, source);
  const { rowCount } = await client.query(`SELECT FROM "staged_users" WHERE id = $1 AND role = 'distributor'`, [distributorId]);
  if (rowCount === 0) refuse(`The file is not of the distributor ${distributorId}`);
  for (const table of tables) {
    const columns = table.columns.filter((column) => !CHANGING[table.name]?.includes(column)).join(', ');
    const own = `SELECT ROW(${columns})::text FROM ${table.name} WHERE ${table.rowsOf(distributorId)}`;
    const text = `SELECT count(*)::int AS missing FROM (${own} EXCEPT SELECT ROW(${columns})::text FROM ${stagedTableName(table)}) unsaved`;
    const { rows } = await client.query<{ missing: number }>(text);
    const missing = rows[0]?.missing ?? 0;
    if (missing > 0)
      refuse(`${missing} of the rows in ${table.name} are not in the file, because they were written after the export. Export again`);
  }
}

async function assertDeletable(deletion: Deletion): Promise<void> {
  const { client, distributorId } = deletion;
  if ((await client.query(`SELECT FROM users WHERE id = $1 AND role = 'distributor'`, [distributorId])).rowCount === 0)
    refuse(`There is no distributor ${distributorId}`);
  if (await isOpen(client, distributorId))
    refuse(`People of the distributor can still sign in. Shut them out with: npm run tenant -- close ${distributorId}`);
  await client.query('BEGIN');
  try {
    await refuseUnsaved(deletion);
  } catch (error) {
    if (error instanceof TenantFileError) refuse(error.message);
    throw error;
  } finally {
    // The rollback drops the temporary tables.
    await client.query('ROLLBACK');
  }
}

const keysOf = ({ key }: TenantTable): string[] => key.map((column) => column.replace(/ COLLATE .*/, ''));

/**
 * Lists the keys of the rows to delete, in batches. The newest rows are deleted first: newer rows reference older ones, and a row must be
 * deleted before the rows that it references.
 */
async function listKeys(client: pg.ClientBase, table: TenantTable, distributorId: number): Promise<number> {
  const keys = keysOf(table);
  const order = [...(table.name === '"users"' ? ['"distributorId" IS NULL'] : []), ...keys.map((key) => `${key} DESC`)].join(', ');
  await client.query('DROP TABLE IF EXISTS doomed');
  await client.query(
    `CREATE TEMP TABLE doomed AS SELECT ((row_number() OVER (ORDER BY ${order}) - 1) / ${BATCH})::int AS batch, ${keys.join(', ')}
      FROM ${table.name} WHERE ${table.rowsOf(distributorId)}`,
  );
  await client.query('CREATE INDEX ON doomed (batch)');
  await client.query('ANALYZE doomed');
  const { rows } = await client.query<{ batches: number }>('SELECT coalesce(max(batch) + 1, 0) AS batches FROM doomed');
  return rows[0]?.batches ?? 0;
}

async function deleteBatch(client: pg.ClientBase, text: string, { distributorId, batch }: { distributorId: number; batch: number }) {
  await client.query('BEGIN');
  try {
    // With this setting, the trigger of the table tills allows the deletion of this distributor's tills.
    await client.query(`SELECT set_config('feastday.deleted_distributor', $1, true)`, [String(distributorId)]);
    const { rowCount } = await client.query(text, [batch]);
    await client.query('COMMIT');
    return rowCount ?? 0;
  } catch (error) {
    // ROLLBACK fails when the connection was lost. Its error is ignored, because the first error shows the cause.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Deletes the listed rows. Pauses after each batch twice as long as the batch took, so that the deletion uses at most a third of one
 * processor.
 */
async function deleteListed({ client, distributorId, signal }: Deletion, table: TenantTable, batches: number): Promise<number> {
  const isListed = keysOf(table)
    .map((key) => `t.${key} = doomed.${key}`)
    .join(' AND ');
  const text = `DELETE FROM ${table.name} t USING doomed WHERE doomed.batch = $1 AND ${isListed}`;
  let deleted = 0;
  for (let batch = 0; batch < batches; batch++) {
    const began = performance.now();
    deleted += await deleteBatch(client, text, { distributorId, batch });
    await pause(2 * (performance.now() - began), undefined, { ...(signal && { signal }) });
  }
  return deleted;
}

const mailIds = async (client: pg.ClientBase): Promise<number[]> =>
  (await client.query<{ id: number }>('SELECT id FROM doomed')).rows.map(({ id }) => id);

/**
 * Deletes the distributor, and returns the number of deleted rows. If the deletion was interrupted, call this function again with the same
 * file.
 */
export async function deleteTenant(deletion: Deletion): Promise<{ rows: number }> {
  const { client, distributorId, mailFolder } = deletion;
  await assertDeletable(deletion);
  await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
  const tables = await tenantTables(client, await tablesOf(client, namesIn(await migrationsIn())), WITHOUT_TENANT);
  let rows = 0;
  for (const table of tables.toReversed()) {
    const batches = await listKeys(client, table, distributorId);
    if (batches === 0) continue;
    const files = table.name === '"emails"' ? await mailIds(client) : [];
    rows += await withIndexesOn(client, table.name, () => deleteListed(deletion, table, batches));
    await deleteMailFiles(mailFolder, files);
  }
  return { rows };
}
