// npm run tenant -- export ID FILE, and import FILE: moves all data of one distributor from one installation to another.
import { resolve } from 'node:path';
import { BackupError } from './server/backup/file-format.ts';
import { decompressed } from './server/backup/read-backup.ts';
import { exportTenant } from './server/tenant-move/export-tenant.ts';
import { importTenant } from './server/tenant-move/import-tenant.ts';
import { runCommand } from './start-process.ts';

const USAGE =
  'Which distributor, and which file? Examples: npm run tenant -- export 12 bethel.tenant.gz, npm run tenant -- import bethel.tenant.gz';
/** A relative path starts at the caller's folder, although npm changes to the project's folder. */
const pathOf = (file: string): string => resolve(process.env['INIT_CWD'] ?? '.', file);

await runCommand(process.env, async ({ connect, signal }) => {
  const [action, ...args] = process.argv.slice(2);
  const [id = '', file] = action === 'import' ? ['', args[0]] : args;
  if (file === undefined || !(action === 'import' || (action === 'export' && /^\d{1,9}$/.test(id)))) throw new BackupError(USAGE);
  const path = pathOf(file);
  if (action === 'export') {
    const written = await exportTenant({ client: await connect(), now: new Date(), distributorId: Number(id) }, path, signal);
    console.log(`${path}: ${written.rows} rows of ${written.tables} tables in ${written.bytes} bytes`);
    return;
  }
  const { distributorId, rows } = await importTenant(await connect(), decompressed(path));
  console.log(
    `${path}: ${rows} rows are in the database. The distributor has the id ${distributorId}; its people sign in here with their passwords.`,
  );
});
