// Creates the database folder and its socket folder, and finds out whether a server runs on the database folder.
import { createHash, randomBytes } from 'node:crypto';
import { chown, lstat, mkdir, open, readdir, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ignore, initdb, type Account } from './native-binaries.ts';
import { MINUTE } from '../../../domain/durations.ts';

const MAX_INIT_MS = 10 * MINUTE;
/**
 * The maximum length of the path of the socket folder. PostgreSQL adds 14 bytes to it, and the path of a socket is limited to 107 bytes
 * (103 on macOS).
 */
const MAX_SOCKET_FOLDER_LENGTH = 85;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isYoung = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs < MAX_INIT_MS,
    () => false,
  );

async function removeAbandoned(folder: string): Promise<void> {
  const start = `${basename(folder)}.init-`;
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(start)) continue;
    const path = join(dirname(folder), name);
    const abandoned = !isRunning(Number.parseInt(name.slice(start.length), 10)) || !(await isYoung(path));
    if (abandoned) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Creates the database folder if it is missing, and returns its real path. The files are first created in a folder with another name, which
 * is then renamed in one step. Therefore only one of several processes succeeds, and a killed process leaves no incomplete database folder.
 */
export async function ensureFolder(dataDir: string, native: string, fsync: boolean): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const folder = await realpath(dataDir);
  const isMade = async (): Promise<boolean> => (await stat(join(folder, 'PG_VERSION')).catch(ignore('ENOENT'))) !== null;
  if (await isMade()) return folder;
  await removeAbandoned(folder);
  const beside = `${folder}.init-${process.pid}-${randomBytes(3).toString('hex')}`;
  await mkdir(beside);
  try {
    await initdb(native, beside, fsync);
    await rename(beside, folder);
    if (fsync) await syncFolder(dirname(folder));
  } catch (error) {
    if (await isMade()) return folder;
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    throw new Error(`${folder} holds files but no database: give DATA_DIR a folder of its own`, { cause: error });
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
  return folder;
}

/** The content of the pid file that a PostgreSQL server writes into its database folder. */
export interface Postmaster {
  pid: number;
  /** The folder in which the server was started. It differs from the folder of this pid file if that folder was copied or moved. */
  home: string;
  socketDir: string;
  status: string;
}

/** Returns the content of the pid file in `folder`, or null. The server that wrote the file may have ended. */
export async function readPostmaster(folder: string): Promise<Postmaster | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid = '', home, , , socketDir = '', , , status = ''] = text.split('\n').map((line) => line.trim());
  // In single-user mode, PostgreSQL writes its pid with a minus sign and has no socket.
  const isSingle = pid.startsWith('-');
  return pid && home && (socketDir || isSingle)
    ? { pid: Math.abs(Number(pid)), home, socketDir, status: isSingle ? 'single' : status }
    : null;
}

/**
 * Whether the server that wrote the pid file still runs. The working directory of a running server is its database folder. After a crash, a
 * zombie process or another program with the same pid therefore does not count as the server.
 */
export async function isAlive({ pid }: Postmaster, folder: string): Promise<boolean> {
  if (!isRunning(pid)) return false;
  if (process.platform !== 'linux') return true;
  return readlink(`/proc/${pid}/cwd`).then(
    (cwd) => cwd === folder,
    (error: NodeJS.ErrnoException) => error.code === 'EACCES',
  );
}

/**
 * Returns true if only this application can create a socket in the folder: the folder belongs to this process's user or to the database's
 * owner, and is closed to others. Returns false when the folder is missing, and throws when others may use the folder.
 */
export async function ensurePrivate(socketDir: string, folder: string): Promise<boolean> {
  const found = await lstat(socketDir).catch(() => null);
  if (!found) return false;
  const owners = [process.getuid?.(), (await stat(folder)).uid];
  const isPrivate = found.isDirectory() && (found.mode & 0o077) === 0 && owners.includes(found.uid);
  if (!isPrivate) throw new Error(`${socketDir}, where the socket of ${folder} belongs, is open to others: end the server, remove it`);
  return true;
}

/**
 * Creates the folder of the socket. The folder's name is a hash that includes the system identifier of the database. Nobody can guess this
 * identifier, and it distinguishes a new database from an earlier one in the same database folder.
 */
export async function makeSocketDir(folder: string, account: Account): Promise<string> {
  const identity = (await readFile(join(folder, 'global/pg_control'))).subarray(0, 8);
  const name = `feastday-${createHash('sha256')
    .update(folder)
    .update(identity)
    .update(String(account.uid ?? ''))
    .digest('hex')
    .slice(0, 16)}`;
  const wanted = join(tmpdir(), name);
  const socketDir = Buffer.byteLength(wanted) > MAX_SOCKET_FOLDER_LENGTH ? join('/tmp', name) : wanted;
  // The last process that used the previous server may be removing this folder at the same time, so the folder may have to be created
  // again.
  do await mkdir(socketDir, { mode: 0o700 }).catch(ignore('EEXIST'));
  while (!(await ensurePrivate(socketDir, folder)));
  if (account.uid !== undefined && account.gid !== undefined) await chown(socketDir, account.uid, account.gid).catch(ignore('ENOENT'));
  return socketDir;
}
