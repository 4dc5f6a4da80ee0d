// Finds the rows of each table that belong to one distributor, and the columns that contain ids. It derives both from the schema and its
// foreign keys, so that a new table needs no entry here.
import type pg from 'pg';
import { BackupError } from '../backup/file-format.ts';
import type { Table } from '../backup/tables.ts';

/**
 * The tables whose rows are not moved: sessions, device cookies, mailed links, unfinished sign-ins and set-ups, stored replies, the counts
 * of saved rows and join requests, uploads, and the recipients of erased mails.
 */
const WITHOUT_SESSIONS = [
  'session_store',
  'devices',
  'replaced_links',
  'pending_sign_ins',
  'second_factor_setups',
  'idempotency_keys',
  'saved_rows',
  'join_networks',
  'product_uploads',
  'product_upload_writes',
  'customer_uploads',
  'erased_recipients',
];
/**
 * The tables of second factors. Their rows are not moved. A passkey works only on the host of its installation. The secret of a code app is
 * bound to the installation's key and to the old user id (decision 22).
 */
const OF_INSTALLATION = ['passkeys', 'code_apps', 'recovery_codes'];
/** The tables that contain no rows of a distributor. */
const OF_NOBODY = ['unknown_sign_ins', 'sign_in_addresses', 'network_attempts', 'reset_networks', 'last_backup', 'migrations'];
const quoted = (names: readonly string[]): ReadonlySet<string> => new Set(names.map((name) => `"${name}"`));
export const NOT_MOVED = quoted([...WITHOUT_SESSIONS, ...OF_INSTALLATION, ...OF_NOBODY]);
export const WITHOUT_TENANT = quoted(OF_NOBODY);

/**
 * These columns contain ids but have no foreign key. A foreign key would have one of three effects: the referenced row could not be
 * deleted, each insert would lock the referenced row, or its deletion would search these tables.
 */
const IDS_WITHOUT_KEY: Readonly<Record<string, string>> = {
  '"emails" "distributorId"': '"users"',
  '"emails" "joinDistributorId"': '"users"',
  '"emails" "orderId"': '"orders"',
  '"catalogue_audit" "productId"': '"products"',
  '"catalogue_audit" "feeId"': '"fees"',
  '"actual_quantities" "confirmedProductId"': '"products"',
};
/** These JSON columns contain ids. Each entry names the table, its columns, and the key in the JSON. */
export const IDS_IN_JSON = [{ table: '"order_audit"', columns: ['"before"', '"after"'], key: 'slotId', target: '"slots"' }] as const;

const USERS = '"users"';
const TENANT = '"distributorId"';
/** Returns whether the column contains the id of the user who made a change. That user may be an admin, who belongs to no distributor. */
export const isActorColumn = (column: string): boolean => column.endsWith('By"');

export interface TenantTable extends Table {
  readonly rowsOf: (distributorId: number) => string;
  /** The columns that contain ids, each with the table to which its ids belong. */
  readonly ids: ReadonlyMap<string, string>;
  readonly requiredColumns: ReadonlySet<string>;
}

interface Key {
  readonly table: string;
  readonly column: string;
  readonly target: string;
  readonly targetColumn: string;
}

const KEYS = `SELECT '"' || c.relname || '"' AS table, '"' || a.attname || '"' AS column, '"' || r.relname || '"' AS target, '"' || t.attname || '"' AS "targetColumn"
  FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class r ON r.oid = f.confrelid
    CROSS JOIN unnest(f.conkey, f.confkey) k (source, target)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.source JOIN pg_attribute t ON t.attrelid = r.oid AND t.attnum = k.target
  WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace`;

const REQUIRED = `SELECT '"' || c.relname || '"' AS table, '"' || a.attname || '"' AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND a.attnotnull`;

/**
 * Returns the table to which the ids in a column belong. If the column references a column that is not an id itself, the search continues
 * from the referenced column.
 */
function idTarget(keys: readonly Key[], identities: ReadonlyMap<string, string | null>, table: string, column: string): string | undefined {
  const without = IDS_WITHOUT_KEY[`${table} ${column}`];
  if (without !== undefined) return without;
  for (const key of keys) {
    if (key.table !== table || key.column !== column) continue;
    if (identities.get(key.target) === key.targetColumn) return key.target;
    if (key.target === table && key.targetColumn === column) continue;
    const found = idTarget(keys, identities, key.target, key.targetColumn);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Place = Pick<TenantTable, 'name' | 'columns' | 'ids' | 'requiredColumns'>;

/**
 * Returns a function that builds the SQL condition for the rows of a distributor in table `place`, or null if the table has no column that
 * leads to a distributor. `others` contains the tables before it, which include all tables that it references.
 */
function conditionOf(place: Place, others: ReadonlyMap<string, TenantTable>): ((distributorId: number) => string) | null {
  if (place.name === USERS) return (id) => `"id" = ${id} OR ${TENANT} = ${id}`;
  if (place.requiredColumns.has(TENANT)) return (id) => `${TENANT} = ${id}`;
  const ofTenant = place.columns.filter((column) => /^"(d|\w+D)istributorId"$/.test(column));
  const references = [...place.ids].filter(([column]) => !isActorColumn(column) && !ofTenant.includes(column));
  // A required reference alone says to whom a row belongs. Joined with another one by OR, it would make the statement slow.
  const required = references.filter(([column]) => place.requiredColumns.has(column));
  const ofOthers = required.length > 0 ? required : references;
  if (ofTenant.length + ofOthers.length === 0) return null;
  return (id) =>
    [
      ...ofTenant.map((column) => `${column} = ${id}`),
      ...ofOthers.map(([column, target]) => `${column} IN (SELECT "id" FROM ${target} WHERE ${others.get(target)?.rowsOf(id) ?? 'false'})`),
    ].join(' OR ');
}

/**
 * Returns all tables except those in the parameter `left`. By default, the result contains the tables whose rows are moved. Each table
 * comes after the tables that it references.
 */
export async function tenantTables(client: pg.ClientBase, tables: readonly Table[], left = NOT_MOVED): Promise<TenantTable[]> {
  const { rows: keys } = await client.query<Key>(KEYS);
  const { rows: required } = await client.query<{ table: string; column: string }>(REQUIRED);
  const identities = new Map(tables.map(({ name, identity }) => [name, identity]));
  const found = new Map<string, TenantTable>();
  for (const table of tables) {
    if (left.has(table.name)) continue;
    const targets = table.columns.flatMap((column) => {
      const target = idTarget(keys, identities, table.name, column);
      return target === undefined ? [] : [[column, target] as const];
    });
    const requiredColumns = new Set(required.filter((one) => one.table === table.name).map(({ column }) => column));
    const place = { name: table.name, columns: table.columns, ids: new Map(targets), requiredColumns };
    const rowsOf = conditionOf(place, found);
    if (rowsOf === null) throw new BackupError(`It is not known which rows of ${table.name} belong to a distributor: nothing was done.`);
    found.set(table.name, { ...table, ids: place.ids, requiredColumns, rowsOf });
  }
  return [...found.values()];
}
