// Lists the tables of a backup, sorted so that a row is inserted after the rows that it references.
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import { MIGRATIONS_TABLE, type Migration } from '../database/migrate.ts';
import { createTableChecksum, type TableChecksum } from './checksum.ts';

/**
 * The rows of these tables are not restored, so all users have to sign in again. A restored session, device or link could be one that was
 * revoked after the backup.
 */
const WITHOUT_ROWS = new Set(['"session_store"', '"devices"', '"replaced_links"', '"pending_sign_ins"', '"second_factor_setups"']);

export interface Table {
  /** The name of the table as a quoted SQL identifier. The names of its columns are quoted in the same way. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key, with a sort order that does not depend on the collation. */
  readonly key: readonly string[];
  /** The names of the tables that this table references, except itself. */
  readonly after: readonly string[];
  /** The identity column and its sequence. Null for a table without an identity column. */
  readonly identity: string | null;
  readonly sequence: string | null;
}

/** Returns the quoted names of the tables that the migrations create. A database may also contain tables of other programs. */
export function namesIn(migrations: readonly Migration[]): string[] {
  const texts = [MIGRATIONS_TABLE, ...migrations.map(({ sql }) => sql)];
  return texts.flatMap((text) => [...text.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/gim)].map(([, name]) => `"${name}"`));
}

/**
 * Returns the quoted names of the functions that the migrations create. Trigger functions, and immutable functions, which indexes may use,
 * are listed separately, because tables depend on them, whereas other functions may depend on a table.
 */
export function functionsIn(migrations: readonly Migration[]): { functions: string[]; functionsOfTables: string[] } {
  const declaration = /^CREATE (?:OR REPLACE )?FUNCTION "?(\w+)"?[^$]*?\sRETURNS (trigger\b|.* IMMUTABLE\b)?/gim;
  const all = migrations.flatMap(({ sql }) => [...sql.matchAll(declaration)]);
  const named = (isOfTable: boolean) => all.filter(([, , kind]) => (kind !== undefined) === isOfTable).map(([, name]) => `"${name}"`);
  return { functions: named(false), functionsOfTables: named(true) };
}

const TABLES = `SELECT '"' || c.relname || '"' AS name,
    (SELECT array_agg('"' || a.attname || '"' ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    (SELECT array_agg('"' || a.attname || '"' || CASE WHEN a.attcollation = 0 THEN '' ELSE ' COLLATE "C"' END ORDER BY k.place)
      FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number WHERE i.indrelid = c.oid AND i.indisprimary) AS key,
    ARRAY(SELECT DISTINCT '"' || r.relname || '"' FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
      WHERE f.conrelid = c.oid AND f.contype = 'f' AND r.oid <> c.oid) AS after,
    '"' || i.attname || '"' AS identity,
    pg_get_serial_sequence(quote_ident(c.relname), i.attname) AS sequence
  FROM pg_class c LEFT JOIN pg_attribute i ON i.attrelid = c.oid AND i.attnum > 0 AND i.attidentity <> ''
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND '"' || c.relname || '"' = ANY($1) ORDER BY 1`;

/** Returns the tables among `names` that exist, each table after the tables that it references. */
export async function tablesOf(client: pg.ClientBase, names: readonly string[]): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES, [names]);
  const ordered: Table[] = [];
  const place = (table: Table, way: readonly string[]): void => {
    if (way.includes(table.name)) throw new Error(`the tables ${way.join(', ')} point to each other in a circle`);
    if (ordered.includes(table)) return;
    for (const other of rows) if (table.after.includes(other.name)) place(other, [...way, table.name]);
    ordered.push(table);
  };
  for (const table of rows) place(table, []);
  return ordered;
}

/**
 * These statements change settings for one transaction. In this transaction, values have the same text form on every server, and no timeout
 * applies.
 */
export const PORTABLE_TEXT_SETTINGS = `SET LOCAL client_encoding = 'UTF8'; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD';
  SET LOCAL bytea_output = 'hex'; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`;

export const copyTargetOf = ({ name, columns }: Table): string => `${name} (${columns.join(', ')})`;

/** `condition` is SQL that selects the rows to copy. By default, these are the rows that a backup contains. */
export type CopiedTable = Table & { readonly condition?: string };

/** Returns a stream of the rows in PostgreSQL's text format, one row per line, sorted by key. */
export function copyLinesOf(client: pg.ClientBase, { name, columns, key, condition }: CopiedTable): CopyToStreamQuery {
  const rows = condition ?? String(!WITHOUT_ROWS.has(name));
  return client.query(copyTo(`COPY (SELECT ${columns.join(', ')} FROM ${name} WHERE ${rows} ORDER BY ${key.join(', ')}) TO STDOUT`));
}

export async function copyIn(client: pg.ClientBase, place: string, block: AsyncIterable<Buffer>): Promise<TableChecksum> {
  const tally = createTableChecksum();
  const passing = async function* () {
    for await (const lines of block) {
      tally.add(lines);
      yield lines;
    }
  };
  await pipeline(passing, client.query(copyFrom(`COPY ${place} FROM STDIN`)));
  return tally.end();
}

/** Returns the id that the table's next new row would get from the sequence, without taking it from the sequence. */
export async function nextSequenceValue(client: pg.ClientBase, sequence: string): Promise<number> {
  const { rows } = await client.query<{ next: number }>(`SELECT (last_value + is_called::int)::float8 AS next FROM ${sequence}`);
  return rows[0]?.next ?? 1;
}
