// Asks PostgreSQL which columns a statement returns. The statement itself is not run.
import pg from 'pg';

/**
 * The type that the driver returns for a column, as `types` in src/server/database/db.ts defines it. `any` stands for JSON, whose content
 * has no type.
 */
export type ColumnKind = 'string' | 'number' | 'boolean' | 'buffer' | 'any' | 'string[]' | 'number[]' | 'date[]';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  bool: 'boolean',
  bytea: 'buffer',
  date: 'string',
  float8: 'number',
  int4: 'number',
  int8: 'number',
  json: 'any',
  jsonb: 'any',
  numeric: 'number',
  text: 'string',
  timestamptz: 'string',
  uuid: 'string',
  varchar: 'string',
  _int4: 'number[]',
  _text: 'string[]',
  // For an array, the driver uses its own parser. The parsers of db.ts apply only to single values.
  _timestamptz: 'date[]',
};

type Field = Pick<pg.FieldDef, 'name' | 'tableID' | 'columnID' | 'dataTypeID'>;

/** These methods of `pg` send the messages that ask for the description of a query. The types of `pg` do not declare them. */
interface Messages {
  readonly parse: (statement: { text: string; name: string; types: readonly number[] }, more: boolean) => void;
  readonly describe: (what: { type: 'S'; name: string }, more: boolean) => void;
  readonly sync: () => void;
}

const describeFields = (client: pg.Client, text: string): Promise<readonly Field[]> =>
  new Promise((resolve, reject) => {
    let fields: readonly Field[] = [];
    const description = {
      submit(connection: Messages) {
        connection.parse({ text, name: '', types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: (described: { fields: readonly Field[] }) => void (fields = described.fields),
      handleReadyForQuery: () => resolve(fields),
      handleError: (error: Error) => reject(new Error(`${error.message} in ${text}`)),
    };
    client.query(description as unknown as pg.Submittable);
  });

/** Returns the tables that a statement adds with LEFT JOIN. If such a table has no matching row, all its columns are null. */
const outerJoined = (text: string): Set<string> => new Set([...text.matchAll(/\bLEFT JOIN (\w+)/g)].map(([, table = '']) => table));

/** Returns a function that reads the columns of a statement. `client` must be connected to a migrated database. */
export async function columnReader(client: pg.Client): Promise<(text: string) => Promise<Column[]>> {
  const { rows: types } = await client.query<{ oid: number; name: string }>(`SELECT oid::int, typname AS name FROM pg_type`);
  const typeNames = new Map(types.map(({ oid, name }) => [oid, name]));
  const { rows: columns } = await client.query<{ table: number; place: number; name: string; isNullable: boolean }>(
    `SELECT attrelid::int AS "table", attnum AS place, relname AS name, NOT attnotnull AS "isNullable"
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0`,
  );
  const stored = new Map(columns.map((column) => [`${column.table} ${column.place}`, column]));
  return async (text) => {
    const absent = outerJoined(text);
    return (await describeFields(client, text)).map(({ name, tableID, columnID, dataTypeID }) => {
      const type = typeNames.get(dataTypeID) ?? String(dataTypeID);
      const kind = KINDS[type];
      if (!kind) throw new Error(`no type of TypeScript is known for the type ${type} of ${name}`);
      const source = stored.get(`${tableID} ${columnID}`);
      return { name, kind, isNullable: source !== undefined && (source.isNullable || absent.has(source.name)) };
    });
  };
}
