// A session preload is a named query that runs in the same statement as the session lookup, so that authentication and the access check
// share one round trip.

type Argument = number | readonly number[];
export type PreloadArgs = Readonly<Record<string, Argument>>;
type SqlTypes<Args> = { readonly [Name in keyof Args]: Args[Name] extends number ? 'int' : 'int[]' };

interface PreloadDefinition<Args> {
  /**
   * The name of the query. One statement reads the sessions of all concurrent requests whose preload has the same name, so queries with the
   * same name must have the same SQL.
   */
  readonly name: string;
  readonly args: SqlTypes<Args>;
  /**
   * The SQL of a query that returns at most one row. It may read `viewer."userId"`, `viewer."tenantId"`, `viewer.role` and its own
   * `args."name"`. The row is returned as JSON, so it must not contain timestamps or bigints.
   */
  readonly sql: string;
}

export interface PreloadQuery<Args, Row> {
  readonly name: string;
  readonly statements: SessionStatements;
  readonly parametersOf: (args: Args) => readonly string[];
  readonly row?: Row;
}

export interface SessionPreload {
  readonly query: PreloadQuery<never, unknown>;
  readonly parameters: readonly string[];
}

export interface SessionStatements {
  readonly single: string;
  readonly batch: string;
}

const SESSION = `SELECT s.sess->>'createdAt' AS "signedInAt", (extract(epoch FROM s.expire) * 1000)::float8 AS expire, (s.sess->>'idle')::float8 AS idle,
    u.id AS "userId", u.email, u.role, u."distributorId", CASE u.role WHEN 'distributor' THEN u.id ELSE coalesce(u."distributorId", 0) END AS "tenantId",
    u.role = 'agent' AND u."mayTakePayments" AS "mayTakePayments", u."joinedAt" IS NOT NULL AS "hasJoined",
    CASE WHEN u.role = 'agent' AND u."requireSecondFactor" THEN NOT EXISTS (SELECT FROM passkeys p WHERE p."userId" = u.id)
      AND NOT EXISTS (SELECT FROM code_apps c WHERE c."userId" = u.id) ELSE false END AS "mustAddSecondFactor"
  FROM session_store s JOIN users u ON u.id = s."userId" AND u."disabledAt" IS NULL WHERE s.sid = request.sid AND s.expire > request.now
    AND (u.role <> 'agent' OR NOT EXISTS (SELECT FROM users d WHERE d.id = u."distributorId" AND d."disabledAt" IS NOT NULL))`;

const select = (from: string, preloaded: string): string =>
  `SELECT request.index::int, viewer.*, ${preloaded} AS preloaded FROM ${from}, LATERAL (${SESSION}) viewer`;

/**
 * Returns two SQL statements: one reads a single session, the other reads the sessions of a batch. The parameters are the session id, the
 * time and the arguments of the preload query. In the statement for a batch, each parameter is an array.
 */
function statementsOf(types: Readonly<Record<string, string>>, sql: string | null): SessionStatements {
  const columns = ['sid', 'now', ...Object.keys(types).map((_, index) => `arg${index}`)];
  const typeOf = (column: string): string => (column === 'now' ? 'timestamptz' : 'text');
  const single = columns.map((column, index) => `$${index + 1}::${typeOf(column)} AS ${column}`);
  const arrays = columns.map((column, index) => `$${index + 1}::${typeOf(column)}[] AS ${column}`);
  const args = Object.entries(types).map(([name, type], index) => `request.arg${index}::${type} AS "${name}"`);
  const preloaded = sql === null ? 'NULL' : `(SELECT row_to_json(preloaded) FROM (SELECT ${args.join()}) args, LATERAL (${sql}) preloaded)`;
  return {
    single: select(`(SELECT 1 AS index, ${single.join()}) request`, preloaded),
    // The subquery with OFFSET 0 hides the lengths of the arrays from the planner, so that the plan of the prepared statement fits arrays
    // of every length.
    batch: select(
      `(SELECT ${arrays.join()} OFFSET 0) given, unnest(${columns.map((column) => `given.${column}`).join()})
    WITH ORDINALITY request (${columns.join()}, index)`,
      preloaded,
    ),
  };
}

export const SESSION_ONLY = statementsOf({}, null);

const toText = (value: Argument): string => (typeof value === 'number' ? String(value) : `{${value.join()}}`);

export function definePreload<Args extends PreloadArgs, Row>({ name, args: types, sql }: PreloadDefinition<Args>): PreloadQuery<Args, Row> {
  const names = Object.keys(types);
  return {
    name,
    statements: statementsOf(types, sql),
    parametersOf: (args) => names.map((argument) => toText(args[argument] as Argument)),
  };
}
