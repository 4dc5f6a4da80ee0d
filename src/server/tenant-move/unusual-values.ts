// Finds values in the staged rows that the application itself never writes: long values, and times outside of the years that users can type.
// The columns of most tables have no such limits in the database, and somebody may have edited the file or the old database. Longer values
// would block the event loop of the server for all distributors. The server cannot read times such as `infinity`, so that the mails of all
// distributors would stop.
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

/** Returns the first column of these types in which a value is invalid; null if there is none. */
async function findColumn(
  client: pg.ClientBase,
  tables: readonly TenantTable[],
  { ofTypes, isInvalid }: { ofTypes: string; isInvalid: (table: string, column: string) => string },
): Promise<string | null> {
  for (const { name } of tables) {
    const staged = stagedTableName({ name });
    const { rows } = await client.query<{ column: string }>(
      `SELECT '"' || attname || '"' AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND ${ofTypes}`,
      [staged],
    );
    for (const { column } of rows) {
      const found = await client.query(`SELECT FROM ${staged} WHERE ${isInvalid(name, column)} LIMIT 1`);
      if (found.rowCount) return `${unquoted(name)}.${unquoted(column)}`;
    }
  }
  return null;
}

/** Returns the first column that has a value above its limit; null if there is none. */
export const findLongValue = (client: pg.ClientBase, tables: readonly TenantTable[]): Promise<string | null> =>
  findColumn(client, tables, {
    ofTypes: 'attlen = -1',
    isInvalid: (table, column) => `length(${column}::text) > ${LONGER[`${table} ${column}`] ?? MOST}`,
  });

/**
 * Returns the first column that has a date or time outside of the years 1900 to 2999, such as `infinity`; null if there is none. Users can
 * type only these years. `new Date()` reads years below 100 as other years or not at all.
 */
export const findInvalidTime = (client: pg.ClientBase, tables: readonly TenantTable[]): Promise<string | null> =>
  findColumn(client, tables, {
    ofTypes: `atttypid IN ('date'::regtype, 'timestamptz'::regtype)`,
    isInvalid: (_table, column) => `${column} < '1900-01-01' OR ${column} >= '3000-01-01'`,
  });
