// npm run restore -- FILE: a backup into an empty database.
import { resolve } from 'node:path';
import { BackupRefused } from './server/backup/file-format.ts';
import { unpacked } from './server/backup/read-backup.ts';
import { restore } from './server/backup/restore.ts';
import { runOnce } from './start-process.ts';

await runOnce(process.env, async ({ connect }) => {
  const [file] = process.argv.slice(2);
  if (file === undefined)
    throw new BackupRefused('Which backup? Example: npm run restore -- data/backups/feastday-2027-04-01T120000Z.sql.gz');
  const path = resolve(process.env['INIT_CWD'] ?? '.', file);
  const { rows, tables, applied } = await restore({ client: await connect() }, unpacked(path));
  console.log(`${path}: ${rows} rows of ${tables} tables are in the database, each checked. Everybody signs in again.`);
  if (applied.length > 0) console.log(`Brought to this version by ${applied.join(', ')}.`);
});
