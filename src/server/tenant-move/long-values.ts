// Finds values in the staged rows that are longer than the application itself can write. The columns of most tables have no such limit in
// the database, and somebody may have edited the file. Longer values would block the event loop of the server for all distributors.
import type pg from 'pg';
import { stagedTableName, unquoted } from './staged-tenant.ts';
import type { TenantTable } from './tenant-tables.ts';

/** The maximum number of characters of a value in PostgreSQL's text form, unless the next constant names its column. */
const MOST = 600;
/**
 * The columns that may have longer values. In the text form of JSON and of arrays, a backslash precedes quotes and backslashes, so that a
 * value may have twice as many characters as the user typed. Sanitizing multiplies the length of HTML by at most six.
 */
export const LONGER: Readonly<Record<string, number>> = {
  '"contact_audit" "before"': 3000,
  '"contact_audit" "after"': 3000,
  '"distribution_audit" "before"': 8000,
  '"distribution_audit" "after"': 8000,
  '"distributions" "groupOrder"': 44_000,
  '"emails" "html"': 1_200_000,
  '"emails" "response"': 1000,
  '"join_requests" "tokens"': 1_000_000,
  '"order_audit" "before"': 3000,
  '"order_audit" "after"': 3000,
  '"product_images" "image"': 600_002,
  '"products" "description"': 2000,
};

const OF_ANY_LENGTH = `SELECT '"' || attname || '"' AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND attlen = -1`;

/** Returns the first column that has a value above its limit; null if there is none. */
export async function findLongValue(client: pg.ClientBase, tables: readonly TenantTable[]): Promise<string | null> {
  for (const { name } of tables) {
    const staged = stagedTableName({ name });
    const { rows } = await client.query<{ column: string }>(OF_ANY_LENGTH, [staged]);
    for (const { column } of rows) {
      const most = LONGER[`${name} ${column}`] ?? MOST;
      const found = await client.query(`SELECT FROM ${staged} WHERE length(${column}::text) > ${most} LIMIT 1`);
      if (found.rowCount) return `${unquoted(name)}.${unquoted(column)}`;
    }
  }
  return null;
}
