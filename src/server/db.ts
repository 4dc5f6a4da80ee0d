// The one way to the database: typed queries (Kysely) over a small pool of prepared statements, and transactions that retry what may be retried.
import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './schema.ts';

/** Pool or transaction: the same type everywhere, always the first argument. */
export type Db = Kysely<Tables>;

/** More connections are slower on two cores. */
const POOL_SIZE = 10;
const MOST_PREPARED = 500;
const RETRYABLE = new Set(['40001', '40P01', 'YB001']);
const ATTEMPTS = 6;

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());
// Only weights are numeric: three decimals up to 99,999.999, which a number holds well enough to find the thousandths again.
types.setTypeParser(pg.types.builtins.NUMERIC, Number);
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond the safe integers`);
  return value;
});

const codeOf = (error: unknown): unknown => (typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined);

const names = new Map<string, string>();

/** Statements are prepared under a name of their own text; past a bound they go unnamed, so that no generated text can fill the server. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_PREPARED) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
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

/** A prepared statement whose columns a newer process's migration changed: the connection has to forget it. */
const CHANGED_PLAN = '0A000';

/** Takes a connection. One that is lost in use, or whose plans are outdated, does not go back into the pool. */
async function connect(pool: pg.Pool, onError: (error: Error) => void): Promise<Connection> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const lost = (error: Error): void => {
    broken = error;
    onError(error);
  };
  client.on('error', lost);
  const query = async (text: string, values: unknown[]) => {
    try {
      return await client.query({ name: nameOf(text), text, values });
    } catch (error) {
      if (codeOf(error) === CHANGED_PLAN) broken = error as Error;
      throw error;
    }
  };
  const release = (): void => {
    client.off('error', lost);
    client.release(broken);
  };
  return { query: query as never, release };
}

const pools = new WeakMap<Db, () => Promise<Connection>>();

/** Opens the pool; `close` ends it. `connection` is a URL or the embedded server's socket. */
export function openDb(connection: pg.PoolConfig, onError: (error: Error) => void): { db: Db; pool: pg.Pool; close: () => Promise<void> } {
  const pool = new pg.Pool({
    max: POOL_SIZE,
    connectionTimeoutMillis: 10_000,
    application_name: 'feastday',
    options: '-c random_page_cost=1.1 -c jit=off -c statement_timeout=60000 -c timezone=UTC',
    types,
    ...connection,
  });
  pool.on('error', onError);
  const db: Db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: () => connect(pool, onError), end: () => pool.end() } }),
  });
  pools.set(db, () => connect(pool, onError));
  return { db, pool, close: () => db.destroy() };
}

/** A hand-written statement with `$1` parameters, for the paths where building one would cost more than running it. */
export async function run<Result>(db: Db, text: string, values: readonly unknown[]): Promise<Result[]> {
  const take = pools.get(db);
  if (!take) return (await db.executeQuery<Result>(CompiledQuery.raw(text, values as unknown[]))).rows;
  // Outside a transaction the query builder would only stand in between.
  const connection = await take();
  try {
    return (await connection.query<Result>(text, values)).rows;
  } finally {
    connection.release();
  }
}

/**
 * All or nothing. Inside another transaction it joins that one. Serialisation failures and deadlocks run the work again,
 * so nothing but the database may be changed in it.
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

/** Several reads of one moment, on one connection. Inside a transaction they are that transaction's. */
export const snapshot = <Result>(db: Db, read: (db: Db) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? read(db) : db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
