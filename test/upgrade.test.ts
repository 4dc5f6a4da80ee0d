// Tests an upgrade from the first release. While all later migrations run, statements of the first release read and write rows.
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { apply, LOCK_ROW, migrate, migrationsIn, MIGRATIONS_TABLE } from '../src/server/database/migrate.ts';
import { emptyDatabase, endAll } from './database/backups.ts';

const LAST_OF_THE_FIRST_RELEASE = '0003_the_distribution_day.sql';
const FIRST_ROWS = new URL('fixtures/first-release.sql', import.meta.url);

const OPERATIONS = new URL('../docs/operations.md', import.meta.url);

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

async function firstTables(): Promise<pg.Client> {
  const client = await emptyDatabase();
  await client.query(MIGRATIONS_TABLE);
  await client.query(LOCK_ROW);
  await apply(
    client,
    (await migrationsIn()).filter(({ name }) => name <= LAST_OF_THE_FIRST_RELEASE),
  );
  return client;
}

interface Columns {
  readonly table: string;
  /** The quoted names of the columns, as SQL text. */
  readonly columns: string;
}
const COLUMNS = `SELECT quote_ident(table_name) AS table, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
  FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations' GROUP BY 1 ORDER BY 1`;

/** Returns all rows of each table. Each row is one string with the given columns. */
async function rowsOf(client: pg.Client, tables: readonly Columns[]): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const { table, columns } of tables) {
    const found = await client.query<{ row: string }>(`SELECT ROW(${columns})::text AS row FROM ${table} ORDER BY 1`);
    rows[table] = found.rows.map(({ row }) => row);
  }
  return rows;
}

// The following statements are those that a server of the first release sends.
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

/** Reads an existing order and places new orders until `isOver` returns true. Returns the number of placed orders. */
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

