import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { structureProblems } from './check-structure.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function problemsOf(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'structure-'));
  roots.push(root);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return structureProblems(root);
}

test('the structure check accepts a source tree that follows the rules of the folder structure', () => {
  const problems = problemsOf({
    'src/domain/money.ts': `export const cents = 1;`,
    'src/domain/money.test.ts': `import { cents } from './money.ts';`,
    'src/shared/endpoint.ts': `import { z } from 'zod';\nimport { cents } from '../domain/money.ts';`,
    'src/server/http.ts': `import Fastify from 'fastify';\nimport { readFile } from 'node:fs/promises';`,
    'src/server/database/db.ts': `import pg from 'pg';\nimport { createLimiter } from '../queues/limiter.ts';`,
    'src/server/queues/limiter.ts': `import { busy } from '../errors.ts';`,
    'src/server/http/app.ts': `import { db } from '../database/db.ts';`,
    'src/server/openapi/document.ts': `import type { Endpoint } from '../../shared/endpoint.ts';`,
    'src/client/styles.css': `body {}`,
    'src/client/styles/print.css': `body {}`,
    'src/client/ui/forms/button.tsx': `import { useState } from 'react';\nimport {\n  cents,\n} from '../../../domain/money.ts';`,
    'src/client/api/fetch.ts': `import { cents } from '../../domain/money.ts';`,
    'src/shared/csv/read-csv.ts': `import { cents } from '../../domain/money.ts';`,
    'src/domain/accounts/roles.ts': `import { cents } from '../money.ts';`,
    'src/features/orders/texts.ts': `export const saved = 'Order placed successfully';`,
    'src/features/orders/texts.de.ts': `export const saved = 'Bestellt';\nvoid (0 as unknown as typeof import('./texts.de.ts') satisfies InAnyLanguage<typeof import('./texts.ts')>);`,
    'src/client/texts.ts': `import { counted } from '../shared/endpoint.ts';`,
    'src/screens/texts.ts': `export const title = 'Admin Dashboard';`,
    'src/features/orders/contract.ts': `import { z } from 'zod/mini';\nimport { Product } from '../products/contract.ts';`,
    'src/features/orders/queries.ts': `import pg from 'pg';\nimport type { Order } from './contract.ts';`,
    'src/features/orders/routes.ts': `import { placeOrder } from './contract.ts';\nimport { on } from '../../server/http.ts';\nimport { orderMail } from './mail.ts';`,
    'src/features/orders/routes.test.ts': `import { testApp } from '../../../test/world.ts';\nimport { buildApi } from '../../api.ts';`,
    'src/features/orders/mail.ts': `import { saved } from './texts.ts';`,
    'src/features/orders/csv.ts': `import { toCsv } from '../../shared/csv.ts';`,
    'src/features/orders/order-list.tsx': `import { Button } from '../../client/ui/forms/button.tsx';`,
    'src/features/orders/order-page/order-page.tsx': `import { Button } from '../../../client/ui/forms/button.tsx';\nimport { placeOrder } from '../contract.ts';\nimport { useOrder } from './use-order.ts';`,
    'src/features/orders/order-page/use-order.ts': `import { useState } from 'react';`,
    'src/features/products/contract.ts': `export const Product = 1;`,
    'src/screens/admin-dashboard.tsx': `import { OrderPage } from '../features/orders/order-page/order-page.tsx';`,
    'src/router.tsx': `const page = () => import('./screens/admin-dashboard.tsx');`,
    'src/start-client.tsx': `import './client/styles.css';\nimport { Router } from './router.tsx';`,
    'src/api.ts': `import { orderRoutes } from './features/orders/routes.ts';`,
    'src/start-server.ts': `import { buildApi } from './api.ts';`,
    'test/world.ts': `import { buildApi } from '../src/api.ts';`,
    'db/seed.ts': `import { saveOrder } from '../src/features/orders/queries.ts';`,
  });
  expect(problems).toEqual([]);
});

test('this repository follows the rules of the folder structure (contract §7)', () => {
  expect(structureProblems(resolve(import.meta.dirname, '..'))).toEqual([]);
});

describe('the structure check reports a file in the wrong folder', () => {
  test.each([
    ['src/features/orders/hooks.ts'],
    ['src/features/orders/order-page/table/line.tsx'],
    ['src/features/orders/order-page/queries.ts'],
    ['src/client/ui/table/cells/cell.tsx'],
    ['src/features/orders/pictures.ts'],
    ['src/features/orders.ts'],
    ['src/domain/money.tsx'],
    ['src/screens/columns.ts'],
    ['src/model/order.ts'],
    ['src/app.tsx'],
    ['src/server/notes.md'],
  ])('at the path %s', (file) => {
    expect(problemsOf({ [file]: '' })).toEqual([
      `${file}: a file of this name may not be in this folder; scripts/layers.ts lists the allowed names`,
    ]);
  });
});

