// The embedded PostgreSQL: the first process that needs it starts it, others connect to it, and the last one stops it. Every process holds
// a shared advisory lock in the server; when it ends, it releases the lock and tries to get it exclusively: if that succeeds, it is the
// last process. The server releases the lock of a killed process at once, so no stale entries remain and reused pids cause no confusion.
import type { ChildProcess } from 'node:child_process';
import { rmdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ensureFolder, ensurePrivate, isAlive, readPostmaster, type Postmaster } from './data-directory.ts';
import { lastLogLines, launch, PORT, type ServerFiles } from './launch.ts';
import { cannotRunError, findNative } from './native-binaries.ts';
import { ensureSecret, secretFileOf, USER } from './secret.ts';

const DATABASE = 'feastday';
const PRESENCE = 1;
/** After kill -9, the shared memory of the old server may be in use for one or two seconds more. */
const REFUSED_FOR_MS = 8_000;
/** Crash recovery may take long on a slow disk. */
const LONGEST_START_MS = 120_000;
const LONGEST_STOP_MS = 5_000;
const RESTART_PAUSE_MS = 5_000;

export interface StartOptions {
  /** A folder used by PostgreSQL only; created if it is missing. */
  dataDir: string;
  /** Called with a line when the server is started, joined, lost or stopped. The server's own log is `postgres.log` in its folder. */
  log?: (line: string) => void;
  /** Switched off only in tests with a temporary folder. */
  fsync?: boolean;
  /** The package's `native` folder, when it is not the installed one. */
  native?: string;
}

export interface EmbeddedPostgres {
  connection: { host: string; port: number; user: string; password: string; database: string; ssl: false };
  /** Stops the server if no other process uses it. Close the pools first. */
  stop(): Promise<void>;
}

interface Server extends ServerFiles {
  log: (line: string) => void;
  leaving: AbortSignal;
}

const connectionTo = (host: string, password: string): EmbeddedPostgres['connection'] => ({
  host,
  port: PORT,
  user: USER,
  password,
  database: DATABASE,
  ssl: false,
});

const isCode = (error: unknown, ...codes: string[]): boolean => codes.includes(String((error as { code?: unknown }).code));

/** The server is starting, stopping or restarting after a crash, or has no free connection. */
const isPassing = (error: unknown): boolean =>
  isCode(error, '57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'EPIPE') ||
  // The second message appears when connecting and shutdown happen at the same time, before the first query.
  /^Connection terminated|is not queryable$/.test(String((error as Error).message));

/** The lock is in another database than the application's, so that the application's database can be copied and dropped. */
async function announce(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ joined: boolean; made: boolean }>(
    `SELECT pg_try_advisory_lock_shared(${PRESENCE}) AS joined, EXISTS (SELECT FROM pg_database WHERE datname = '${DATABASE}') AS made`,
  );
  if (rows[0]?.joined === true && !rows[0].made) {
    await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: unknown) => {
      if (!isCode(error, '42P04', '23505')) throw error;
    });
  }
  return rows[0]?.joined === true;
}

const wrongSecret = (folder: string): string =>
  `${secretFileOf(folder)} is not the password of the PostgreSQL that runs on ${folder}: end all processes of Feastday, and start again`;

/**
 * A connection that registers this process as a user of the running server; `busy` while the server starts or stops; otherwise `absent`.
 */
