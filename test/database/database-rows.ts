// Reads every row of every table as a string, so that a test can find what a request has changed.
import { sql } from 'kysely';
import type { TestDb } from './test-db.ts';

/**
 * This statement selects the names of the tables to read. The table of sessions is left out, because every request of a test changes it.
 */
const TABLES = sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema = 'public' AND table_name NOT IN ('session_store', 'migrations') ORDER BY 1`;

export async function rowsOfAll(db: TestDb): Promise<string[]> {
  const { rows: tables } = await TABLES.execute(db);
  const queries = tables.map(({ name }) => `SELECT '${name} ' || to_jsonb(t)::text AS row FROM "${name}" t`);
  const { rows } = await sql<{ row: string }>`${sql.raw(queries.join(' UNION ALL '))}`.execute(db);
  return rows.map(({ row }) => row).toSorted();
}

/**
 * Returns the rows that were added and the rows that were removed. Ids, times and random strings in these rows are replaced by constants.
 */
export function changesBetween(before: readonly string[], after: readonly string[]): string[] {
  const [was, is] = [new Set(before), new Set(after)];
  const words = (row: string) =>
    row
      .replaceAll(
        /\$argon2[^"]+|[\da-f]{8}-[\da-f-]{27}|"(?:hash|bodyHash|emailHash|mailboxHash|addressHash|tokenHash|codeHash|credentialId|publicKey|secret)": "[^"]+"/g,
        'random',
      )
      .replaceAll(/\d+/g, '0');
  return [
    ...before.filter((row) => !is.has(row)).map((row) => `- ${words(row)}`),
    ...after.filter((row) => !was.has(row)).map((row) => `+ ${words(row)}`),
  ].toSorted();
}