test('the migrations keep every row of the first release, and the server accepts reads and orders while they run', async () => {
  const client = await firstTables();
  await client.query(await readFile(FIRST_ROWS, 'utf8'));
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

interface Column {
  /** The quoted name with its table, such as "orders"."id". */
  readonly name: string;
  readonly table: string;
  /** The type of the column, with its length and precision. */
  readonly type: string;
  readonly takesNull: boolean;
  /** Whether an insert may leave the column out, as a server of an older version does if it does not know the column. */
  readonly fillsItself: boolean;
}
const CATALOGUE = `SELECT table_name AS "table", table_name || '.' || column_name AS name,
    concat_ws(' ', udt_name, character_maximum_length, numeric_precision, numeric_scale, datetime_precision) AS type,
    is_nullable = 'YES' AS "takesNull",
    is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' OR is_generated = 'ALWAYS' AS "fillsItself"
  FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`;

const catalogueOf = async (client: pg.Client): Promise<Column[]> => (await client.query<Column>(CATALOGUE)).rows;

/**
 * Returns one message for each column that a server of the previous version can no longer read or write. That server knows the columns
 * `before`.
 */
function takenAway(before: readonly Column[], after: readonly Column[]): string[] {
  const now = new Map(after.map((column) => [column.name, column]));
  const known = new Set(before.map(({ table }) => table));
  const names = new Set(before.map(({ name }) => name));
  const changed = before.flatMap(({ name, type, takesNull, fillsItself }) => {
    const found = now.get(name);
    if (!found) return [`${name} is gone`];
    const retyped = found.type === type ? [] : [`${name} was ${type} and is ${found.type}`];
    const stricter = (takesNull && !found.takesNull) || (fillsItself && !found.fillsItself);
    return stricter ? [...retyped, `${name} must be written now`] : retyped;
  });
  const unknown = after.filter(({ name, table, fillsItself }) => known.has(table) && !names.has(name) && !fillsItself);
  return [...changed, ...unknown.map(({ name }) => `${name} is new and must be written`)];
}

test('no migration since the first release breaks the reads and writes of the previous version, whose rows fit into the current tables', async () => {
  const client = await firstTables();
  const later = (await migrationsIn()).filter(({ name }) => name > LAST_OF_THE_FIRST_RELEASE);
  expect(later.length).toBeGreaterThan(0);
  for (const migration of later) {
    const before = await catalogueOf(client);
    await apply(client, [migration]);
    expect([migration.name, takenAway(before, await catalogueOf(client))]).toEqual([migration.name, []]);
  }

  // The check must find a column that was removed, changed or added in a wrong way.
  const today = await catalogueOf(client);
  const after = async (sql: string): Promise<string[]> => {
    await client.query('BEGIN');
    await client.query(sql);
    const found = takenAway(today, await catalogueOf(client));
    await client.query('ROLLBACK');
    return found;
  };
  expect(await after('ALTER TABLE contacts RENAME COLUMN city TO town')).toEqual(['contacts.city is gone']);
  expect(await after('DROP TABLE last_backup')).toContain('last_backup.bytes is gone');
  expect(await after('ALTER TABLE products ALTER COLUMN name TYPE varchar(20)')).toEqual(['products.name was text and is varchar 20']);
  expect(await after('ALTER TABLE users ALTER COLUMN "disabledAt" SET NOT NULL')).toEqual(['users.disabledAt must be written now']);
  expect(await after('ALTER TABLE orders ALTER COLUMN version DROP DEFAULT')).toEqual(['orders.version must be written now']);
  expect(await after('ALTER TABLE fees ADD COLUMN of text NOT NULL')).toEqual(['fees.of is new and must be written']);
  expect(
    await after(`ALTER TABLE fees ADD COLUMN "to" text NOT NULL DEFAULT '', ADD COLUMN "by" text; CREATE TABLE more (x text NOT NULL)`),
  ).toEqual([]);

  await client.query(await readFile(FIRST_ROWS, 'utf8'));
  expect((await client.query(READ_ORDER)).rowCount).toBe(2);
});

interface Index {
  readonly name: string;
  /** The table, method and columns of the index. Two indexes with the same key do the same work. */
  readonly key: string;
}
const INDEXES = `SELECT indexname AS name, regexp_replace(indexdef, '^.* ON (.*)\\)$', '\\1') AS key FROM pg_indexes WHERE schemaname = 'public'
  AND tablename IN ('orders', 'order_products', 'order_product_audit', 'actual_quantity_audit', 'emails')`;

test('the migrations build no index on a busy table that an operator has created before, and keep the indexes of the previous version', async () => {
  const client = await firstTables();
  const [, statements = ''] = /```sql\n([^`]*CREATE INDEX CONCURRENTLY[^`]*)```/.exec(await readFile(OPERATIONS, 'utf8')) ?? [];
  const before = (await client.query<Index>(INDEXES)).rows;
  // Each statement runs alone, because PostgreSQL refuses CONCURRENTLY in a transaction.
  for (const statement of statements.split(';')) await client.query(statement);
  const prepared = (await client.query<Index>(INDEXES)).rows;
  expect(prepared.length).toBeGreaterThan(before.length);

  await migrate(poolOn(client));
  const after = (await client.query<Index>(INDEXES)).rows;
  const names = (indexes: readonly Index[]) => indexes.map(({ name }) => name);
  expect(names(after).filter((name) => !names(prepared).includes(name))).toEqual([]);
  // An index may be dropped only if another index begins with the same columns and therefore replaces it.
  const dropped = before.filter(({ name, key }) => !names(after).includes(name) && !after.some((other) => other.key.startsWith(`${key},`)));
  expect(dropped).toEqual([]);
});

test('the migrations note the product of each weight that staff have recorded, and of no weight that a customer has entered', async () => {
  const client = await firstTables();
  await client.query(await readFile(FIRST_ROWS, 'utf8'));
  await client.query(`INSERT INTO actual_quantities ("orderProductId", "sortOrder", "actualQuantity", "updatedBy") VALUES (2, 0, 1, 4)`);
  await migrate(poolOn(client));
  const { rows } = await client.query('SELECT "orderProductId", "confirmedProductId" FROM actual_quantities ORDER BY id');
  expect(rows).toEqual([
    { orderProductId: 1, confirmedProductId: 1 },
    { orderProductId: 1, confirmedProductId: 1 },
    { orderProductId: 2, confirmedProductId: null },
  ]);
});
