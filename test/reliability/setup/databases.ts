// Provides the two kinds of databases for reliability tests: the application's embedded one in DATA_DIR, and a separate PostgreSQL in
// DATABASE_URL. Each database has a temporary folder, writes every commit to disk, and can be killed.
import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { ensureFolder, readPostmaster } from '../../../src/server/database/embedded/data-directory.ts';
import { PORT } from '../../../src/server/database/embedded/launch.ts';
import { accountFor, command, findNative, linkLibraries, NOBODY } from '../../../src/server/database/embedded/native-binaries.ts';
import { ensureSecret } from '../../../src/server/database/embedded/secret.ts';
import { killServer, postmasterOf, postmastersOn, serverProcesses } from '../../embedded-postgres/processes.ts';
import { onCleanup } from './cleanups.ts';
import type { Database } from '../reliability-test.ts';
import { freePort } from '../../../bench/environment/free-port.ts';

export interface TestDatabase {
  readonly on: Database;
  /** The environment variables with which servers and workers use the database. */
  readonly env: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly folder: string;
  /** Returns the settings for connections with which a test inspects the database. */
  readonly connection: () => Promise<pg.PoolConfig>;
  /**
   * Starts the separate database server. For the embedded database, it does nothing, because the application starts the embedded server.
   */
  readonly start: () => Promise<void>;
  readonly processes: () => number[];
  /** Kills the database server and all its processes with kill -9. */
  readonly kill: () => void;
  readonly close: () => Promise<void>;
}

const DEBIAN = '/usr/lib/postgresql';

/**
 * Returns the folder with the programs of the newest PostgreSQL from the system's packages. If there is none, it returns the folder of the
 * application's own PostgreSQL.
 */
export async function programs(): Promise<string> {
  const versions = ((): string[] => {
    try {
      return readdirSync(DEBIAN);
    } catch {
      return [];
    }
  })();
  const newest = versions
    .map(Number)
    .filter(Number.isFinite)
    .toSorted((a, b) => b - a)[0];
  if (newest !== undefined) return join(DEBIAN, String(newest), 'bin');
  await linkLibraries(findNative());
  return join(findNative(), 'bin');
}

/** Creates a temporary folder for a test. Returns the folder and a function that removes it. */
export async function openFolder(name: string, under = tmpdir()): Promise<{ root: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(join(under, name));
  return { root, remove: onCleanup(() => rm(root, { recursive: true, force: true })) };
}

export async function initialise(bin: string, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await chmod(folder, 0o700);
  const args = ['-D', folder, '-U', 'feastday', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-instructions'];
  const initdb = command(join(bin, 'initdb'), args, await accountFor(folder, NOBODY));
  await promisify(execFile)(initdb.file, initdb.args, initdb.options);
}

const answers = (connection: pg.PoolConfig): Promise<boolean> => {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  client.on('error', () => undefined);
  return client
    .connect()
    .then(() => client.query("SELECT 1 FROM pg_database WHERE datname = 'feastday'"))
    .then(async ({ rowCount }) => void (rowCount === 0 && (await client.query('CREATE DATABASE feastday'))))
    .then(
      () => true,
      () => false,
    )
    .finally(() => void client.end().catch(() => undefined));
};

const MAX_START_MS = 60_000;

export async function ended(folder: string): Promise<void> {
  for (const pid of postmastersOn(folder)) process.kill(pid, 'SIGINT');
  for (let tries = 0; tries < 500 && postmastersOn(folder).length > 0; tries++) await pause(20);
  if (postmastersOn(folder).length > 0) killServer(folder);
}

async function embedded(root: string): Promise<TestDatabase> {
  const dataDir = join(root, 'data');
  const folder = await ensureFolder(join(dataDir, 'postgres'), findNative(), true);
  const connection = async (): Promise<pg.PoolConfig> => {
    const host = (await readPostmaster(folder))?.socketDir;
    if (host === undefined) throw new Error('the embedded PostgreSQL does not run');
    return { host, port: PORT, user: 'feastday', password: await ensureSecret(folder), database: 'feastday' };
  };
  const close = async (): Promise<void> => {
    const server = await readPostmaster(folder);
    await ended(folder);
    if (server) await rm(server.socketDir, { recursive: true, force: true });
  };
  const place = { on: 'embedded' as const, env: { DATA_DIR: dataDir }, dataDir, folder };
  return { ...place, connection, start: async () => undefined, close, ...processesOn(folder) };
}

const processesOn = (folder: string) => ({ processes: () => serverProcesses(folder), kill: () => killServer(folder) });

/** Returns options with which a PostgreSQL server listens only on the loopback address and on this port. */
export const listening = (port: number): string[] =>
  ['-p', String(port)].concat(['listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((setting) => ['-c', setting]));

interface Launching {
  readonly bin: string;
  readonly folder: string;
  readonly args: readonly string[];
}

/** Starts a PostgreSQL server and waits until `isThere` returns true. The server writes its log beside its folder. */
export async function launchServer({ bin, folder, args }: Launching, isThere: () => Promise<boolean>): Promise<void> {
  const postgres = command(join(bin, 'postgres'), ['-D', folder, ...args], await accountFor(folder, NOBODY));
  onCleanup(() => ended(folder));
  const log = openSync(`${folder}.log`, 'a');
  const child = spawn(postgres.file, postgres.args, { ...postgres.options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.unref();
  for (const until = Date.now() + MAX_START_MS; !(await isThere()); await pause(20)) {
    const said = Date.now() > until || child.exitCode !== null;
    if (said) throw new Error((await readFile(`${folder}.log`, 'utf8')).trim().split('\n').at(-1));
  }
}

async function given(root: string): Promise<TestDatabase> {
  const [dataDir, folder, bin, port] = [join(root, 'data'), join(root, 'given'), await programs(), await freePort()];
  await initialise(bin, folder);
  const connection = { host: '127.0.0.1', port, user: 'feastday', database: 'feastday' };
  const args = listening(port);
  const start = async (): Promise<void> => {
    if (postmastersOn(folder).length > 0) return;
    await launchServer({ bin, folder, args }, () => answers(connection));
  };
  await start();
  const env = { DATA_DIR: dataDir, DATABASE_URL: `postgres://feastday@127.0.0.1:${port}/feastday` };
  const place = { on: 'given' as const, env, dataDir, folder };
  return { ...place, connection: async () => connection, start, close: () => ended(folder), ...processesOn(folder) };
}

/** Creates a new, empty database in a temporary folder. `under` is the parent folder, which may be on another disk. */
export async function openTestDatabase(on: Database, under = tmpdir()): Promise<TestDatabase> {
  const { root, remove } = await openFolder('feastday-proof-', under);
  const place = await (on === 'embedded' ? embedded(root) : given(root));
  const end = onCleanup(place.close);
  return { ...place, close: () => end().then(remove) };
}

export const isRunning = ({ folder }: TestDatabase): boolean => postmasterOf(folder) !== null && postmastersOn(folder).length > 0;
