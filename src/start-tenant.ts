// The script of `npm run tenant -- close ID`, `export ID FILE`, `import FILE` and `delete ID FILE`. These four commands together move all
// data of one distributor from one installation to another (docs/operations.md).
import { join } from 'node:path';
import { BackupError } from './server/backup/file-format.ts';
import { decompressed } from './server/backup/read-backup.ts';
import { closeTenant, isOpen } from './server/tenant-move/close-tenant.ts';
import { deleteTenant } from './server/tenant-move/delete-tenant.ts';
import { exportTenant } from './server/tenant-move/export-tenant.ts';
import { importTenant } from './server/tenant-move/import-tenant.ts';
import { argumentPath, runCommand, type CommandContext } from './start-process.ts';

const USAGE =
  'Which distributor, and which file? Examples: npm run tenant -- close 12, npm run tenant -- export 12 bethel.tenant.gz, npm run tenant -- import bethel.tenant.gz, npm run tenant -- delete 12 bethel.tenant.gz';

interface Options {
  readonly distributorId: number;
  readonly path: string;
}
type Action = (context: CommandContext, options: Options) => Promise<string>;

const OPEN_STILL = 'Its people can still sign in: what they write from now on is not in the file. Before a move: npm run tenant -- close';

const ACTIONS: Readonly<Record<string, Action>> = {
  async close({ connect }, { distributorId }) {
    const { people } = await closeTenant(await connect(), { distributorId, now: new Date() });
    return `The distributor ${distributorId} and ${people} of its people can no longer sign in. An admin who enables the distributor lets them in again.`;
  },
  async export({ connect, signal }, { distributorId, path }) {
    const client = await connect();
    const { rows, tables, bytes } = await exportTenant({ client, now: new Date(), distributorId }, path, signal);
    const warning = (await isOpen(client, distributorId)) ? `\n${OPEN_STILL} ${distributorId}` : '';
    return `${path}: ${rows} rows of ${tables} tables in ${bytes} bytes${warning}`;
  },
  async import({ connect }, { path }) {
    const client = await connect();
    const { distributorId, rows } = await importTenant(client, decompressed(path));
    const from = (await isOpen(client, distributorId)) ? 'from now on' : 'once an admin has enabled it';
    return `${path}: ${rows} rows are in the database. The distributor has the id ${distributorId}; ${from}, its people sign in here with their passwords.`;
  },
  async delete({ connect, env, signal }, { distributorId, path }) {
    const client = await connect();
    const mailFolder = join(env.dataDir, 'mail');
    const { rows } = await deleteTenant({ client, distributorId, source: decompressed(path), mailFolder, signal });
    return `The distributor ${distributorId} is deleted here: ${rows} rows, each of them in ${path} except sessions and second factors.`;
  },
};

const isId = (text: string): boolean => /^\d{1,9}$/.test(text);

await runCommand(process.env, async (context) => {
  const [name = '', ...args] = process.argv.slice(2);
  const [id = '0', file = ''] = name === 'import' ? [undefined, args[0]] : args;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const isWhole = isId(id) && (name === 'import' || args[0] !== undefined) && (name === 'close' || file !== '');
  if (!action || !isWhole) throw new BackupError(USAGE);
  console.log(await action(context, { distributorId: Number(id), path: argumentPath(file) }));
});
