// A backup is plain SQL that psql can load. Its SQL comments contain further data that this application's restore reads, such as checksums.
import type { TableChecksum } from './checksum.ts';

/** An error whose message says in one sentence why nothing was backed up or restored. */
export class BackupError extends Error {
  override name = 'BackupError';
}

export const FIRST_LINE = '-- Feastday backup, format 1';
export const LAST_LINE = '-- End of the backup';
const MIGRATIONS = '-- Migrations: ';
const ROWS = '-- Rows';

/**
 * After a restore, queued mails are marked as unknown, because the original database may have sent these mails after the backup. They are
 * sent again only when a person asks for it (contract §8).
 */
export const MARK_QUEUED_MAILS_UNKNOWN = `UPDATE emails SET status = 'unknown', "leasedUntil" = NULL,
  response = 'This e-mail was waiting when the restored backup was made. Nobody knows whether it was sent after that.'
  WHERE status IN ('queued', 'sending');`;

interface Head {
  readonly migrations: readonly string[];
  readonly madeAt: Date;
  /** The version of the PostgreSQL server from which the backup was made. */
  readonly server: string;
}

export const headOf = ({ migrations, madeAt, server }: Head): string => `${FIRST_LINE}
-- Made at ${madeAt.toISOString()} from PostgreSQL ${server}
${MIGRATIONS}${migrations.join(', ')}
-- It holds password hashes and everybody's addresses: keep it as you keep the database. Sessions and files of mails are not part of it.
-- To load it into an empty database: npm run restore -- FILE
-- or, into a PostgreSQL 15 or newer: gunzip -c FILE | psql "$DATABASE_URL"

\\set ON_ERROR_STOP on
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET statement_timeout = 0;
BEGIN;

`;

export const rowsHead = `\n${ROWS}\n`;

/** Returns the line that precedes the rows of a table in the backup. `place` is `"table" ("column", …)` with quoted names. */
export const blockHead = (place: string): string => `COPY ${place} FROM stdin;\n`;
export const BLOCK_END = '\\.\n';

export const sequenceRestart = (table: string, column: string, next: number): string =>
  `ALTER TABLE ${table} ALTER COLUMN ${column} RESTART WITH ${next};\n`;

/**
 * A backup file contains the sum of each of these columns in the original database. A restore drill compares these sums with the sums of
 * the restored rows.
 */
export const SUMS = [
  ['payments', 'amount'],
  ['payments', '"feeAmount"'],
  ['order_products', 'quantity'],
  ['actual_quantities', '"actualQuantity"'],
] as const;
const SUM = '-- Sum ';
export const sumLine = (name: string, sum: string): string => `${SUM}${name} ${sum}\n`;

/** Parses a line of the file that states the sum of a column in SUMS. Returns the column's name and the sum, or null for any other line. */
export function sumIn(line: string): [name: string, sum: string] | null {
  const [, name, sum] = /^-- Sum (\S+) (\S+)$/.exec(line) ?? [];
  return name !== undefined && sum !== undefined ? [name, sum] : null;
}

export const tailOf = (tallies: ReadonlyMap<string, TableChecksum>): string => `COMMIT;

-- Of each table the number of rows, and the SHA-256 of its lines above
${[...tallies].map(([table, { rows, checksum }]) => `-- ${table} ${rows} ${checksum}\n`).join('')}${LAST_LINE}
`;

/** Returns the names of the migrations in a line of the file, or null for any other line. */
export const migrationNamesIn = (line: string): string[] | null =>
  line.startsWith(MIGRATIONS) ? line.slice(MIGRATIONS.length).split(', ') : null;

export const isRowsHead = (line: string): boolean => line === ROWS;

/**
 * A restore executes only statements that match BLOCK or NUMBERING. Therefore a changed backup file cannot make the restore execute any
 * other SQL.
 */
const BLOCK = /^COPY (("\w+") \("\w+"(?:, "\w+")*\)) FROM stdin;$/;
const NUMBERING = /^ALTER TABLE "\w+" ALTER COLUMN "\w+" RESTART WITH \d+;$/;
const TALLY = /^-- ("\w+") (\d+) ([\da-f]{64})$/;

export function blockIn(line: string): { place: string; table: string } | null {
  const [, place, table] = BLOCK.exec(line) ?? [];
  return place !== undefined && table !== undefined ? { place, table } : null;
}

export const isSequenceRestart = (line: string): boolean => NUMBERING.test(line);

export function checksumIn(line: string): [table: string, tally: TableChecksum] | null {
  const [, table, rows, checksum] = TALLY.exec(line) ?? [];
  return table !== undefined && checksum !== undefined ? [table, { rows: Number(rows), checksum }] : null;
}
