// Sets the password of the embedded PostgreSQL. It is a random secret in a file beside the database folder, and pg_hba.conf requires it.
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServerFiles } from './launch.ts';
import { accountFor, command, ignore, NOBODY, type Account } from './native-binaries.ts';

export const USER = 'feastday';

/**
 * The secret file is outside of the database folder, because that folder may belong to the server's account, and this account must not read
 * the secret.
 */
export const secretFileOf = (folder: string): string => `${folder}.password`;

async function findSecret(file: string): Promise<string | null> {
  const found = await stat(file).catch(ignore('ENOENT'));
  if (found === null) return null;
  if ((found.mode & 0o077) !== 0) await chmod(file, 0o600);
  const secret = await readFile(file, 'utf8');
  if (!/^[\w-]{43}$/.test(secret)) throw new Error(`${file} does not hold the password of the embedded PostgreSQL: remove the file`);
  return secret;
}

/**
 * Returns the secret of the database in `folder`. The first process creates the file atomically, so that no process reads a partial secret.
 */
export async function ensureSecret(folder: string): Promise<string> {
  const file = secretFileOf(folder);
  const found = await findSecret(file);
  if (found !== null) return found;
  const draft = `${folder}.init-${process.pid}-${randomBytes(3).toString('hex')}`;
  try {
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
    // The file is given to the owner of the parent folder. If root has used the DATA_DIR of an ordinary user, that user can therefore still
    // start the server.
    const { uid, gid } = await stat(dirname(folder));
    if (process.getuid?.() === 0) await chown(draft, uid, gid);
    await link(draft, file).catch(ignore('EEXIST'));
  } finally {
    await rm(draft, { force: true });
  }
  return await ensureSecret(folder);
}

/**
 * The content of pg_hba.conf. It includes a hash of the password, from which the next start knows that the database has this password. The
 * hash does not reveal the 256 random bits of the password.
 */
const hbaFor = (secret: string): string => `# Feastday writes this file: changes are lost at the next start of the server.
# password ${createHash('sha256').update(secret).digest('hex')}
local all all scram-sha-256
`;

export interface Launching extends ServerFiles {
  readonly env: Record<string, string>;
  /** The file descriptor of the server's log. */
  readonly log: number;
}

/**
 * Sets the password in PostgreSQL's single-user mode. In that mode PostgreSQL does not listen, and its lock on the folder prevents a server
 * or a second single-user process.
 */
async function setPassword(secret: string, account: Account, { folder, native, fsync, env, log }: Launching): Promise<ChildProcess> {
  // By default, PostgreSQL would write a failing statement with the password to the log, and its exit status would not show the failure.
  const settings = ['exit_on_error=on', 'log_min_error_statement=panic', 'log_error_verbosity=terse', `fsync=${fsync ? 'on' : 'off'}`];
  const args = ['--single', '-D', folder, ...settings.flatMap((setting) => ['-c', setting]), 'postgres'];
  const { file, args: rest, options } = command(join(native, 'bin/postgres'), args, account);
  const child = spawn(file, rest, { ...options, env: { ...options.env, ...env }, detached: true, stdio: ['pipe', 'ignore', log] });
  // The process may end before it has read its input. The resulting error is ignored.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(`ALTER ROLE ${USER} PASSWORD '${secret}'\n`);
  await once(child, 'exit');
  return child;
}

async function replaceFile(path: string, text: string, { uid, gid }: Account): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  if (uid !== undefined && gid !== undefined) await chown(draft, uid, gid);
  await rename(draft, path);
}

/**
 * Makes the database require the password of the secret file. A new folder, a folder of a version that trusted every local process, and a
 * folder that was copied without its secret do not require it yet. Call this before the server listens. Returns null if the database now
 * requires the password. If another process has started the server or is setting the password, this function's PostgreSQL process fails,
 * and the function returns that failed process.
 */
export async function demandSecret(launching: Launching): Promise<ChildProcess | null> {
  const secret = await ensureSecret(launching.folder);
  const hba = join(launching.folder, 'pg_hba.conf');
  // The owner is read before the file. When another process sets the password, it writes the file and then gives the folder to the server's
  // account. If the file is still the old one here, the owner that was read is therefore the original one.
  const owner = await stat(launching.folder);
  if ((await readFile(hba, 'utf8').catch(() => '')) === hbaFor(secret)) return null;
  const account = await accountFor(launching.folder, NOBODY, owner);
  const child = await setPassword(secret, account, launching);
  if (child.exitCode !== 0) return child;
  // Replacing this file is the last step. If the process is killed before, the next start sets the password again.
  await replaceFile(hba, hbaFor(secret), account);
  return null;
}
