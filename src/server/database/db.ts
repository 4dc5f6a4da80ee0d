// The database access: Kysely over a small pool with prepared statements, and transactions that retry retryable errors.
import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './schema.ts';

/** Pool or transaction: one type everywhere, always the first argument. */
export type Db = Kysely<Tables>;

/** More connections are slower on two cores. */
const POOL_SIZE = 10;
const MOST_PREPARED = 500;
/** SQLSTATE 0A000: a newer process's migration changed the columns of a prepared statement, which is retried under a new name. */
const CHANGED_PLAN = '0A000';
const RETRYABLE = new Set(['40001', '40P01', 'YB001', CHANGED_PLAN]);
const ATTEMPTS = 6;

/** PostgreSQL ends a statement after its timeout, so a longer silence means that the server is gone. */
const STATEMENT_TIMEOUT = 60_000;
const LONGEST_SILENCE = STATEMENT_TIMEOUT + 5_000;
/** SQLSTATE of a write on a standby, or on a primary that became a standby. */
const READ_ONLY = '25006';

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());
// Only weights are numeric. A double is exact enough for the three decimals of values up to 99,999.999.
types.setTypeParser(pg.types.builtins.NUMERIC, Number);
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond the safe integers`);
  return value;
});

const codeOf = (error: unknown): unknown => (typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined);

/** Undefined: the statement is not prepared. */
const names = new Map<string, string | undefined>();
let timesForgotten = 0;
/** By statement text: when an error of that statement last made all statements be prepared again (`performance.now()`). */
const forgottenAt = new Map<string, number>();
const FORGET_AGAIN = 1000;

/**
 * Prepares each statement text under its own name. Above a limit, further texts are not prepared, so that generated SQL cannot fill the
 * server's memory.
 */
function nameOf(text: string): string | undefined {
  if (names.has(text) || names.size >= MOST_PREPARED) return names.get(text);
  const name = `s${timesForgotten}_${names.size}`;
  names.set(text, name);
  return name;
}

/** Prepares every statement again on every connection; a statement that fails again within a second is not prepared any more. */
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
  /** When a server was found unresponsive or read-only (`performance.now()`). Connections opened before that lead to the same server. */
  elsewhereAt: number;
  readonly pool: pg.Pool;
  readonly load: PoolStats;
  readonly onError: (error: Error) => void;
}

/** The connected server cannot write; a new connection may reach another server under the same host name. */
const isElsewhere = (error: unknown): error is Error =>
  codeOf(error) === READ_ONLY || (error instanceof Error && error.message === 'Query read timeout');

const madeAt = new WeakMap<pg.PoolClient, number>();

/** Takes a connection from the pool. A connection that breaks in use is not returned to the pool. */
async function connect(opened: Opened): Promise<Connection> {
  const { pool, load, onError } = opened;
  let client = await pool.connect();
  while ((madeAt.get(client) ?? Infinity) <= opened.elsewhereAt) {
    client.release(true);
    client = await pool.connect();
  }
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
      // When several statements are outdated at once, the first one to fail renews all.
      if (codeOf(error) === CHANGED_PLAN && name !== undefined && names.get(text) === name) invalidatePreparedStatements(text);
      throw error;
    } finally {
      load.seconds += (performance.now() - begun) / 1000;
    }
  };
  const release = (): void => {
    client.off('error', lost);
    client.release(broken);
  };
  return { query: query as never, release };
}

/** PostgreSQL refused and rolled back the statement, so it had no effect. After a lost connection (also 40003) the outcome is unknown. */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(21|22|23|40(?!003)|55P03)/.test(error.code ?? '');

/** For transactions that others wait for: waiting longer for a locked row ends with 503. */
export const setLockTimeout = (db: Db): Promise<unknown> => run(db, `SET LOCAL lock_timeout = '5s'`, []);

const pools = new WeakMap<Db, Opened>();

/** Opens the pool; `close` ends it. `connection` is a URL or the embedded server's socket. */
export function openDb(connection: pg.PoolConfig, onError: (error: Error) => void): { db: Db; pool: pg.Pool; close: () => Promise<void> } {
  const pool = new pg.Pool({
    max: POOL_SIZE,
    connectionTimeoutMillis: 10_000,
    application_name: 'feastday',
    // TCP keep-alive detects on idle connections that the server is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: `-c random_page_cost=1.1 -c jit=off -c statement_timeout=${STATEMENT_TIMEOUT} -c timezone=UTC`,
    types,
    ...connection,
  });
  pool.on('error', onError);
  pool.on('connect', (client) => madeAt.set(client, performance.now()));
  const opened = { elsewhereAt: -Infinity, pool, load: { statements: 0, failures: 0, seconds: 0 }, onError };
  const db: Db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: () => connect(opened), end: () => pool.end() } }),
  });
  pools.set(db, opened);
  const close = async (): Promise<void> => {
    await db.destroy();
    // Kysely does not end a pool that it never used.
    if (!pool.ending) await pool.end();
  };
  return { db, pool, close };
}

/** The number of statements of this process so far, and its current connections. */
export function poolStats(db: Db): PoolStats & { total: number; idle: number; waiting: number } {
  const opened = pools.get(db);
  if (!opened) throw new Error('A transaction has no load of its own.');
  const { totalCount: total, idleCount: idle, waitingCount: waiting } = opened.pool;
  return { ...opened.load, total, idle, waiting };
}

/** Runs handwritten SQL with `$1` parameters, where building the query would cost more than running it. */
export async function run<Result>(db: Db, text: string, values: readonly unknown[]): Promise<Result[]> {
  const opened = pools.get(db);
  if (!opened) return (await db.executeQuery<Result>(CompiledQuery.raw(text, values as unknown[]))).rows;
  // Outside a transaction this skips the query builder.
  const connection = await connect(opened);
  try {
    return (
      await connection.query<Result>(text, values).catch((error: unknown) => {
        // The statement failed during planning, so nothing has happened.
        if (codeOf(error) !== CHANGED_PLAN) throw error;
        return connection.query<Result>(text, values);
      })
    ).rows;
  } finally {
    connection.release();
  }
}

/**
 * Commits everything or nothing. A nested call joins the outer transaction. Serialization failures and deadlocks run the work again, so it
 * must change nothing but the database.
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

/** Several reads of one consistent snapshot on one connection; a nested call joins the outer transaction. */
export const snapshot = <Result>(db: Db, read: (db: Db) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? read(db) : db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
