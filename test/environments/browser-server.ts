// Starts the database server once per run of the browser tests, and creates a migrated template database. Each test uses a copy of the
// template.
import type pg from 'pg';
import { makeTemplate, onServer, startTestServer } from '../database/postgres-server.ts';

export interface PreparedServer {
  readonly connection: pg.PoolConfig;
  readonly template: string;
}

/** Playwright passes the environment variables that the global setup sets to its worker processes. */
const VARIABLE = 'FEASTDAY_BROWSER_TESTS_SERVER';

export const preparedServer = (): PreparedServer => JSON.parse(process.env[VARIABLE] ?? 'null') as PreparedServer;

export default async function setup(): Promise<() => Promise<void>> {
  const server = await startTestServer();
  const template = await makeTemplate(server.connection);
  process.env[VARIABLE] = JSON.stringify({ connection: server.connection, template } satisfies PreparedServer);
  return async () => {
    await onServer(server.connection, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await server.stop();
  };
}
