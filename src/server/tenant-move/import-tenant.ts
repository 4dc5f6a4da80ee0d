// Loads one distributor from a file into an installation that has other distributors. One transaction imports everything under new ids, or
// nothing.
import type pg from 'pg';
import { HASH_START } from '../auth/password.ts';
import { PLACEHOLDER_DOMAIN } from '../../shared/mail/no-email.ts';
import { BackupError } from '../backup/file-format.ts';
import { findInvalidTime, findLongValue } from './unusual-values.ts';
import { unquoted, DAMAGED, stagedTableName, stageTenant, TenantFileError } from './staged-tenant.ts';
import { IDS_IN_JSON, isActorColumn, type TenantTable } from './tenant-tables.ts';

const refuse = (reason: string): never => {
  throw new BackupError(`${reason}: nothing was imported.`);
};

/** Returns the name of the temporary table that maps each old id to its new id. */
const newIds = (table: string): string => `"ids_${unquoted(table)}"`;

/** The addresses of people with an account here. Placeholders for people without an address are last, because nobody knows them. */
const TAKEN = `SELECT s.email FROM "staged_users" s JOIN users u ON u.email = s.email
  ORDER BY s.email LIKE '%${PLACEHOLDER_DOMAIN}', 1 LIMIT 4`;

async function refuseTaken(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ email: string }>(TAKEN);
  if (rows.length === 0) return;
  const shown = rows.slice(0, 3).map(({ email }) => email);
  refuse(`This installation has an account for ${shown.join(', ')}${rows.length > 3 ? ' and others' : ''}`);
}

/** Creates new ids in the sequence of the old ids, also for deleted rows whose ids other rows still mention. */
async function makeIds(client: pg.ClientBase, tables: readonly TenantTable[]): Promise<void> {
  for (const table of tables) {
    if (table.identity === null || table.sequence === null) continue;
    const mentions = tables.flatMap((other) =>
      [...other.ids].flatMap(([column, target]) =>
        target === table.name && table.name !== '"users"'
          ? [`SELECT ${column} FROM ${stagedTableName(other)} WHERE ${column} IS NOT NULL`]
          : [],
      ),
    );
    const all = [`SELECT ${table.identity} FROM ${stagedTableName(table)}`, ...mentions].join(' UNION ');
    await client.query(`CREATE TEMP TABLE ${newIds(table.name)} (old integer PRIMARY KEY, new integer NOT NULL) ON COMMIT DROP`);
    await client.query(
      `INSERT INTO ${newIds(table.name)} SELECT old, nextval('${table.sequence}') FROM (SELECT * FROM (${all}) i (old) ORDER BY old) o`,
    );
    await client.query(`ANALYZE ${newIds(table.name)}`);
  }
}

const ADMIN = `SELECT min(id) AS id FROM users WHERE role = 'admin'`;

/**
 * Returns the SQL of a column's new value, with the joins that the value needs. If the author of an action was an admin, the admin of this
 * installation becomes the author.
 */
function valueOf(table: TenantTable, column: string, admin: number | null): { value: string; join: string } {
  const target = column === table.identity ? table.name : table.ids.get(column);
  if (target !== undefined) {
    const ids = `"new_${unquoted(column)}"`;
    const join = ` LEFT JOIN ${newIds(target)} ${ids} ON ${ids}.old = s.${column}`;
    const value = isActorColumn(column)
      ? `coalesce(${ids}.new, CASE WHEN s.${column} IS NOT NULL THEN ${admin ?? 'NULL'}::integer END)`
      : `${ids}.new`;
    return { value, join };
  }
  const inJson = IDS_IN_JSON.find((rule) => rule.table === table.name && (rule.columns as readonly string[]).includes(column));
  if (!inJson) return { value: `s.${column}`, join: '' };
  const id = `(SELECT to_jsonb(i.new) FROM ${newIds(inJson.target)} i WHERE to_jsonb(i.old) = s.${column}->'${inJson.key}')`;
  const changed = `jsonb_set(s.${column}, '{${inJson.key}}', coalesce(${id}, 'null'))`;
  return { value: `CASE WHEN s.${column} ? '${inJson.key}' THEN ${changed} ELSE s.${column} END`, join: '' };
}

