// Starts one PostgreSQL with durable commits for Feastday and the baseline server. Each of the two has its own database with the same data.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/server/database/migrate.ts';
import { startPostgres } from '../../src/server/database/embedded/postgres.ts';
import { insertEdited, TABLES } from './other-orders.ts';

export type Side = 'floor' | 'ours';
export const SIDES: readonly Side[] = ['floor', 'ours'];

export interface Databases {
  urlOf(side: Side): string;
  /** Connects to the database of one of the two servers and calls `work` with the connection. */
  on<Result>(side: Side, work: (client: pg.Client) => Promise<Result>): Promise<Result>;
  /** The process id of PostgreSQL's main process, or null when PostgreSQL runs on another machine. */
  readonly postmaster: number | null;
  stop(): Promise<void>;
}

async function serverUrl(): Promise<{ url: URL; stop: () => Promise<void> }> {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: new URL(given), stop: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'feastday-bench-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  const { user, password, port, host } = postgres.connection;
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: new URL(`postgres://${user}:${password}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`), stop };
}

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function postmasterOf(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const stat = await readFile(`/proc/${rows[0]?.pid}/stat`, 'utf8').catch(() => '');
  const parent = /^\d+ \(postgres\) \S (\d+)/.exec(stat)?.[1];
  return parent === undefined ? null : Number(parent);
}

const sqlOf = (name: string): Promise<string> => readFile(join(import.meta.dirname, '..', name), 'utf8');

/**
 * Runs the SQL file as one query without its VACUUM, and then runs VACUUM separately: PostgreSQL runs several statements of one query in a
 * transaction, where VACUUM is not allowed.
 */
async function execute(client: pg.Client, sql: string): Promise<void> {
  await client.query(sql.replace(/^VACUUM.*$/m, ''));
  await client.query('VACUUM ANALYZE');
}

async function migrated(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url });
  await migrate(pool);
  await pool.end();
}

/** Creates empty databases with these names on one PostgreSQL server. `stop` deletes them. */
async function create(names: readonly string[]) {
  const { url, stop } = await serverUrl();
  const urlOf = (name: string): string => {
    const own = new URL(url);
    own.pathname = `/${nameOf(name)}`;
    return own.href;
  };
  const postmaster = await connected(url.href, async (client) => {
    for (const name of names) await client.query(`CREATE DATABASE ${nameOf(name)}`);
    return await postmasterOf(client);
  });
  const drop = async (): Promise<void> => {
    await connected(url.href, async (client) => {
      for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${nameOf(name)} WITH (FORCE)`);
    });
    await stop();
  };
  return {
    urlOf,
    on: <Result>(name: string, work: (client: pg.Client) => Promise<Result>) => connected(urlOf(name), work),
    postmaster,
    stop: drop,
  };
}
const nameOf = (name: string): string => `feastday_bench_${name}_${process.pid}`;

export interface ProductDatabase {
  readonly url: string;
  on<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/**
 * Creates a database with Feastday's tables and fills it with `sql`, without checking foreign keys. Each `:name` in the SQL is replaced by
 * the entry of that name in `values`.
 */
export async function createProductDatabase(
  name: string,
  sql: string,
  values: Readonly<Record<string, number | string>>,
): Promise<ProductDatabase> {
  const { urlOf, on, stop } = await create([name]);
  await migrated(urlOf(name));
  const filled = Object.entries(values).reduce((text, [key, value]) => text.replaceAll(`:${key}`, String(value)), sql);
  await on(name, async (client) => {
    await client.query('SET session_replication_role = replica').catch(() => undefined);
    await client.query(filled);
    await client.query('VACUUM ANALYZE');
  });
  return { url: urlOf(name), on: (work) => on(name, work), stop };
}

export async function createDatabases(): Promise<Databases> {
  const { urlOf, on, postmaster, stop } = await create(SIDES);
  await migrated(urlOf('ours'));
  await on('floor', async (client) => execute(client, await sqlOf('floor/schema.sql')));
  await on('ours', async (client) => execute(client, await sqlOf('seed.sql')));
  for (const side of SIDES) await on(side, (client) => insertEdited(client, TABLES[side]));
  return { urlOf, on, postmaster, stop };
}
