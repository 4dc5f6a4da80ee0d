// Accesses the database with Kysely and a small pool of connections. This module prepares statements, and repeats transactions after
// retryable errors.
import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './schema.ts';
import { createTenantAdmission } from './tenant-connections.ts';
import { MINUTE } from '../../domain/durations.ts';

/** Either the pool or a transaction. Functions that use the database take it as their first argument. */
export type Db = Kysely<Tables>;

/** The maximum number of connections. On a machine with two cores, more connections make the database slower. */
const POOL_SIZE = 10;
const MOST_PREPARED = 500;
/**
 * PostgreSQL returns SQLSTATE 0A000 when a migration by a newer process has changed the columns of a prepared statement. The statement is
 * then prepared and run again under a new name.
 */
const CHANGED_PLAN = '0A000';
const RETRYABLE = new Set(['40001', '40P01', 'YB001', CHANGED_PLAN]);
const ATTEMPTS = 6;

/** PostgreSQL ends a statement after this timeout. If PostgreSQL is silent for longer, the connection counts as lost. */
const STATEMENT_TIMEOUT = MINUTE;
const LONGEST_SILENCE = STATEMENT_TIMEOUT + 5_000;
/** The SQLSTATE of a write on a standby, or on a former primary that is now a standby. */
const READ_ONLY = '25006';

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());
// Only weights have the type numeric. A double is exact enough for these values: at most 99,999.999 with three decimals.
types.setTypeParser(pg.types.builtins.NUMERIC, Number);
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond the safe integers`);
  return value;
});

const codeOf = (error: unknown): unknown => (typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined);

/** Maps the text of each prepared statement to its name. The name of a text that must not be prepared is undefined. */
const names = new Map<string, string | undefined>();
let timesForgotten = 0;
/** Maps each statement text to the time (`performance.now()`) when an error of that statement last invalidated all prepared statements. */
const forgottenAt = new Map<string, number>();
const FORGET_AGAIN = 1000;

/**
 * Returns the name under which a statement text is prepared. Once the maximum number of names is reached, further texts are not prepared,
 * so that generated SQL cannot fill the memory of the database server.
 */
function nameOf(text: string): string | undefined {
  if (names.has(text) || names.size >= MOST_PREPARED) return names.get(text);
  const name = `s${timesForgotten}_${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * After a call of invalidatePreparedStatements, every connection prepares every statement again. A statement that fails twice within a
 * second is not prepared any more.
 */
function invalidatePreparedStatements(text: string): void {
  const now = performance.now();
  if (now - (forgottenAt.get(text) ?? -Infinity) < FORGET_AGAIN) return void names.set(text, undefined);
  if (forgottenAt.size >= MOST_PREPARED) forgottenAt.clear();
  forgottenAt.set(text, now);
  timesForgotten++;
  names.clear();
}

interface Answered<Result> {
  readonly command: 'SELECT';
  readonly rowCount: number;
  readonly rows: Result[];
}
interface Connection {
  query<Result>(text: string, values: readonly unknown[]): Promise<Answered<Result>>;
  query(cursor: never): never;
  release(): void;
}

interface PoolStats {
  statements: number;
  failures: number;
  seconds: number;
}
interface Opened {
  /**
   * The time (`performance.now()`) when the database server was last found unresponsive or read-only. Connections that were opened before
   * that time are closed, because they lead to that server.
   */
  elsewhereAt: number;
  readonly pool: pg.Pool;
  readonly load: PoolStats;
  readonly onError: (error: Error) => void;
  /** Waits until the tenant of the current request may occupy another connection of this pool. */
  readonly admitTenant: () => Promise<() => void>;
}

/** Whether the error says that the connected server cannot write. A new connection to the same host name may reach another server. */
const isElsewhere = (error: unknown): error is Error =>
  codeOf(error) === READ_ONLY || (error instanceof Error && error.message === 'Query read timeout');

const madeAt = new WeakMap<pg.PoolClient, number>();

/** Returns a connection to the server that can write, and not to one that was found unresponsive or read-only. */
async function connectToCurrent(opened: Opened): Promise<pg.PoolClient> {
  const { pool } = opened;
  let client = await pool.connect();
  while ((madeAt.get(client) ?? Infinity) <= opened.elsewhereAt) {
    client.release(true);
    client = await pool.connect();
  }
  return client;
}

/** Takes a connection from the pool. A connection that breaks while it is used is not returned to the pool. */
async function connect(opened: Opened): Promise<Connection> {
  const { pool, load, onError, admitTenant } = opened;
  const leave = await admitTenant();
  const client = await connectToCurrent(opened).catch((error: unknown) => {
    leave();
    throw error;
  });
  let broken: Error | undefined;
  const lost = (error: Error): void => {
    broken = error;
    onError(error);
  };
  client.on('error', lost);
  const query_timeout = pool.options.query_timeout ?? LONGEST_SILENCE;
  const query = async (text: string, values: unknown[]) => {
    if (broken) throw broken;
    const begun = performance.now();
    load.statements++;
    const name = nameOf(text);
    const query = { name, text, values, query_timeout };
    try {
      return await client.query(query);
    } catch (error) {
      load.failures++;
      if (isElsewhere(error)) {
        opened.elsewhereAt = performance.now();
        lost(error);
      }
      // When a migration outdates several statements at once, the first failure invalidates all of them.
      if (codeOf(error) === CHANGED_PLAN && name !== undefined && names.get(text) === name) invalidatePreparedStatements(text);
      throw error;
    } finally {
      load.seconds += (performance.now() - begun) / 1000;
    }
  };
  const release = (): void => {
    client.off('error', lost);
    client.release(broken);
    leave();
  };
  return { query: query as never, release };
}

/**
 * Whether PostgreSQL has refused and rolled back the statement, so that it had no effect. After a lost connection (also with SQLSTATE
 * 40003) it is unknown whether the statement had an effect.
 */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(21|22|23|40(?!003)|55P03)/.test(error.code ?? '');

/**
 * Limits the time that statements wait for locked rows. When the limit is exceeded, the request ends with 503. Call this in transactions
 * for which other transactions wait.
 */
export const setLockTimeout = (db: Db): Promise<unknown> => run(db, `SET LOCAL lock_timeout = '5s'`, []);

const pools = new WeakMap<Db, Opened>();

/**
 * Opens the pool of connections. The returned function `close` ends the pool. `connection` is a URL or the settings of the embedded
 * server's socket.
 */
export function openDb(connection: pg.PoolConfig, onError: (error: Error) => void): { db: Db; pool: pg.Pool; close: () => Promise<void> } {
  const pool = new pg.Pool({
    max: POOL_SIZE,
    connectionTimeoutMillis: 10_000,
    application_name: 'feastday',
    // TCP keep-alive detects on an idle connection that the server has disappeared.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: `-c random_page_cost=1.1 -c jit=off -c statement_timeout=${STATEMENT_TIMEOUT} -c timezone=UTC`,
    types,
    ...connection,
  });
  pool.on('error', onError);
  pool.on('connect', (client) => madeAt.set(client, performance.now()));
  const opened = {
    elsewhereAt: -Infinity,
    pool,
    load: { statements: 0, failures: 0, seconds: 0 },
    onError,
    admitTenant: createTenantAdmission(),
  };
  const db: Db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: () => connect(opened), end: () => pool.end() } }),
  });
  pools.set(db, opened);
  const close = async (): Promise<void> => {
    await db.destroy();
    // Kysely does not end the pool if Kysely has run no query.
    if (!pool.ending) await pool.end();
  };
  return { db, pool, close };
}

