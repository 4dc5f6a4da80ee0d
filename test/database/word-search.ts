// Searches the database for words from a customer's data, and for rows with the customer's id. Tests use it to find personal data that
// remains after the customer's data was erased.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { writeBackup } from '../../src/server/backup/write-backup.ts';
import { textOf } from './backups.ts';
import type { TestDb } from './test-db.ts';

/**
 * The tables that have text columns but never contain personal data of a customer, such as the name or the e-mail address. Each value says
 * what the table contains instead.
 */
const WITHOUT_WORDS_OF_CUSTOMERS = {
  catalogue_audit: 'names and prices of products and fees',
  code_apps: 'of staff only',
  distribution_audit: 'of the distributor',
  distributions: 'of the distributor',
  distributor_audit: 'names of actions',
  erased_recipients: 'hashes of addresses',
  fees: 'of the distributor',
  former_unsubscribe_links: 'hashes of mailboxes',
  join_networks: 'counts of networks',
  last_backup: 'of the installation',
  migrations: 'of the installation',
  organizations: 'of the distributor',
  passkeys: 'of staff only',
  pending_sign_ins: 'of staff only',
  product_images: 'of the distributor',
  product_upload_writes: 'of the distributor',
  product_uploads: 'of the distributor',
  products: 'of the distributor',
  recovery_codes: 'of staff only',
  reset_networks: 'counts of networks',
  second_factor_setups: 'of staff only',
  sign_in_addresses: 'counts of networks',
  slots: 'of the distributor',
  tills: 'amounts',
  unsubscriptions: 'hashes of mailboxes',
} as const;

const TEXT_TABLES = sql<{ name: string }>`SELECT DISTINCT table_name AS name FROM information_schema.columns
  WHERE table_schema = 'public' AND udt_name IN ('text', 'varchar', 'bpchar', 'json', 'jsonb', 'bytea', 'xml', '_text', '_varchar', '_json', '_jsonb')
  ORDER BY 1`;

/**
 * Returns all tables with a text column, except those in WITHOUT_WORDS_OF_CUSTOMERS. A table that is added later is included automatically.
 */
export async function tablesForWords(db: TestDb): Promise<string[]> {
  const { rows } = await TEXT_TABLES.execute(db);
  return rows.map(({ name }) => name).filter((name) => !(name in WITHOUT_WORDS_OF_CUSTOMERS));
}

/** Returns the words that are in any column of any table, by table. Tables without any of the words are left out. */
export async function findInTables(db: TestDb, words: readonly string[]): Promise<Record<string, string[]>> {
  const { rows: tables } = await TEXT_TABLES.execute(db);
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ word: string }>`SELECT word FROM unnest(${[...words]}::text[]) word
      WHERE EXISTS (SELECT FROM ${sql.table(name)} t WHERE position(lower(word) IN lower(t::text)) > 0)`.execute(db);
    if (rows.length > 0) found[name] = rows.map(({ word }) => word);
  }
  return found;
}

/** Returns the words that are in a new backup of the database. The backup is written to the folder. */
export async function findInBackup(
  db: TestDb,
  words: readonly string[],
  { folder, now }: { folder: string; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(db);
  const client = new pg.Client({ ...inject('postgres').connection, database: rows[0]?.name });
  await client.connect();
  const path = join(folder, `${randomUUID()}.sql.gz`);
  await writeBackup({ client, now }, path);
  await client.end();
  const text = await textOf(path);
  return words.filter((word) => text.includes(word));
}

/** Returns the tables with a row of this user, found by the columns `userId` and `customerId`. */
export async function tablesOfUser(db: TestDb, id: number): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`SELECT table_name AS table, column_name AS column
    FROM information_schema.columns WHERE table_schema = 'public' AND column_name IN ('userId', 'customerId') ORDER BY 1`.execute(db);
  const found: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await sql`SELECT FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${id} LIMIT 1`.execute(db);
    if (rows.length > 0) found.push(table);
  }
  return found;
}
