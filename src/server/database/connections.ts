// Opens a small pool of connections. When the database server stops responding or becomes read-only, the pool connects to the server that
// can write.
import pg from 'pg';
import { CHANGED_PLAN, invalidatePreparedStatements, nameOf } from './prepared-statements.ts';
import { createTenantAdmission } from './tenant-connections.ts';
import { MINUTE } from '../../domain/durations.ts';

/** The maximum number of connections. On a machine with two cores, more connections make the database slower. */
const POOL_SIZE = 10;
/** PostgreSQL ends a statement after this timeout. If PostgreSQL is silent for longer, the connection counts as lost. */
const STATEMENT_TIMEOUT = MINUTE;
const MAX_SILENCE = STATEMENT_TIMEOUT + 5_000;
/** The SQLSTATE of a write on a standby server. A former primary server that has become a standby returns it too. */
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

/** Returns the SQLSTATE of a database error. */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/**
 * Whether the error shows that the connected server does not respond or cannot write. A new connection to the same host name may reach
 * another server.
 */
const isElsewhere = (error: unknown): error is Error =>
  codeOf(error) === READ_ONLY || (error instanceof Error && error.message === 'Query read timeout');

export interface Connection {
  readonly query: <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;
  readonly release: () => void;
}

export interface PoolStats {
  statements: number;
  failures: number;
  seconds: number;
}

export interface Connections {
  readonly pool: pg.Pool;
  readonly stats: PoolStats;
  /** Takes a connection from the pool. Waits until the tenant of the current request may occupy another connection. */
  readonly connect: () => Promise<Connection>;
}

/** The pool, and what its connections have in common. */
interface Pool {
  readonly pool: pg.Pool;
  readonly stats: PoolStats;
  readonly onError: (error: Error) => void;
  /**
   * The time (`performance.now()`) when the database server was last found unresponsive or read-only. Connections that were opened before
   * this time lead to that server, so they are closed.
   */
  elsewhereAt: number;
}

const openedAt = new WeakMap<pg.PoolClient, number>();

/** Returns a connection to the server that can write, and not to one that was found unresponsive or read-only. */
async function connectToCurrent(opened: Pool): Promise<pg.PoolClient> {
  const { pool } = opened;
  let client = await pool.connect();
  while ((openedAt.get(client) ?? Infinity) <= opened.elsewhereAt) {
    client.release(true);
    client = await pool.connect();
  }
  return client;
}

/** A connection that breaks while it is used is not returned to the pool. */
function connectionOn(client: pg.PoolClient, opened: Pool, leave: () => void): Connection {
  const { pool, stats, onError } = opened;
  let broken: Error | undefined;
  const lost = (error: Error): void => {
    broken = error;
    onError(error);
  };
  client.on('error', lost);
  const query_timeout = pool.options.query_timeout ?? MAX_SILENCE;
  return {
    async query<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
      if (broken) throw broken;
      const begun = performance.now();
      stats.statements++;
      const name = nameOf(text);
      const query = { name, text, values: [...values], query_timeout };
      try {
        return (await client.query(query)).rows as Row[];
      } catch (error) {
        stats.failures++;
        if (isElsewhere(error)) {
          opened.elsewhereAt = performance.now();
          lost(error);
        }
        if (codeOf(error) === CHANGED_PLAN) invalidatePreparedStatements(text, name);
        throw error;
      } finally {
        stats.seconds += (performance.now() - begun) / 1000;
      }
    },
    release(): void {
      client.off('error', lost);
      client.release(broken);
      leave();
    },
  };
}

/** `connection` is a URL or the settings of the embedded server's socket. */
export function openConnections(connection: pg.PoolConfig, onError: (error: Error) => void): Connections {
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
  pool.on('connect', (client) => openedAt.set(client, performance.now()));
  const opened: Pool = { pool, stats: { statements: 0, failures: 0, seconds: 0 }, onError, elsewhereAt: -Infinity };
  const admitTenant = createTenantAdmission();
  const connect = async (): Promise<Connection> => {
    const leave = await admitTenant();
    try {
      return connectionOn(await connectToCurrent(opened), opened, leave);
    } catch (error) {
      leave();
      throw error;
    }
  };
  return { pool, stats: opened.stats, connect };
}