test('the structure check requires file names in kebab-case', () => {
  expect(problemsOf({ 'src/features/orders/OrderPage.tsx': '', 'scripts/checkAll.ts': '' })).toEqual([
    'scripts/checkAll.ts: write the file name in kebab-case, such as order-page.tsx',
    'src/features/orders/OrderPage.tsx: a file of this name may not be in this folder; scripts/layers.ts lists the allowed names',
    'src/features/orders/OrderPage.tsx: write the file name in kebab-case, such as order-page.tsx',
  ]);
});

describe('the structure check refuses a meaningless word as a file name', () => {
  test.each([
    ['src/server/mail-service.ts', 'service'],
    ['src/server/helpers.ts', 'helper'],
    ['src/shared/utils.ts', 'util'],
    ['src/client/ui/base.tsx', 'base'],
    ['test/common.ts', 'common'],
  ])('in the path %s', (file, word) => {
    expect(problemsOf({ [file]: '' })).toEqual([`${file}: "${word}" does not say what the file contains; choose a name that does`]);
  });
});

test('the structure check accepts a file name that contains a meaningless word only as part of another word', () => {
  expect(problemsOf({ 'src/server/database.ts': '', 'src/domain/utility-fee.ts': '' })).toEqual([]);
});

test('the structure check accepts the standard terms handler and service worker in a file name', () => {
  expect(problemsOf({ 'src/server/error-handler.ts': '', 'src/start-service-worker.ts': '' })).toEqual([]);
});

test('the structure check refuses a barrel, a file that only re-exports other files', () => {
  expect(problemsOf({ 'src/client/ui/index.ts': '', 'src/server/db.ts': `export * from './schema.ts';` })).toEqual([
    'src/client/ui/index.ts: remove this file that only re-exports others, and import the files themselves',
    'src/server/db.ts: do not re-export a whole file with `export *`; import the file itself',
  ]);
});

test('the structure check refuses default exports of source files', () => {
  expect(
    problemsOf({
      'test/environments/page.ts': 'export default 1;',
      'src/client/toast.tsx': 'export default 1;',
      'src/server/db.ts': 'const a = 1;\nexport { a as default };',
    }),
  ).toEqual([
    'src/client/toast.tsx: use a named export instead of a default export',
    'src/server/db.ts: use a named export instead of a default export',
  ]);
});

test('the structure check refuses a translated text catalogue that does not have the type of the English one', () => {
  expect(problemsOf({ 'src/client/texts.ts': '', 'src/client/texts.de.ts': `export const CLOSE = 'Schließen';` })).toEqual([
    'src/client/texts.de.ts: add the type that requires the same texts as in English (docs/decisions/010-languages.md)',
  ]);
});

test('the structure check refuses a test that is not in the folder of the file that it tests', () => {
  expect(problemsOf({ 'src/server/fees.test.ts': `import { fees } from '../domain/fees.ts';` })).toEqual([
    'src/server/fees.test.ts: move the test to the folder of the file that it tests',
  ]);
});

describe('the structure check of CSS class names with a physical side (left or right)', () => {
  test.each(['ml-2', '-mr-1', 'md:pl-3', 'hover:text-left', 'right-0', 'border-l', 'rounded-r-ctl', 'scroll-ml-4'])(
    'refuses the class %s',
    (name) => {
      expect(problemsOf({ 'src/client/ui/button.tsx': `const look = 'flex ${name} gap-2';` })).toEqual([
        'src/client/ui/button.tsx: use the CSS classes of start and end, such as ms-2, because in some languages the text runs from right to left',
      ]);
    },
  );
  test.each(['ms-2', 'text-start', 'md:left-1/2', 'leading-none', 'border-line'])(
    'accepts the class %s, which does not depend on the direction of writing',
    (name) => {
      expect(problemsOf({ 'src/client/ui/button.tsx': `const look = 'flex ${name} gap-2';` })).toEqual([]);
    },
  );
});

test('the structure check refuses domain code that reads the clock', () => {
  expect(problemsOf({ 'src/domain/account.ts': 'export const now = () => Date.now();' })).toEqual([
    'src/domain/account.ts: do not read the clock or random numbers in the domain; pass them as parameters',
  ]);
});

test('the structure check refuses SQL in a feature outside queries.ts', () => {
  expect(problemsOf({ 'src/features/orders/mail.ts': 'export const ORDER = `SELECT id FROM orders`;' })).toEqual([
    'src/features/orders/mail.ts: move the SQL statement to a queries.ts, which contains all SQL and the access checks',
  ]);
});

