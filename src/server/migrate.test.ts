import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { copyOf } from '../../test/postgres-server.ts';
import { migrate } from './migrate.ts';

const FIRST = '0001_the_tables_of_the_specification.sql';
let folder: string;
let pools: pg.Pool[];
let drop: () => Promise<void>;

beforeEach(async () => {
  const { connection } = inject('postgres');
  const empty = await copyOf('template0', connection);
  pools = Array.from({ length: 5 }, () => new pg.Pool({ ...connection, database: empty.database, max: 1 }));
  // The database goes while their last goodbyes are still under way.
  for (const pool of pools) pool.on('error', () => undefined);
  drop = empty.drop;
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await cp(fileURLToPath(new URL('../../db/migrations', import.meta.url)), folder, { recursive: true });
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await drop();
  await rm(folder, { recursive: true });
});

const pool = (): pg.Pool => pools[0] as pg.Pool;
const names = async () => (await pool().query<{ name: string }>(`SELECT name FROM migrations WHERE name <> 'lock' ORDER BY name`)).rows;

test('processes that start at once on an empty database migrate it once (contract §1)', async () => {
  const applied = await Promise.all(pools.map((each) => migrate(each)));
  expect(applied.filter((list) => list.length > 0)).toHaveLength(1);
  expect(applied.flat()[0]).toBe(FIRST);
  expect(await migrate(pool())).toEqual([]);
});

test('a later migration is applied alone', async () => {
  await migrate(pool(), folder);
  await writeFile(join(folder, '9000_more.sql'), 'CREATE TABLE more (id int); INSERT INTO more VALUES (1);');
  expect(await migrate(pool(), folder)).toEqual(['9000_more.sql']);
  expect((await pool().query('SELECT id FROM more')).rows).toEqual([{ id: 1 }]);
});

test('a migration that fails leaves neither itself nor the ones before it, and the next start does them all', async () => {
  await writeFile(join(folder, '9000_more.sql'), 'CREATE TABLE more (id int);');
  await writeFile(join(folder, '9001_wrong.sql'), 'CREATE TABLE even_more (id int); SELECT no_such_column FROM more;');
  await expect(migrate(pool(), folder)).rejects.toThrow('no_such_column');
  expect(await names()).toEqual([]);
  await writeFile(join(folder, '9001_wrong.sql'), 'CREATE TABLE even_more (id int);');
  expect(await migrate(pool(), folder)).toEqual(expect.arrayContaining([FIRST, '9000_more.sql', '9001_wrong.sql']));
});
