// Starts PostgreSQL on a database folder. When PostgreSQL fails, this module reads the last lines of its log.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, makeSocketDir, readPostmaster } from './data-directory.ts';
import { accountFor, command, linkLibraries } from './native-binaries.ts';
import { demandSecret, type Launching } from './secret.ts';

export const PORT = 5432;

const MAX_LOG_BYTES = 5_000_000;

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: 100,
  shared_buffers: '128MB',
  random_page_cost: 1.1,
  io_method: 'sync',
  synchronous_commit: 'on',
  max_wal_size: '256MB',
  max_logical_replication_workers: 0,
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export interface ServerFiles {
  folder: string;
  native: string;
  fsync: boolean;
}

async function openLog(path: string): Promise<number> {
  const log = openSync(path, 'a', 0o600);
  if ((await stat(path)).size > MAX_LOG_BYTES) await truncate(path);
  return log;
}

async function launchServer({ folder, native, fsync, env, log }: Launching): Promise<ChildProcess> {
  const account = await accountFor(folder);
  const socketDir = await makeSocketDir(folder, account);
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: socketDir, fsync: fsync ? 'on' : 'off' });
  const args = ['-D', folder, '-p', String(PORT), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const { file, args: rest, options } = command(join(native, 'bin/postgres'), args, account);
  const child = spawn(file, rest, { ...options, env: { ...options.env, ...env }, detached: true, stdio: ['ignore', log, log] });
  await once(child, 'spawn');
  child.unref();
  return child;
}

/**
 * Starts the server and returns its process. If preparing the start failed, the returned process has already ended. The process is
 * detached, so that Ctrl-C does not end the server directly: the application stops it after the running requests.
 */
export async function launch({ folder, native, fsync }: ServerFiles): Promise<ChildProcess> {
  await linkLibraries(native);
  await chmod(folder, 0o700);
  const last = await readPostmaster(folder);
  // After a crash, another program may have the pid of the crashed server. PostgreSQL would mistake that program for a running server,
  // unless PG_GRANDPARENT_PID contains this pid.
  const env = last && !(await isAlive(last, folder)) ? { PG_GRANDPARENT_PID: String(last.pid) } : {};
  const log = await openLog(join(folder, 'postgres.log'));
  const launching = { folder, native, fsync, env, log };
  try {
    return (await demandSecret(launching)) ?? (await launchServer(launching));
  } finally {
    closeSync(log);
  }
}

export async function lastLogLines(folder: string): Promise<string> {
  const lines = (await readFile(join(folder, 'postgres.log'), 'utf8').catch(() => '')).trim().split('\n');
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '';
}
