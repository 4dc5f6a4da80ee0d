// Gives the tests a database with a query builder (Kysely). The server itself runs only handwritten SQL.
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type DatabaseConnection, type Driver } from 'kysely';
import type pg from 'pg';
import { openDb, type Db } from '../../src/server/database/db.ts';
import type { Tables } from './tables.ts';

export type TestDb = Db & Kysely<Tables>;

const unsupported = (): never => {
  throw new Error('the query builder of the tests supports single statements only; use transaction()');
};

function driverOf(db: Db): Driver {
  const connection: DatabaseConnection = {
    executeQuery: async ({ sql, parameters }) => ({ rows: await db.query(sql, parameters) }),
    streamQuery: unsupported,
  };
  const nothing = async (): Promise<void> => undefined;
  return {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: async () => unsupported(),
    commitTransaction: async () => unsupported(),
    rollbackTransaction: async () => unsupported(),
    releaseConnection: nothing,
    destroy: nothing,
  };
}

/** Returns the same database or transaction with a query builder. */
export function withQueryBuilder(db: Db): TestDb {
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOf(db),
      createIntrospector: (builder) => new PostgresIntrospector(builder),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return Object.defineProperties(kysely, Object.getOwnPropertyDescriptors(db)) as TestDb;
}

export function openTestDb(connection: pg.PoolConfig): { db: TestDb; close: () => Promise<void> } {
  const { db, close } = openDb(connection, () => undefined);
  return { db: withQueryBuilder(db), close };
}
