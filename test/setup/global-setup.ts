// Starts the database server once per test run, and creates a migrated template database. Each test file uses a copy of the template.
import type { TestProject } from 'vitest/node';
import { SEED_LINE } from './sampling.ts';
import { makeTemplate, onServer, startTestServer } from '../database/postgres-server.ts';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.stdout.write(`${SEED_LINE}\n`);
  const server = await startTestServer();
  const template = await makeTemplate(server.connection);
  project.provide('postgres', { connection: server.connection as { host: string; port: number; user: string }, template });
  return async () => {
    await onServer(server.connection, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await server.stop();
  };
}
