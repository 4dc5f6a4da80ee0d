// The script of `npm run restore-drill`. It restores the newest backup into a temporary database, and compares numbers of rows and sums
// with those of the original database.
import { join } from 'node:path';
import pg from 'pg';
import { BackupError } from './server/backup/file-format.ts';
import { newestBackup, restoreDrill } from './server/backup/restore-drill.ts';
import { argumentPath, runCommand } from './start-process.ts';

const NO_BACKUP = 'There is no backup in';
const RECORD = `UPDATE last_backup SET "drillStartedAt" = $1, "drilledAt" = $1, "drillRows" = $2, "drillError" = NULL`;

await runCommand(process.env, async ({ env, connect }) => {
  const [given] = process.argv.slice(2);
  const folder = join(env.dataDir, 'backups');
  const path = given === undefined ? await newestBackup(folder) : argumentPath(given);
  if (path === null) throw new BackupError(`${NO_BACKUP} ${folder}.`);
  const client: pg.Client = await connect();
  const { rows, sums } = await restoreDrill(client, path, new Date());
  console.log(
    `${path}: restored into a database of its own, ${rows} rows and ${sums} sums equal the original's. That database is deleted.`,
  );
  // If this record cannot be written, the command only reports the error, because the drill itself has succeeded.
  await client
    .query(RECORD, [new Date(), rows])
    .catch((error: unknown) => console.error(`The admin is not told of this drill: ${(error as Error).message}`));
});
