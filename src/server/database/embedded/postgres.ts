// The embedded PostgreSQL: started by the first process that needs it, joined by the others, ended by the last one that leaves.
//
// Every process holds a shared lock in the server itself; leaving, it gives that up and then asks for the exclusive one: who gets it is
// the last. The server frees the lock of a killed process at once, so there are no stale entries, no reused pids, and no two who each
// think that the other stays.
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
/** After a kill -9 of everything the old server's memory may be in use for a second or two. */
const REFUSED_FOR_MS = 8_000;
/** Recovery after a crash, on a slow disk. */
const LONGEST_START_MS = 120_000;
const LONGEST_STOP_MS = 5_000;
const RESTART_PAUSE_MS = 5_000;

export interface StartOptions {
  /** A folder for PostgreSQL alone; made when missing. */
  dataDir: string;
  /** Gets a line when the server is started, joined, lost or ended. The server's own log is `postgres.log` in its folder. */
  log?: (line: string) => void;
  /** Off only for tests on a throw-away folder. */
  fsync?: boolean;
  /** The package's `native` folder, when it is not the installed one. */
  native?: string;
}

export interface EmbeddedPostgres {
  connection: { host: string; port: number; user: string; password: string; database: string; ssl: false };
  /** Close the pools first. Ends the server when no other process uses it. */
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

/** Starting up, shutting down, crashed this moment, or every connection is taken. */
const isPassing = (error: unknown): boolean =>
  isCode(error, '57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'EPIPE') ||
  // The second one: its welcome and its farewell came together, before the first question.
  /^Connection terminated|is not queryable$/.test(String((error as Error).message));

/** The lock is in another database than the application's, which can so be copied and dropped. */
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

/** A connection that counts as one more user of the living server; `busy` while that comes up or goes down; else `absent`. */
async function join(folder: string): Promise<pg.Client | 'busy' | 'absent'> {
  const server = await readPostmaster(folder);
  if (server?.home !== folder || !(await isAlive(server, folder))) return 'absent';
  if (server.status !== 'ready') return 'busy';
  if (!(await ensurePrivate(server.socketDir, folder))) {
    // It may have ended since its file was read, and whoever ended it removes that folder.
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

/** Joins the living server or starts one; several processes may do so at once, and PostgreSQL's own lock lets one start win. */
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
      // Setting the password may include the recovery after a crash.
      until += Date.now() - launchedAt;
    }
    await pause(10, undefined, { signal: leaving });
  }
}

/** Fast shutdown: open transactions are rolled back, everything else is written. */
async function end(server: Postmaster, folder: string): Promise<void> {
  process.kill(server.pid, 'SIGINT');
  for (const until = Date.now() + LONGEST_STOP_MS; await isAlive(server, folder); await pause(10)) if (Date.now() > until) return;
  await rmdir(server.socketDir).catch(() => undefined);
}

async function leave(client: pg.Client, folder: string): Promise<void> {
  try {
    // Read while the server is held: later the file may be that of the next one.
    const server = await readPostmaster(folder);
    // Given up before it is asked for: of two who leave at once the later one gets it.
    await client.query(`SELECT pg_advisory_unlock_shared(${PRESENCE})`);
    const { rows } = await client.query<{ last: boolean }>(`SELECT pg_try_advisory_lock(${PRESENCE}) AS last`);
    if (rows[0]?.last === true && server) await end(server, folder);
  } finally {
    await client.end();
  }
}

/**
 * The database of `dataDir`, for one process: contract §1 `DATABASE_URL`. Starts it, or joins the server that another process has
 * started or a killed one has left behind; starts it again when it dies meanwhile. Throws one sentence when it cannot run here.
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
