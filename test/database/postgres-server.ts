// Provides the PostgreSQL server for a test run. If DATABASE_URL is set, this is the server that it names. Otherwise, an embedded server is
// started in a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/server/database/migrate.ts';
import { startPostgres } from '../../src/server/database/embedded/postgres.ts';

export interface TestServer {
  /** The connection settings without the name of a database, which the caller adds. */
  readonly connection: pg.PoolConfig;
  readonly stop: () => Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const url = process.env['DATABASE_URL'];
  if (url) {
    const { hostname, port, username, password, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? hostname;
    const user = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    return { connection: { host, port: Number(port || 5432), ...user }, stop: async () => undefined };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'feastday-test-'));
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), fsync: false });
  const { host, port, user, password } = postgres.connection;
  return {
    connection: { host, port, user, password },
    stop: async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const ADMIN_DATABASE = 'postgres';

/** Runs statements in the server's own database `postgres`. From there, they can create and drop the test databases. */
export async function onServer(connection: pg.PoolConfig, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ ...connection, database: ADMIN_DATABASE });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a migrated database and returns its name. The tests use copies of this database. */
export async function makeTemplate(connection: pg.PoolConfig): Promise<string> {
  const template = `feastday_template_${process.pid}`;
  await onServer(connection, `DROP DATABASE IF EXISTS ${template}`, `CREATE DATABASE ${template}`);
  const pool = new pg.Pool({ ...connection, database: template });
  await migrate(pool);
  await pool.end();
  return template;
}

let copies = 0;

/**
 * Returns a statement that waits until the server has closed all connections to the database. A pool of connections ends before the server
 * has closed the connections. DROP ... FORCE would then break these connections, and the pool would report errors.
 */
const untilLeft = (database: string): string => `DO $$ BEGIN
  FOR tries IN 1..500 LOOP
    EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '${database}' AND backend_type = 'client backend');
    PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
  END LOOP;
END $$`;

/** Creates a copy of the template database. Returns the copy's name and a function that drops the copy. */
export async function copyOf(template: string, connection: pg.PoolConfig): Promise<{ database: string; drop: () => Promise<void> }> {
  const database = `feastday_test_${process.pid}_${(copies += 1)}`;
  // Copying the files takes half of the time of the usual strategy, which writes the copy to the write-ahead log.
  const create = `CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY FILE_COPY`;
  await onServer(connection, `DROP DATABASE IF EXISTS ${database}`, create);
  return { database, drop: () => onServer(connection, untilLeft(database), `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`) };
}
