// Streams all data of one distributor into a file while the server runs. The data is a consistent snapshot.
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { createTableChecksum, type TableChecksum } from '../backup/checksum.ts';
import { BackupError, BLOCK_END, blockHead, tailOf } from '../backup/file-format.ts';
import { copyTargetOf } from '../backup/tables.ts';
import { beginReading, writeFileOnce, type WrittenBackup } from '../backup/write-backup.ts';
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
    const tally = createTableChecksum();
    yield blockHead(copyTargetOf(table));
    const text = `SELECT ${table.columns.join(', ')} FROM ${table.name} WHERE ${table.rowsOf(distributorId)} ORDER BY ${table.key.join(', ')}`;
    for await (const chunk of client.query(copyTo(`COPY (${text}) TO STDOUT`))) {
      tally.add(chunk as Buffer);
      yield chunk as Buffer;
    }
    tallies.set(table.name, tally.end());
    yield BLOCK_END;
  }
  yield tailOf(tallies).replace('COMMIT;\n', '');
  await client.query('COMMIT');
}

/** Exports the distributor. Like a backup, the file gets its final name when it is complete. */
export const exportTenant = (source: Source, path: string, signal?: AbortSignal): Promise<WrittenBackup> =>
  writeFileOnce((tallies) => tenantChunks(source, tallies), path, { now: source.now, signal, failed: 'There is no new file' });
