import pg from 'pg';
import { sql } from 'kysely';
import { afterAll, inject } from 'vitest';
import type { TestApp } from '../test-app.ts';

/** Returns a function that opens another connection to the database of a test. The connections are closed after the tests of the file. */
export function setupClients(): (testApp: TestApp) => Promise<pg.Client> {
  const clients: pg.Client[] = [];
  afterAll(async () => {
    for (const client of clients) await client.end();
  });
  return async (testApp) => {
    const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(testApp.db);
    const client = new pg.Client({ ...inject('postgres').connection, database: rows[0]?.name });
    await client.connect();
    clients.push(client);
    return client;
  };
}