describe('the structure check refuses an import between layers', () => {
  test.each([
    ['src/domain/fees.ts', '../shared/dates.ts', 'domain may not import src/shared/dates.ts'],
    ['src/shared/csv.ts', '../server/db.ts', 'shared may not import src/server/db.ts'],
    ['src/server/db.ts', '../features/orders/queries.ts', 'server may not import src/features/orders/queries.ts'],
    ['src/server/database/batcher.ts', '../http/app.ts', 'serverCore may not import src/server/http/app.ts'],
    ['src/server/queues/limiter.ts', '../web/static.ts', 'serverCore may not import src/server/web/static.ts'],
    ['src/client/texts.ts', './fetch.ts', 'kitTexts may not import src/client/fetch.ts'],
    ['src/client/fetch.ts', '../features/orders/texts.ts', 'client may not import src/features/orders/texts.ts'],
    ['src/client/fetch.ts', '../features/orders/contract.ts', 'client may not import src/features/orders/contract.ts'],
    ['src/features/orders/contract.ts', '../../server/db.ts', 'contract may not import src/server/db.ts'],
    ['src/features/orders/queries.ts', '../../server/http/app.ts', 'queries may not import src/server/http/app.ts'],
    ['src/features/orders/queries.ts', './routes.ts', 'queries may not import src/features/orders/routes.ts'],
    ['src/features/orders/routes.ts', '../fees/routes.ts', 'routes may not import src/features/fees/routes.ts'],
    [
      'src/features/orders/routes.ts',
      '../fees/contract.ts',
      'routes may import no contract but their own, not src/features/fees/contract.ts',
    ],
    ['src/features/orders/order-page.tsx', './queries.ts', 'view may not import src/features/orders/queries.ts'],
    ['src/features/orders/order-page.tsx', '../../screens/not-found.tsx', 'view may not import src/screens/not-found.tsx'],
    ['src/screens/not-found.tsx', '../server/http.ts', 'screens may not import src/server/http.ts'],
    ['src/server/db.ts', '../api.ts', 'only start files and tests may import src/api.ts'],
    ['bench/run.ts', '../src/start-server.ts', 'only start files and tests may import src/start-server.ts'],
    ['src/server/db.ts', '../../test/world.ts', 'only tests may import test/world.ts'],
    ['src/start-demo.ts', './server/db.test.ts', 'only tests may import src/server/db.test.ts'],
  ])('when %s imports %s', (file, target, problem) => {
    for (const line of [
      `import { a } from '${target}';`,
      `import type { A } from '${target}';`,
      `import {\n  a,\n  b as c,\n} from '${target}';`,
      `export { a } from '${target}';`,
      `import '${target}';`,
      `const a = await import('${target}');`,
    ]) {
      expect(problemsOf({ [file]: line }), line).toEqual([`${file}: ${problem}`]);
    }
  });
});

describe('the structure check refuses a server package in the browser, and a browser package on the server', () => {
  test.each([
    ['src/domain/fees.ts', 'date-fns', 'domain'],
    ['src/domain/fees.ts', 'node:crypto', 'domain'],
    ['src/shared/dates.ts', 'pg', 'shared'],
    ['src/features/orders/queries.ts', 'kysely', 'queries'],
    ['src/features/orders/contract.ts', 'papaparse', 'contract'],
    ['src/features/orders/queries.ts', 'fastify', 'queries'],
    ['src/features/orders/routes.ts', 'react', 'routes'],
    ['src/server/http.ts', 'react-dom/server', 'server'],
    ['src/server/auth/session.ts', 'fastify', 'serverCore'],
    ['src/client/fetch.ts', 'node:fs', 'client'],
    ['src/client/fetch.ts', 'path', 'client'],
    ['src/features/orders/order-page.tsx', 'pg', 'view'],
    ['src/screens/not-found.tsx', '@node-rs/argon2', 'screens'],
  ])('when %s imports the package %s', (file, name, layer) => {
    expect(problemsOf({ [file]: `import { a } from '${name}';` })).toEqual([`${file}: ${layer} may not use the package ${name}`]);
  });
});

test('the structure check refuses a folder with more than 15 source files, not counting tests', () => {
  const files = (count: number, end: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/domain/rule-${index}${end}`, '']));
  expect(problemsOf({ ...files(15, '.ts'), ...files(15, '.test.ts') })).toEqual([]);
  expect(problemsOf(files(16, '.ts'))).toEqual([
    'src/domain: 16 source files; move some to a sub-folder, because a folder may have at most 15',
  ]);
});

describe('the structure check of import cycles between files', () => {
  test('reports the path of each cycle', () => {
    const problems = problemsOf({
      'src/domain/a.ts': `import { b } from './b.ts';`,
      'src/domain/b.ts': `import { c } from './c.ts';`,
      'src/domain/c.ts': `import { a } from './a.ts';`,
    });
    expect(problems).toEqual(['src/domain/a.ts: import cycle: src/domain/a.ts > src/domain/b.ts > src/domain/c.ts > src/domain/a.ts']);
  });

  test('accepts a cycle in which the files import only types from each other', () => {
    expect(problemsOf({ 'src/domain/a.ts': `import { b } from './b.ts';`, 'src/domain/b.ts': `import type { A } from './a.ts';` })).toEqual(
      [],
    );
  });
});
