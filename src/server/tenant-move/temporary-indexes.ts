// Creates indexes for the foreign keys that point to a table. Without these indexes, PostgreSQL reads the whole referencing table for each
// deleted row. The application itself has no indexes for columns such as "updatedBy", because otherwise it deletes only the few users of
// rehearsals.
import type pg from 'pg';

const PREFIX = 'deletion_of_';

const MISSING = `SELECT DISTINCT c.oid::regclass::text AS "table", (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY k.place)
      FROM unnest(f.conkey) WITH ORDINALITY k (number, place) JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.number) AS columns
  FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid
  WHERE f.contype = 'f' AND f.confrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_index i
    WHERE i.indrelid = f.conrelid AND i.indisvalid AND i.indpred IS NULL AND i.indkey[0] = ANY (f.conkey))`;
const LEFT = `SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace AND starts_with(c.relname, '${PREFIX}')`;

async function dropIndexes(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(LEFT);
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/**
 * Creates the missing indexes without blocking writes, runs `work`, and drops the indexes. Also drops the indexes that remain from a run
 * that was killed.
 */
export async function withIndexesOn<Result>(client: pg.ClientBase, table: string, work: () => Promise<Result>): Promise<Result> {
  await dropIndexes(client);
  const { rows } = await client.query<{ table: string; columns: string }>(MISSING, [table]);
  try {
    for (const [place, { table, columns }] of rows.entries())
      await client.query(`CREATE INDEX CONCURRENTLY ${PREFIX}${place} ON ${table} (${columns})`);
    return await work();
  } finally {
    await dropIndexes(client);
  }
}
