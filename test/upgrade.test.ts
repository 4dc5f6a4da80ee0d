// The upgrade rehearsal: what the first release wrote, what it reads and what it goes on to write while today's migrations come over it.
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { apply, LOCK_ROW, migrate, migrationsIn, MIGRATIONS_TABLE } from '../src/server/migrate.ts';
import { emptyDatabase, endAll } from './backups.ts';

const LAST_OF_THE_FIRST_RELEASE = '0003_the_distribution_day.sql';
const FIRST_ROWS = new URL('fixtures/first-release.sql', import.meta.url);

const pools: pg.Pool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
  await endAll();
});

function poolOn(client: pg.Client): pg.Pool {
  const pool = new pg.Pool({ ...inject('postgres').connection, database: client.database ?? '' });
  pools.push(pool);
  return pool;
}

async function firstRelease(): Promise<pg.Client> {
  const client = await emptyDatabase();
  await client.query(MIGRATIONS_TABLE);
  await client.query(LOCK_ROW);
  await apply(
    client,
    (await migrationsIn()).filter(({ name }) => name <= LAST_OF_THE_FIRST_RELEASE),
  );
  await client.query(await readFile(FIRST_ROWS, 'utf8'));
  return client;
}

interface Columns {
  readonly table: string;
  /** In quotes. */
  readonly columns: string;
}
const COLUMNS = `SELECT quote_ident(table_name) AS table, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
  FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations' GROUP BY 1 ORDER BY 1`;

/** Every row as a text of these columns, for each table. */
async function rowsOf(client: pg.Client, tables: readonly Columns[]): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const { table, columns } of tables) {
    const found = await client.query<{ row: string }>(`SELECT ROW(${columns})::text AS row FROM ${table} ORDER BY 1`);
    rows[table] = found.rows.map(({ row }) => row);
  }
  return rows;
}

// As a server of the first release sends them.
const READ_ORDER = `SELECT o.*, l.*, p.* FROM orders o JOIN order_products l ON l."orderId" = o.id JOIN products p ON p.id = l."productId"
  JOIN users u ON u.id = o."customerId" LEFT JOIN contacts c ON c."userId" = u.id WHERE o."distributionId" = 1`;
const JOIN = `INSERT INTO users (email, role, "distributorId") VALUES ($1, 'customer', 2) RETURNING id`;
const PLACE = `WITH held AS (SELECT id, "distributorId" FROM distributions WHERE id = 2 AND published AND "orderingOpen" FOR SHARE),
  placed AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
    SELECT "distributorId", id, $1, $1 FROM held RETURNING id),
  lines AS (INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
    SELECT held."distributorId", held.id, placed.id, 3, 2, 2 FROM held, placed RETURNING id),
  audit AS (INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy") SELECT id, 2, $1 FROM lines),
  mail AS (INSERT INTO emails (kind, "from", "to", subject, html, "distributorId", "userId", "orderId")
    SELECT 'confirmation', '', '', '', '', 2, $1, id FROM placed)
  SELECT id FROM placed`;

/** Reads the old order and places new ones, until it is over; each new one has been answered. */
async function trade(pool: pg.Pool, name: string, isOver: () => boolean): Promise<number> {
  let placed = 0;
  for (let last = false; !last; placed++) {
    last = isOver();
    const { rows } = await pool.query<{ id: number }>(JOIN, [`${name}${placed}@old.test.example`]);
    expect((await pool.query(PLACE, [rows[0]?.id])).rowCount).toBe(1);
    expect((await pool.query(READ_ORDER)).rowCount).toBe(2);
    await nextTurn();
  }
  return placed;
}

test('every row of the first release stays as it was, and who reads and orders while the migrations come over it is served', async () => {
  const client = await firstRelease();
  const tables = (await client.query<Columns>(COLUMNS)).rows;
  const before = await rowsOf(client, tables);
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);

  const pool = poolOn(client);
  let isOver = false;
  const trading = ['anna', 'ben', 'chava', 'dov'].map((name) => trade(pool, name, () => isOver));
  const untilTraded = async (): Promise<void> => {
    while (((await client.query('SELECT 1 FROM orders')).rowCount ?? 0) < 5);
  };
  await Promise.race([untilTraded(), ...trading]);
  const applied = await migrate(poolOn(client));
  isOver = true;
  const placed = (await Promise.all(trading)).reduce((sum, orders) => sum + orders);

  expect(applied).toEqual((await migrationsIn()).map(({ name }) => name).filter((name) => name > LAST_OF_THE_FIRST_RELEASE));
  const after = await rowsOf(client, tables);
  const gone = Object.entries(before).flatMap(([table, rows]) => rows.filter((row) => !after[table]?.includes(row)));
  expect(gone).toEqual([]);
  const added = tables.map(({ table }) => [table, (after[table]?.length ?? 0) - (before[table]?.length ?? 0)]).filter(([, n]) => n !== 0);
  const written = ['emails', 'order_product_audit', 'order_products', 'orders', 'users'];
  expect(added).toEqual(written.map((table) => [table, placed]));
});

test('the rows that a server of the first release writes are taken by today’s tables', async () => {
  const client = await emptyDatabase();
  await migrate(poolOn(client));
  await client.query(await readFile(FIRST_ROWS, 'utf8'));
  expect((await client.query(READ_ORDER)).rowCount).toBe(2);
});

test('no migration since the first release takes away what a server of the version before still reads', async () => {
  const later = (await migrationsIn()).filter(({ name }) => name > LAST_OF_THE_FIRST_RELEASE);
  const TAKES_AWAY = /\b(DROP\s+(TABLE|COLUMN)|RENAME|TRUNCATE|SET\s+NOT\s+NULL|(SET\s+DATA\s+)?TYPE\s+\w+)\b/i;
  const withoutComments = (sql: string): string => sql.replaceAll(/--.*$/gm, '');
  expect(later.filter(({ sql }) => TAKES_AWAY.test(withoutComments(sql))).map(({ name }) => name)).toEqual([]);
});
