// Applies the migrations at start. A migration is plain SQL and cannot be undone. Migrations run under a row lock: when a process dies,
// PostgreSQL releases its lock and rolls back its changes.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ROOT } from '../root.ts';

const FOLDER = join(ROOT, 'db/migrations');
const ALREADY_CREATED = new Set(['23505', '42P07', '42710']);

export const MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, "appliedAt" timestamptz NOT NULL DEFAULT now());';
export const LOCK_ROW = `INSERT INTO migrations (name) VALUES ('lock') ON CONFLICT (name) DO NOTHING`;
export const TAKE_LOCK = `SELECT name FROM migrations WHERE name = 'lock' FOR UPDATE`;

async function createLock(client: pg.ClientBase): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(MIGRATIONS_TABLE);
      await client.query(LOCK_ROW);
      return;
    } catch (error) {
      // When two processes create the same table at the same time, PostgreSQL makes one of them fail. The process that failed tries again.
      if (attempt === 5 || !ALREADY_CREATED.has(String((error as { code?: string }).code))) throw error;
    }
  }
}

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export async function migrationsIn(folder = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return await Promise.all(names.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })));
}

export async function appliedOn(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM migrations WHERE name <> 'lock' ORDER BY name COLLATE "C"`);
  return rows.map(({ name }) => name);
}

/** Applies migrations. The caller must have begun a transaction. */
export async function apply(client: pg.ClientBase, migrations: readonly Migration[]): Promise<string[]> {
  for (const { name, sql } of migrations) {
    await client.query(sql);
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
  }
  return migrations.map(({ name }) => name);
}

interface LockWait {
  readonly lockTimeoutMs: number;
  readonly pauseMs: number;
  readonly attempts: number;
}
/**
 * The migrations lock all their tables before they change the first table. If they locked one table after the other, they could deadlock
 * with a server of the previous version that has locked one table and waits for another. If the migrations have to wait for a lock, they
 * give up and try again later. They give up before PostgreSQL looks for deadlocks (`deadlock_timeout`, one second by default), because
 * PostgreSQL might cancel the server's statement instead of the migration.
 */
const PATIENCE: LockWait = { lockTimeoutMs: 800, pauseMs: 2000, attempts: 25 };
const BLOCKING_CODES = new Set(['55P03', '40P01', '57014']);

const TABLES = `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'migrations' ORDER BY tablename`;

/** Locks the existing tables that the migrations name, until the transaction ends. */
async function lockTables(client: pg.ClientBase, migrations: readonly Migration[], lockTimeoutMs: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(TABLES);
  const text = migrations.map(({ sql }) => sql).join('\n');
  const named = rows.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text)).map(({ name }) => `"${name}"`);
  if (named.length === 0) return;
  // A statement_timeout limits the total time of the locks. A lock_timeout would apply to each table separately.
  await client.query(`SET LOCAL statement_timeout = ${lockTimeoutMs}`);
  await client.query(`LOCK TABLE ${named.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  await client.query('SET LOCAL statement_timeout = 0');
}

async function applyPending(client: pg.ClientBase, known: readonly Migration[], { lockTimeoutMs }: LockWait): Promise<string[]> {
  await client.query('BEGIN');
  await client.query('SET LOCAL statement_timeout = 0');
  // If another process is migrating, this statement waits for that process without a time limit.
  await client.query(TAKE_LOCK);
  await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
  const applied = await appliedOn(client);
  const pending = known.filter(({ name }) => !applied.includes(name));
  await lockTables(client, pending, lockTimeoutMs);
  const names = await apply(client, pending);
  await client.query('COMMIT');
  return names;
}

/**
 * Migrates the database to this version. Several processes may call this function at once. Returns the names of the migrations that this
 * call applied.
 */
export async function migrate(pool: pg.Pool, folder = FOLDER, patience = PATIENCE): Promise<string[]> {
  const known = await migrationsIn(folder);
  const client = await pool.connect();
  // When the connection is lost, the running statement fails. Without this listener, the lost connection would also end the process.
  client.on('error', () => undefined);
  try {
    await createLock(client);
    for (let attempt = 1; ; attempt++) {
      try {
        return await applyPending(client, known, patience);
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        if (!BLOCKING_CODES.has(String((error as { code?: string }).code)) || attempt === patience.attempts) throw error;
        await pause(patience.pauseMs);
      }
    }
  } finally {
    client.release(true);
  }
}
