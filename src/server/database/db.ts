// Runs SQL statements and transactions on the pool of connections, and repeats them after retryable errors.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { codeOf, openConnections, type Connection, type Connections, type PoolStats } from './connections.ts';
import { CHANGED_PLAN } from './prepared-statements.ts';
import { holdsPermit } from './tenant-connections.ts';

/** Either the pool or a transaction. Functions that use the database take it as their first argument. */
export interface Db {
  readonly isTransaction: boolean;
  /** Runs one statement with `$1` parameters. Features call `run`, `runOne` or `runSingle` instead, whose row types are tested. */
  readonly query: <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;
  /** Runs `work` in a transaction that begins with this statement. If this `Db` is already a transaction, `work` runs in it. */
  readonly begin: <Result>(statement: string, work: (db: Db) => Promise<Result>) => Promise<Result>;
  readonly poolStats: () => PoolStats & { total: number; idle: number; waiting: number };
}

const RETRYABLE = new Set<unknown>(['40001', '40P01', 'YB001', CHANGED_PLAN]);
const ATTEMPTS = 6;

/** Returns a transaction on this connection, which runs its statements one after the other, and a function that ends the transaction. */
function transactionOn({ query }: Connection, { poolStats }: Db): { db: Db; end: (text: 'COMMIT' | 'ROLLBACK') => Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve();
  let isOver = false;
  const queue = <Row>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    const next = last.then(() => query<Row>(text, values));
    last = next.catch(() => undefined);
    return next;
  };
  const db: Db = {
    isTransaction: true,
    async query(text, values) {
      // The connection may already serve another request. A statement that was started but not awaited within the transaction must not run
      // on it.
      if (isOver) throw new Error('the transaction has ended');
      return await queue(text, values);
    },
    begin: (_, work) => work(db),
    poolStats,
  };
  const end = (text: string): Promise<unknown> => {
    isOver = true;
    return queue(text, []);
  };
  return { db, end };
}

function dbOn({ pool, stats, connect }: Connections): Db {
  const withConnection = async <Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> => {
    const connection = await connect();
    try {
      return await work(connection);
    } finally {
      connection.release();
    }
  };
  const db: Db = {
    isTransaction: false,
    query: <Row>(text: string, values: readonly unknown[]) =>
      withConnection(({ query }) =>
        query<Row>(text, values).catch((error: unknown) => {
          // The statement failed while it was being planned, so it has changed nothing.
          if (codeOf(error) !== CHANGED_PLAN) throw error;
          return query<Row>(text, values);
        }),
      ),
    begin: (statement, work) =>
      withConnection(async (connection) => {
        await connection.query(statement, []);
        const begun = transactionOn(connection, db);
        try {
          const result = await work(begun.db);
          await begun.end('COMMIT');
          return result;
        } catch (error) {
          await begun.end('ROLLBACK');
          throw error;
        }
      }),
    poolStats: () => ({ ...stats, total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
  return db;
}

/**
 * Opens the pool of connections. The returned function `close` ends the pool. `connection` is a URL or the settings of the embedded
 * server's socket.
 */
export function openDb(connection: pg.PoolConfig, onError: (error: Error) => void): { db: Db; pool: pg.Pool; close: () => Promise<void> } {
  const connections = openConnections(connection, onError);
  const { pool } = connections;
  return { db: dbOn(connections), pool, close: () => pool.end() };
}

/**
 * Whether PostgreSQL has refused and rolled back the statement, so that it had no effect. After a lost connection (also with SQLSTATE
 * 40003) it is unknown whether the statement had an effect.
 */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(21|22|23|40(?!003)|55P03)/.test(error.code ?? '');

/** Runs a statement with `$1` parameters and returns its rows. */
export const run = <Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> => db.query<Row>(text, values);

/** Runs a statement that returns at most one row. */
export const runOne = async <Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row | null> =>
  (await db.query<Row>(text, values))[0] ?? null;

/** Runs a statement that always returns one row, such as a count. Throws when there is no row. */
export async function runSingle<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row> {
  const row = await runOne<Row>(db, text, values);
  if (row === null) throw new Error(`the statement returned no row: ${text}`);
  return row;
}

/**
 * Limits the time that statements wait for locks, until the transaction ends. When the limit is exceeded, the request ends with 503. Use
 * this in transactions for which other transactions wait. A shorter limit, which expensive calls have, is kept.
 */
export const LOCK_TIMEOUT_SQL = `set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '5s'), true)`;
export const setLockTimeout = (db: Db): Promise<unknown> => run(db, `SELECT ${LOCK_TIMEOUT_SQL}`, []);

/** Like `setLockTimeout`, for a transaction that runs while jobs of other tenants wait in a queue for its end. */
const setShortLockTimeout = (db: Db): Promise<unknown> => run(db, `SET LOCAL lock_timeout = '1s'`, []);

/** Runs `work` in a transaction that starts with the statement `begin`. Repeats the transaction after an error that may not occur again. */
async function inTransaction<Result>(db: Db, begin: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return await work(db);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.begin(begin, work);
    } catch (error) {
      if (!RETRYABLE.has(codeOf(error)) || attempt === ATTEMPTS) throw error;
      await pause(attempt * 5 + Math.random() * attempt * 10);
    }
  }
}

/**
 * Runs `work` in a transaction, which commits either everything that `work` writes or nothing. A nested call joins the outer transaction.
 * After a serialization failure or a deadlock `work` runs again, so it must change nothing but the database. If other tenants wait for the
 * current job, its statements wait only briefly for locks.
 */
export const transaction = <Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> =>
  inTransaction(db, 'BEGIN', holdsPermit() ? async (db) => (await setShortLockTimeout(db), await work(db)) : work);

/** Runs several reads on one connection, so that they see one consistent snapshot. A nested call joins the outer transaction. */
export const snapshot = <Result>(db: Db, read: (db: Db) => Promise<Result>): Promise<Result> =>
  inTransaction(db, 'START TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', read);
