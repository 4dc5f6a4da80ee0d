// Creates folders and processes for the tests of the embedded database. `endAll` ends everything that a test leaves running.
import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ensureFolder, readPostmaster } from '../../src/server/database/embedded/data-directory.ts';
import { startPostgres, type EmbeddedPostgres, type StartOptions } from '../../src/server/database/embedded/postgres.ts';
import { findNative } from '../../src/server/database/embedded/native-binaries.ts';
import { postmastersOn } from './processes.ts';

export const ownerScript = fileURLToPath(new URL('owner.ts', import.meta.url));
export const leavingServer = fileURLToPath(new URL('leaving-server.ts', import.meta.url));
const places: string[] = [];

function makePlace(prefix: string): string {
  const place = mkdtempSync(join(tmpdir(), prefix));
  places.push(place);
  return place;
}

let root: string | undefined;

/** Creates a folder that belongs to the current account and that no other account can access, like a home folder. */
function rootFolder(): string {
  root ??= makePlace('postgres-test-');
  return root;
}

const folders: string[] = [];
const owners: Owner[] = [];

export function emptyFolder(under = rootFolder()): string {
  const folder = join(mkdtempSync(join(under, 'case-')), 'data');
  folders.push(folder);
  return folder;
}

let made: string | undefined;

/** Creates a database folder that no server has used. It copies a prepared folder, because initdb takes most of a second. */
export async function madeFolder(): Promise<string> {
  made ??= await ensureFolder(join(rootFolder(), 'made'), findNative(), false);
  const folder = emptyFolder();
  cpSync(made, folder, { recursive: true });
  return folder;
}

/** Creates a folder that every account can access. */
export function openPlace(): string {
  const place = makePlace('postgres-test-open-');
  execFileSync('chmod', ['777', place]);
  return place;
}

const running: EmbeddedPostgres[] = [];

/** Starts the embedded database from this process, or connects to its server if one is already running. By default `fsync` is off. */
export async function start(dataDir: string, options: Partial<StartOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir, fsync: false, ...options });
  running.push(postgres);
  return postgres;
}

export async function ask(postgres: EmbeddedPostgres, sql: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client(postgres.connection);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows[0];
  } finally {
    await client.end();
  }
}

export interface Owner {
  process: ChildProcess;
  /** The numbers of the rows whose insertion PostgreSQL has confirmed to the process. */
  written: number[];
  send(line: string): void;
  /** Waits for the next line of output that contains `key`, and returns the value of `key`. */
  heard<Value>(key: string): Promise<Value>;
  kill(): Promise<void>;
}

/** Starts a process that uses the database in `folder`. */
export function owner(folder: string, options: SpawnOptions & { native?: string } = {}): Owner {
  const { native, ...rest } = options;
  const child = spawn(process.execPath, [ownerScript, folder, ...(native ? [native] : [])], { stdio: ['pipe', 'pipe', 'pipe'], ...rest });
  const heard: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  const written: number[] = [];
  let complaint = '';
  child.stderr?.on('data', (text: Buffer) => (complaint += text.toString()));
  child.stdin?.on('error', () => undefined);
  const wake = (): void => waiting.forEach((check) => check());
  child.once('exit', wake);
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said = JSON.parse(line) as Record<string, unknown>;
      if (typeof said['written'] === 'number') written.push(said['written']);
      else heard.push(said);
      wake();
    });
  }
  const one: Owner = {
    process: child,
    written,
    send: (line) => child.stdin?.write(`${line}\n`),
    heard: <Value>(key: string) =>
      new Promise<Value>((resolve, reject) => {
        const check = (): void => {
          const index = heard.findIndex((said) => key in said);
          if (index >= 0) resolve(heard.splice(index, 1)[0]?.[key] as Value);
          else if (child.exitCode !== null || child.signalCode !== null) reject(new Error(`ended without ${key}: ${complaint}`));
          else return;
          waiting.delete(check);
        };
        waiting.add(check);
        check();
      }),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
  owners.push(one);
  return one;
}

export async function endAll(): Promise<void> {
  // The processes that use a server are stopped before the server, because they would start the server again.
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await Promise.all(owners.splice(0).map((one) => one.kill()));
  for (const folder of folders.splice(0)) {
    const server = await readPostmaster(folder);
    for (const pid of postmastersOn(folder)) process.kill(pid, 'SIGQUIT');
    for (let tries = 0; tries < 500 && postmastersOn(folder).length > 0; tries++) await pause(10);
    if (server) rmSync(server.socketDir, { recursive: true, force: true });
  }
}

export function removeAll(): void {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
  root = undefined;
  made = undefined;
}