async function insertAll(client: pg.ClientBase, tables: readonly TenantTable[]): Promise<number> {
  const { rows } = await client.query<{ id: number | null }>(ADMIN);
  let inserted = 0;
  for (const table of tables) {
    const values = table.columns.map((column) => valueOf(table, column, rows[0]?.id ?? null));
    const from = `FROM ${stagedTableName(table)} s${values.map(({ join }) => join).join('')}`;
    const text = `INSERT INTO ${table.name} (${table.columns.join(', ')}) SELECT ${values.map(({ value }) => value).join(', ')} ${from}`;
    inserted += (await client.query(text)).rowCount ?? 0;
  }
  return inserted;
}

const FOREIGN_ROLES = `SELECT FROM "staged_users" HAVING count(*) FILTER (WHERE role = 'distributor') <> 1
  OR count(*) FILTER (WHERE role NOT IN ('distributor', 'agent', 'customer', 'invented')) > 0`;

/** Throws when the file contains an admin, so that an edited file cannot bring an admin into this installation. */
async function refuseForeignRoles(client: pg.ClientBase): Promise<void> {
  if ((await client.query(FOREIGN_ROLES)).rowCount) refuse(DAMAGED);
}

const FOREIGN_HASHES = 'SELECT FROM "staged_users" WHERE NOT starts_with(password, $1) LIMIT 1';

async function refuseForeignHashes(client: pg.ClientBase): Promise<void> {
  if ((await client.query(FOREIGN_HASHES, [HASH_START])).rowCount) refuse('The file has a password hash that Feastday does not create');
}

const MANY_GROUPS = 'SELECT FROM "staged_distributions" WHERE cardinality("groupOrder") > 1000 LIMIT 1';

async function refuseUnusualValues(client: pg.ClientBase, tables: readonly TenantTable[]): Promise<void> {
  const column = await findLongValue(client, tables);
  if (column !== null) refuse(`The file has a longer value in ${column} than Feastday writes`);
  if ((await client.query(MANY_GROUPS)).rowCount)
    refuse('The file has more product groups in distributions.groupOrder than Feastday writes');
  const time = await findInvalidTime(client, tables);
  if (time !== null) refuse(`The file has a date or time in ${time} that Feastday does not write`);
}

/** As after restoring a backup, queued mails are marked as unknown, because the other installation may have sent them since the export. */
const MARK_QUEUED_MAILS_UNKNOWN = `UPDATE "staged_emails" SET status = 'unknown', "leasedUntil" = NULL,
  response = 'This e-mail was waiting when the distributor was moved. Nobody knows whether it was sent after that.'
  WHERE status IN ('queued', 'sending')`;

/**
 * Links that the other installation mailed do not work here. Otherwise, a file that somebody has prepared could contain the token of a join
 * link for the address of another distributor's customer.
 */
const FORGET_MAILED_LINKS = [
  `UPDATE "staged_join_requests" SET tokens = '{}'`,
  `UPDATE "staged_users" SET "resetPasswordToken" = NULL, "invitationToken" = NULL`,
];

export interface ImportedTenant {
  /** The user id that the distributor gets in this installation. */
  readonly distributorId: number;
  readonly rows: number;
}

async function load(client: pg.ClientBase, source: AsyncIterable<Buffer>): Promise<ImportedTenant> {
  const tables = await stageTenant(client, source);
  await refuseUnusualValues(client, tables);
  await refuseForeignRoles(client);
  await refuseForeignHashes(client);
  await refuseTaken(client);
  await client.query(MARK_QUEUED_MAILS_UNKNOWN);
  for (const forget of FORGET_MAILED_LINKS) await client.query(forget);
  await makeIds(client, tables);
  const rows = await insertAll(client, tables);
  const distributor = `SELECT i.new AS id FROM "staged_users" s JOIN "ids_users" i ON i.old = s.id WHERE s.role = 'distributor'`;
  const { rows: ids } = await client.query<{ id: number }>(distributor);
  return { distributorId: ids[0]?.id ?? refuse(DAMAGED), rows };
}

const HAS_TABLES = `SELECT to_regclass('migrations') IS NOT NULL AS "hasTables"`;

/** Imports a distributor. `source` is the uncompressed content of the file. */
export async function importTenant(client: pg.ClientBase, source: AsyncIterable<Buffer>): Promise<ImportedTenant> {
  const { rows } = await client.query<{ hasTables: boolean }>(HAS_TABLES);
  if (rows[0]?.hasTables !== true) refuse('The database has no tables yet: start Feastday once, then import again');
  await client.query('BEGIN');
  try {
    const imported = await load(client, source);
    await client.query('COMMIT');
    return imported;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (error instanceof BackupError) throw error;
    return refuse(error instanceof TenantFileError ? error.message : `The import failed (${(error as Error).message})`);
  }
}