async function join(folder: string): Promise<pg.Client | 'busy' | 'absent'> {
  const server = await readPostmaster(folder);
  if (server?.home !== folder || !(await isAlive(server, folder))) return 'absent';
  if (server.status !== 'ready') return 'busy';
  if (!(await ensurePrivate(server.socketDir, folder))) {
    // The server may have stopped since its pid file was read, and the process that stopped it removes that folder.
    if (!(await isAlive(server, folder))) return 'absent';
    throw new Error(`${server.socketDir}, where the socket of ${folder} belongs, is gone: end the server`);
  }
  const client = new pg.Client({
    ...connectionTo(server.socketDir, await ensureSecret(folder)),
    database: 'postgres',
    application_name: 'feastday presence',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (await announce(client)) return client;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ECONNREFUSED')) return 'absent';
    if (!isPassing(error)) {
      await client.end();
      throw isCode(error, '28P01') ? new Error(wrongSecret(folder), { cause: error }) : error;
    }
  }
  await client.end();
  return 'busy';
}

/** Connects to the running server or starts one. PostgreSQL's own lock lets only one of several concurrent starts succeed. */
async function arrive(server: Server): Promise<pg.Client> {
  const { folder, log, leaving } = server;
  const began = Date.now();
  let until = began + REFUSED_FOR_MS;
  let child: ChildProcess | undefined;
  const isOver = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null;
  for (;;) {
    const found = await join(folder);
    if (found instanceof pg.Client) {
      log(`PostgreSQL ${isOver() ? 'joined' : 'started'} on ${folder} in ${Date.now() - began} ms`);
      return found;
    }
    if (found === 'busy') until = Math.min(Date.now() + REFUSED_FOR_MS, began + LONGEST_START_MS);
    if (Date.now() > until) throw cannotRunError(await lastLogLines(folder));
    if (found === 'absent' && isOver()) {
      if (child) await pause(100, undefined, { signal: leaving });
      const launchedAt = Date.now();
      child = await launch(server);
      // Setting the password may include crash recovery.
      until += Date.now() - launchedAt;
    }
    await pause(10, undefined, { signal: leaving });
  }
}

/** Fast shutdown: rolls back open transactions and writes everything else. */
async function end(server: Postmaster, folder: string): Promise<void> {
  process.kill(server.pid, 'SIGINT');
  for (const until = Date.now() + LONGEST_STOP_MS; await isAlive(server, folder); await pause(10)) if (Date.now() > until) return;
  await rmdir(server.socketDir).catch(() => undefined);
}

async function leave(client: pg.Client, folder: string): Promise<void> {
  try {
    // Read while the server is in use: later, the file may belong to the next server.
    const server = await readPostmaster(folder);
    // Released before requesting it exclusively: of two processes that end at the same time, the later one then gets it.
    await client.query(`SELECT pg_advisory_unlock_shared(${PRESENCE})`);
    const { rows } = await client.query<{ last: boolean }>(`SELECT pg_try_advisory_lock(${PRESENCE}) AS last`);
    if (rows[0]?.last === true && server) await end(server, folder);
  } finally {
    await client.end();
  }
}

/**
 * The database in `dataDir` for one process (contract §1 `DATABASE_URL`): starts the server, or connects to one that another process
 * started or that a killed process left running; restarts it when it dies. Throws an error with one sentence when it cannot run here.
 */
export async function startPostgres({
  dataDir,
  log = () => undefined,
  fsync = true,
  native = findNative(),
}: StartOptions): Promise<EmbeddedPostgres> {
  const leaving = new AbortController();
  const folder = await ensureFolder(dataDir, native, fsync);
  const server: Server = { folder, native, fsync, log, leaving: leaving.signal };

  const watch = (client: pg.Client): pg.Client => {
    client.once('end', () => {
      if (!leaving.signal.aborted) presence = comeBack();
    });
    return client;
  };
  const comeBack = async (): Promise<pg.Client> => {
    for (;;) {
      log(`PostgreSQL on ${folder} has gone away`);
      try {
        return watch(await arrive(server));
      } catch (error) {
        if (leaving.signal.aborted) throw error;
        log(error instanceof Error ? error.message : String(error));
        await pause(RESTART_PAUSE_MS, undefined, { signal: leaving.signal });
      }
    }
  };

  let presence = Promise.resolve(watch(await arrive(server)));
  const home = await readPostmaster(folder);
  if (!home) throw cannotRunError(await lastLogLines(folder));
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    leaving.abort();
    const client = await presence.catch(() => null);
    if (client)
      await leave(client, folder).catch((error: Error) => log(`PostgreSQL on ${folder} was lost while leaving: ${error.message}`));
  };
  return { connection: connectionTo(home.socketDir, await ensureSecret(folder)), stop: () => (stopped ??= stop()) };
}
