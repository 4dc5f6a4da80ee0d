// The script of `npm run backup`. It writes the whole database into one file while the application runs.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './server/backup/file-format.ts';
import { recordManualBackup } from './server/backup/manual-backup-record.ts';
import { backupNameAt, writeBackup } from './server/backup/write-backup.ts';
import type { Env } from './server/operations/env.ts';
import { argumentPath, runCommand } from './start-process.ts';

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function backupPathFor({ dataDir }: Env, requestedPath: string | undefined, now: Date): Promise<string> {
  if (requestedPath === undefined) return join(dataDir, 'backups', backupNameAt(now));
  const path = argumentPath(requestedPath);
  return (await isFolder(path)) ? join(path, backupNameAt(now)) : path;
}

await runCommand(process.env, async ({ env, connect, signal }) => {
  const isThere = env.databaseUrl !== null || (await isFolder(join(env.dataDir, 'postgres')));
  if (!isThere) throw new BackupError(`There is no database in ${env.dataDir}: set DATA_DIR or DATABASE_URL to the one to back up.`);
  const now = new Date();
  const path = await backupPathFor(env, process.argv[2], now);
  const client = await connect();
  const written = await writeBackup({ client, now }, path, signal);
  console.log(`${written.path}: ${written.rows} rows of ${written.tables} tables in ${written.bytes} bytes`);
  // If this record cannot be written, the command only reports the error, because the backup file already exists.
  await recordManualBackup(client, { finishedAt: new Date(), bytes: written.bytes, folder: join(env.dataDir, 'backups') }).catch(
    (error: unknown) => console.error(`The admin is not told of this backup: ${(error as Error).message}`),
  );
});
