// Streams all data of one distributor into a file while the server runs. The data is a consistent snapshot.
import type pg from 'pg';
import type { TableChecksum } from '../backup/checksum.ts';
import { BackupError, tailOf } from '../backup/file-format.ts';
import { beginReading, blockOf, writeFileOnce, type WrittenBackup } from '../backup/write-backup.ts';
import { headOf } from './file-format.ts';
import { tenantTables } from './tenant-tables.ts';

interface Source {
  readonly client: pg.ClientBase;
  readonly now: Date;
  readonly distributorId: number;
}

const DISTRIBUTOR = `SELECT email FROM users WHERE id = $1 AND role = 'distributor'`;

async function* tenantChunks({ client, now, distributorId }: Source, tallies: Map<string, TableChecksum>): AsyncGenerator<string | Buffer> {
  const { migrations, tables } = await beginReading(client);
  const { rows } = await client.query<{ email: string }>(DISTRIBUTOR, [distributorId]);
  const [distributor] = rows;
  if (!distributor) throw new BackupError(`There is no distributor ${distributorId}: nothing was written.`);
  yield headOf({ ...distributor, migrations: migrations.map(({ name }) => name), madeAt: now });
  for (const table of await tenantTables(client, tables)) {
    yield* blockOf(client, { ...table, condition: table.rowsOf(distributorId) }, tallies);
  }
  yield tailOf(tallies).replace('COMMIT;\n', '');
  await client.query('COMMIT');
}

/** Exports the distributor. Like a backup, the file gets its final name when it is complete. */
export const exportTenant = (source: Source, path: string, signal?: AbortSignal): Promise<WrittenBackup> =>
  writeFileOnce((tallies) => tenantChunks(source, tallies), path, { now: source.now, signal, failed: 'There is no new file' });
