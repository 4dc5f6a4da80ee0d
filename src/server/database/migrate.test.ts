import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { copyOf } from '../../../test/database/postgres-server.ts';
import { migrate, migrationsIn } from './migrate.ts';

const FIRST = '0001_the_tables_of_the_specification.sql';
let folder: string;
let pools: pg.Pool[];
let drop: () => Promise<void>;

beforeEach(async () => {
  const { connection } = inject('postgres');
  const empty = await copyOf('template0', connection);
  pools = Array.from({ length: 5 }, () => new pg.Pool({ ...connection, database: empty.database, max: 1 }));
  // The database is dropped while connections are still being closed. The resulting errors are ignored.
  for (const pool of pools) pool.on('error', () => undefined);
  drop = empty.drop;
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await cp(fileURLToPath(new URL('../../../db/migrations', import.meta.url)), folder, { recursive: true });
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await drop();
  await rm(folder, { recursive: true });
});

const pool = (): pg.Pool => pools[0] as pg.Pool;
const names = async () => (await pool().query<{ name: string }>(`SELECT name FROM migrations WHERE name <> 'lock' ORDER BY name`)).rows;

test('the migration runner migrates an empty database once when several processes start together (contract §1)', async () => {
  const applied = await Promise.all(pools.map((each) => migrate(each)));
  expect(applied.filter((list) => list.length > 0)).toHaveLength(1);
  expect(applied.flat()[0]).toBe(FIRST);
  expect(await migrate(pool())).toEqual([]);
});

test('the migration runner applies only the new migration to a database that has the others', async () => {
  await migrate(pool(), folder);
  await writeFile(join(folder, '9000_more.sql'), 'CREATE TABLE more (id int); INSERT INTO more VALUES (1);');
  expect(await migrate(pool(), folder)).toEqual(['9000_more.sql']);
  expect((await pool().query('SELECT id FROM more')).rows).toEqual([{ id: 1 }]);
});

test('the migration runner rolls back all migrations when one fails, and the next start applies them', async () => {
  await writeFile(join(folder, '9000_more.sql'), 'CREATE TABLE more (id int);');
  await writeFile(join(folder, '9001_wrong.sql'), 'CREATE TABLE even_more (id int); SELECT no_such_column FROM more;');
  await expect(migrate(pool(), folder)).rejects.toThrow('no_such_column');
  expect(await names()).toEqual([]);
  await writeFile(join(folder, '9001_wrong.sql'), 'CREATE TABLE even_more (id int);');
  expect(await migrate(pool(), folder)).toEqual(expect.arrayContaining([FIRST, '9000_more.sql', '9001_wrong.sql']));
});

test('the migration runner cancels a migration that waits too long for a lock, so that others can write, and retries it', async () => {
  await migrate(pool(), folder);
  await writeFile(join(folder, '9000_wide.sql'), 'CREATE TABLE more (id int); ALTER TABLE users ADD COLUMN nickname text;');
  const [, own, others] = pools as [pg.Pool, pg.Pool, pg.Pool];
  const writer = await own.connect();
  const WRITE = `INSERT INTO users (role, email) VALUES ('admin', $1)`;
  await writer.query('BEGIN');
  await writer.query(WRITE, ['long@example.org']);
  await expect(migrate(pool(), folder, { lockTimeoutMs: 50, pauseMs: 0, attempts: 2 })).rejects.toThrow('statement timeout');

  const migrating = migrate(pool(), folder, { lockTimeoutMs: 300, pauseMs: 50, attempts: 1000 });
  const WAITS = `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LOCK TABLE %' AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`;
  while ((await others.query(WAITS)).rowCount === 0);
  // This query waits for the migration, and runs as soon as the migration releases its lock.
  await others.query(WRITE, ['short@example.org']);
  await writer.query('COMMIT');
  writer.release();
  expect(await migrating).toEqual(['9000_wide.sql']);
  expect((await others.query('SELECT email, nickname FROM users ORDER BY email')).rows).toEqual([
    { email: 'long@example.org', nickname: null },
    { email: 'short@example.org', nickname: null },
  ]);
});

test('the migration runner releases its locks when another transaction has locked one table of the migration and waits for another one', async () => {
  await migrate(pool(), folder);
  await writeFile(join(folder, '9000_both.sql'), 'ALTER TABLE fees ADD COLUMN nickname text; ALTER TABLE users ADD COLUMN nickname text;');
  const [, own, others] = pools as [pg.Pool, pg.Pool, pg.Pool];
  const writer = await own.connect();
  await writer.query('BEGIN; LOCK TABLE users');
  const migrating = migrate(pool(), folder, { lockTimeoutMs: 300, pauseMs: 50, attempts: 1000 });
  const WAITS = `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LOCK TABLE "fees"%' AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`;
  while ((await others.query(WAITS)).rowCount === 0);
  // At this time the migration already holds a lock on this table.
  await writer.query('LOCK TABLE fees');
  await writer.query('COMMIT');
  writer.release();
  expect(await migrating).toEqual(['9000_both.sql']);
});

test('the migrations are numbered from 1 without gaps and without duplicates', async () => {
  const migrations = await migrationsIn();
  expect(migrations.map(({ name }) => Number(name.slice(0, 4)))).toEqual(migrations.map((_, index) => index + 1));
});
