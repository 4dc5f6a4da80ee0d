// The script of `npm run restore -- FILE`. It restores a backup into an empty database.
import { BackupError } from './server/backup/file-format.ts';
import { decompressed } from './server/backup/read-backup.ts';
import { restore } from './server/backup/restore.ts';
import { argumentPath, runCommand } from './start-process.ts';

await runCommand(process.env, async ({ connect }) => {
  const [file] = process.argv.slice(2);
  if (file === undefined)
    throw new BackupError('Which backup? Example: npm run restore -- data/backups/feastday-2027-04-01T120000Z.sql.gz');
  const path = argumentPath(file);
  const { rows, tables, applied } = await restore({ client: await connect() }, decompressed(path));
  console.log(`${path}: ${rows} rows of ${tables} tables are in the database, each checked. Everybody signs in again.`);
  if (applied.length > 0) console.log(`Brought to this version by ${applied.join(', ')}.`);
});
