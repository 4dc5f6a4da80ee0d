// In `run<Row>(db, sql)`, `runOne<Row>(db, sql)` and `runSingle<Row>(db, sql)`, the compiler cannot check the row type: the programmer only
// asserts it. These tests compare each row type with the columns that PostgreSQL reports for the statement (decision 25).
import { resolve } from 'node:path';
import pg from 'pg';
import { API, SymbolFlags, type Project } from 'typescript/unstable/sync';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { copyOf } from '../database/postgres-server.ts';
import { constantTexts, UnknownText } from './constant-texts.ts';
import { differences } from './row-type.ts';
import { runCalls, type RunCall } from './run-calls.ts';
import { columnReader, type Column } from './statement-columns.ts';

const compiler = new API({ cwd: resolve('.') });
let project: Project;
let client: pg.Client;
let columnsOf: (text: string) => Promise<Column[]>;
let drop: () => Promise<void>;

beforeAll(async () => {
  const { connection, template } = inject('postgres');
  // The test needs its own copy of the template. Other test files cannot copy the template while a client is connected to it.
  const copy = await copyOf(template, connection);
  ({ drop } = copy);
  client = new pg.Client({ ...connection, database: copy.database });
  await client.connect();
  columnsOf = await columnReader(client);
  const [opened] = compiler.updateSnapshot({ openProjects: [resolve('tsconfig.server.json')] }).getProjects();
  if (!opened) throw new Error('tsconfig.server.json was not opened');
  project = opened;
});
afterAll(async () => {
  compiler.close();
  await client.end();
  await drop();
});

async function problemsOf({ file, node, row, statement }: RunCall): Promise<string[]> {
  const { checker } = project;
  try {
    const found: string[] = [];
    for (const text of constantTexts(checker, statement)) found.push(...differences(checker, row, await columnsOf(text), node));
    return [...new Set(found)].map((problem) => `${file}: ${problem}`);
  } catch (error) {
    if (error instanceof UnknownText) return [`${file}: the source does not contain the whole statement`];
    throw error;
  }
}

async function problemsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const call of runCalls(project, folder)) found.push(...(await problemsOf(call)));
  return found.toSorted();
}

/** Lists the columns that PostgreSQL reports as nullable although the conditions of the statement exclude null. */
const NEVER_NULL = [
  'src/features/former-customers/queries.ts: description can be null',
  'src/features/former-customers/queries.ts: email can be null',
  // `tenantId` is a customer's distributor, and every customer has one.
  'src/features/personal-data/queries.ts: tenantId can be null',
  'src/features/unused-customers/queries.ts: tenantId can be null',
  // This entry is for uploads of customers.
  'src/features/uploads/queries.ts: finishedAt can be null',
  'src/features/waiting/queries.ts: heldUntil can be null',
  'src/server/http/pipeline/idempotency.ts: status can be null',
];
/**
 * These statements are built at run time, so their row types are not checked here. The tests of these two files read rows with the
 * statements.
 */
const BUILT_AT_RUN_TIME = [
  'src/server/auth/session.ts: the source does not contain the whole statement',
  'src/server/database/id-chunks.ts: the source does not contain the whole statement',
  'src/server/database/id-chunks.ts: the source does not contain the whole statement',
  'src/server/database/id-chunks.ts: the source does not contain the whole statement',
];

test('the TypeScript row type of every handwritten SQL statement has the columns, types and nulls that PostgreSQL reports', async () => {
  expect(await problemsIn('src/')).toEqual([...NEVER_NULL, ...BUILT_AT_RUN_TIME].toSorted());
});

test('the check of row types finds a row type with a wrong column name, a wrong type or a missing null', async () => {
  expect(await problemsIn('test/row-types/')).toEqual(
    [
      'counted is not returned',
      'count is declared as string, but is number',
      'ids is declared as string[], but is number[]',
      'email is declared as number, but is string',
      'phone can be null',
      'groupOrder can be null',
      'date is declared as number, but is string',
    ]
      .map((problem) => `test/row-types/false-rows.ts: ${problem}`)
      .toSorted(),
  );
});

test('the types of all tables have the columns of the migrated database, with their types and nulls', async () => {
  const { checker, program } = project;
  const file = program.getSourceFile(resolve('test/database/tables.ts'));
  const symbol = file && checker.resolveName('Rows', SymbolFlags.TypeAlias, file);
  if (!file || !symbol) throw new Error('tables.ts has no type Rows');
  const tables = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
  const { rows } = await client.query<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
  expect(tables.map(({ name }) => name).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  for (const table of tables) {
    const columns = await columnsOf(`SELECT * FROM ${table.name}`);
    const row = checker.getTypeOfSymbolAtLocation(table, file);
    expect([table.name, differences(checker, row, columns, file)]).toEqual([table.name, []]);
    const declared = checker.getPropertiesOfType(row).map(({ name }) => name);
    expect([table.name, declared.toSorted()]).toEqual([table.name, columns.map(({ name }) => name).toSorted()]);
  }
});
