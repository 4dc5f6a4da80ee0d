// Runs the embedded PostgreSQL. The first process that needs the server starts it, others connect to it, and the last process stops it.
// Every process holds a shared advisory lock in the server. When a process ends, it releases this lock and requests the lock exclusively. A
// process that gets the exclusive lock is the last one, and stops the server. PostgreSQL releases the lock of a killed process at once. The
// lock therefore shows exactly which processes run, whereas a file with process ids could be outdated.
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
/**
 * After kill -9, the old server may use its shared memory for one or two more seconds. The next start is retried for this many
 * milliseconds.
 */
const REFUSED_FOR_MS = 8_000;
/** The maximum duration of a start in milliseconds. On a slow disk, crash recovery may take this long. */
const MAX_START_MS = 120_000;
const MAX_STOP_MS = 5_000;
const RESTART_PAUSE_MS = 5_000;

export interface StartOptions {
  /** A folder that only PostgreSQL uses. The folder is created if it is missing. */
  dataDir: string;
  /** Receives a line when the server is started, joined, lost or stopped. The server writes its own log to `postgres.log` in its folder. */
  log?: (line: string) => void;
  /** Whether PostgreSQL uses fsync. It is false only in tests with a temporary folder. The default is true. */
  fsync?: boolean;
  /** The `native` folder of the PostgreSQL package. The default is the folder of the installed package. */
  native?: string;
}

export interface EmbeddedPostgres {
  connection: { host: string; port: number; user: string; password: string; database: string; ssl: false };
  /** Stops the server if no other process uses it. The caller must close its pools before. */
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

/** Whether the error is temporary: the server is starting, stopping or restarting after a crash, or has no free connection. */
const isPassing = (error: unknown): boolean =>
  isCode(error, '57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'EPIPE') ||
  // The message "is not queryable" appears when the server shuts down between the connection and the first query.
  /^Connection terminated|is not queryable$/.test(String((error as Error).message));

/**
 * Takes the shared advisory lock, which registers this process. The lock is not in the application's own database, so that this database
 * can be copied and dropped.
 */
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
 * Returns a connection that registers this process as a user of the running server. Returns `busy` while the server starts or stops, and
 * `absent` when no server runs.
 */
async function join(folder: string): Promise<pg.Client | 'busy' | 'absent'> {
  const server = await readPostmaster(folder);
  if (server?.home !== folder || !(await isAlive(server, folder))) return 'absent';
  if (server.status !== 'ready') return 'busy';
  if (!(await ensurePrivate(server.socketDir, folder))) {
    // The server may have stopped after its pid file was read. In that case, the process that stopped the server removes the socket folder.
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

/**
 * Connects to the running server, or starts a server. When several processes start a server at once, PostgreSQL's own lock on the folder
 * lets only one of them succeed.
 */
async function arrive(server: Server): Promise<pg.Client> {
  const { folder, log, leaving } = server;
  const began = Date.now();
  let until = began + REFUSED_FOR_MS;
  let child: ChildProcess | undefined;
  const isOver = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null;
  for (;;) {
    const found = await join(folder);
    if (found instanceof pg.Client) {
      const isOurs = !isOver() && (await readPostmaster(folder))?.pid === child?.pid;
      // If another process has started its server first, this process kills the server that it launched itself. Otherwise that server could
      // start after all processes have left the other server, and then run without users.
      if (!isOurs) child?.kill('SIGKILL');
      log(`PostgreSQL ${isOurs ? 'started' : 'joined'} on ${folder} in ${Date.now() - began} ms`);
      return found;
    }
    if (found === 'busy') until = Math.min(Date.now() + REFUSED_FOR_MS, began + MAX_START_MS);
    if (Date.now() > until) throw cannotRunError(await lastLogLines(folder));
    if (found === 'absent' && isOver()) {
      if (child) await pause(100, undefined, { signal: leaving });
      const launchedAt = Date.now();
      child = await launch(server);
      // The time that the launch took does not count toward the limit, because setting the password may include crash recovery.
      until += Date.now() - launchedAt;
    }
    await pause(10, undefined, { signal: leaving });
  }
}

/** Ends the server with a fast shutdown, which rolls back open transactions and writes everything else to disk. */
async function end(server: Postmaster, folder: string): Promise<void> {
  process.kill(server.pid, 'SIGINT');
  for (const until = Date.now() + MAX_STOP_MS; await isAlive(server, folder); await pause(10)) if (Date.now() > until) return;
  await rmdir(server.socketDir).catch(() => undefined);
}

async function leave(client: pg.Client, folder: string): Promise<void> {
  try {
    // The pid file is read while this process still uses the server. Later, the file may belong to the next server.
    const server = await readPostmaster(folder);
    // The shared lock is released before the exclusive lock is requested. If two processes end at the same time, the later process then
    // gets the exclusive lock.
    await client.query(`SELECT pg_advisory_unlock_shared(${PRESENCE})`);
    const { rows } = await client.query<{ last: boolean }>(`SELECT pg_try_advisory_lock(${PRESENCE}) AS last`);
    if (rows[0]?.last === true && server) await end(server, folder);
  } finally {
    await client.end();
  }
}

/**
 * Provides the database in `dataDir` for one process (contract §1 `DATABASE_URL`). This function starts the server, or connects to a server
 * that another process started or that a killed process left running. When the server dies, it is started again. If the server cannot run
 * here, the function throws an error whose message is one sentence.
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
