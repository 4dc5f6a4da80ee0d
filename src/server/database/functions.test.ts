import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { ROOT } from '../root.ts';
import { run, transaction, type Db } from './db.ts';

const testApp = setupTestApp();
const FOLDER = join(ROOT, 'db/functions');
const OTHER_FILES =
  'db/functions needs one file for each function that the migrations create. Add the missing file, or write the missing migration, or delete the file of a dropped function.';
const OTHER_TEXT =
  'differs from the function that the migrations create. To change the function, edit this file and paste it into a new migration.';

interface Definition {
  readonly name: string;
  readonly text: string;
}

/** Returns the definitions of all functions of a schema as PostgreSQL prints them, but without the name of the schema. */
async function definitionsIn(db: Db, schema: string): Promise<Definition[]> {
  const statement = `SELECT proname AS name, pg_get_functiondef(oid) AS text FROM pg_proc WHERE pronamespace = $1::regnamespace
    ORDER BY proname COLLATE "C"`;
  const found = await run<Definition>(db, statement, [schema]);
  return found.map(({ name, text }) => ({ name, text: text.replace(`${schema}.`, '') }));
}

/** Creates the functions of the files in a separate schema, and returns their definitions. */
const definitionsInFiles = (files: readonly string[]): Promise<Definition[]> =>
  transaction(testApp.db, async (db) => {
    await run(db, 'CREATE SCHEMA files', []);
    await run(db, 'SET LOCAL search_path = files, public', []);
    for (const file of files) {
      await run(db, await readFile(join(FOLDER, file), 'utf8'), []).catch((error: unknown) => {
        throw new Error(`PostgreSQL refuses db/functions/${file}: ${String(error)}`, { cause: error });
      });
    }
    return await definitionsIn(db, 'files');
  });

test('db/functions contains the current definition of each SQL function', async () => {
  const files = (await readdir(FOLDER)).toSorted();
  const created = await definitionsIn(testApp.db, 'public');
  expect(files, OTHER_FILES).toEqual(created.map(({ name }) => `${name}.sql`));

  const inFiles = await definitionsInFiles(files);
  expect(files, 'Each file must define the function after which it is named.').toEqual(inFiles.map(({ name }) => `${name}.sql`));
  for (const [place, { name, text }] of inFiles.entries())
    expect(text, `db/functions/${name}.sql ${OTHER_TEXT}`).toBe(created[place]?.text);
});