export function poolStats(db: Db): PoolStats & { total: number; idle: number; waiting: number } {
  const opened = pools.get(db);
  if (!opened) throw new Error('A transaction has no load of its own.');
  const { totalCount: total, idleCount: idle, waitingCount: waiting } = opened.pool;
  return { ...opened.load, total, idle, waiting };
}

/** Runs handwritten SQL with `$1` parameters. Use it where building the query with Kysely would cost more than running it. */
export async function run<Result>(db: Db, text: string, values: readonly unknown[]): Promise<Result[]> {
  const opened = pools.get(db);
  if (!opened) return (await db.executeQuery<Result>(CompiledQuery.raw(text, values as unknown[]))).rows;
  // Outside a transaction, the statement is run directly on a connection, without the query builder.
  const connection = await connect(opened);
  try {
    return (
      await connection.query<Result>(text, values).catch((error: unknown) => {
        // The statement failed while it was being planned, so it has changed nothing.
        if (codeOf(error) !== CHANGED_PLAN) throw error;
        return connection.query<Result>(text, values);
      })
    ).rows;
  } finally {
    connection.release();
  }
}

/** Runs a statement that returns at most one row. */
export const runOne = async <Result>(db: Db, text: string, values: readonly unknown[]): Promise<Result | null> =>
  (await run<Result>(db, text, values))[0] ?? null;

/** Runs a statement that always returns one row, such as a count. Throws when there is no row. */
export async function runSingle<Result>(db: Db, text: string, values: readonly unknown[]): Promise<Result> {
  const row = await runOne<Result>(db, text, values);
  if (row === null) throw new Error(`the statement returned no row: ${text}`);
  return row;
}

/**
 * Runs `work` in a transaction, which commits either everything that `work` writes or nothing. A nested call joins the outer transaction.
 * After a serialization failure or a deadlock `work` runs again, so it must change nothing but the database.
 */
export async function transaction<Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return await work(db);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!RETRYABLE.has(String(codeOf(error))) || attempt === ATTEMPTS) throw error;
      await pause(attempt * 5 + Math.random() * attempt * 10);
    }
  }
}

/** Runs several reads on one connection, so that they see one consistent snapshot. A nested call joins the outer transaction. */
export const snapshot = <Result>(db: Db, read: (db: Db) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? read(db) : db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
