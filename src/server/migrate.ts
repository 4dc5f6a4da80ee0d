// Plain SQL, forward only, applied at start. The lock is a row held by the same transaction that migrates: when a process dies,
// the row is free and nothing of its work is left.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

const FOLDER = fileURLToPath(new URL('../../db/migrations', import.meta.url));
const CREATED_MEANWHILE = new Set(['23505', '42P07', '42710']);

async function createLock(client: pg.ClientBase): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, "appliedAt" timestamptz NOT NULL DEFAULT now())');
      await client.query(`INSERT INTO migrations (name) VALUES ('lock') ON CONFLICT (name) DO NOTHING`);
      return;
    } catch (error) {
      // Two processes that create the same table at once: PostgreSQL lets one of them fail.
      if (attempt === 5 || !CREATED_MEANWHILE.has(String((error as { code?: string }).code))) throw error;
    }
  }
}

/** Brings the database to this version; several processes may call it at once. Returns the names of what it applied. */
export async function migrate(pool: pg.Pool, folder = FOLDER): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const client = await pool.connect();
  // A lost connection fails the statement that runs; unheard, it would end the process instead.
  client.on('error', () => undefined);
  try {
    await createLock(client);
    await client.query('BEGIN');
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query(`SELECT name FROM migrations WHERE name = 'lock' FOR UPDATE`);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    const applied = new Set(rows.map((row) => row.name));
    const pending = files.filter((name) => !applied.has(name));
    for (const name of pending) {
      await client.query(await readFile(join(folder, name), 'utf8'));
      await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
    }
    await client.query('COMMIT');
    return pending;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release(true);
  }
}
