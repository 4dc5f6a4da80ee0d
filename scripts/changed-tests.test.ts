import { existsSync, globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BROWSER_TESTS, browserTestFile, importersIn, testsOf } from './changed-tests.ts';

const importers = importersIn(
  new Map([
    ['src/domain/money.ts', ''],
    ['src/domain/money.test.ts', "import { cents } from './money.ts';"],
    ['src/features/fees/total.ts', "import type { Cents } from '../../domain/money.ts';"],
    ['src/features/fees/total.test.ts', "import { total } from './total.ts';"],
    ['src/features/fees/screen.tsx', "const lazy = () => import('./total.ts');"],
    ['src/features/fees/screen.test.tsx', "import '../../domain/unrelated.ts';\nimport { Screen } from './screen.tsx';"],
    ['src/features/auth/session.test.ts', "import { session } from './session.ts';"],
  ]),
);

describe('the unit tests selected for a change', () => {
  test('are those that import a changed file, directly or indirectly; the tests with the shortest chain of imports come first', () => {
    const { unit, left } = testsOf(['src/domain/money.ts'], importers);
    expect(unit).toEqual(['src/domain/money.test.ts', 'src/features/fees/total.test.ts', 'src/features/fees/screen.test.tsx']);
    expect(left).toBe(0);
  });

  test('include a test that was changed itself', () => {
    expect(testsOf(['src/features/auth/session.test.ts'], importers).unit).toEqual(['src/features/auth/session.test.ts']);
  });

  test('are none when only a document has changed', () => {
    expect(testsOf(['docs/architecture.md'], importers)).toEqual({ unit: [], browser: [], left: 0, notRun: [] });
  });

  test('begin with the tests in the folder of the changed file when the import chains are equally long; tests above a limit are left out and counted', () => {
    const names = Array.from({ length: 30 }, (_, index) => `src/far-${index}.test.ts`);
    const many = new Map([['src/server/db.ts', [...names, 'src/server/db.test.ts']]]);
    const { unit, left } = testsOf(['src/server/db.ts'], many);
    expect([unit[0], unit.length, left]).toEqual(['src/server/db.test.ts', 12, 19]);
  });

  test('include a test of the whole application only when the test itself changed', () => {
    const all = new Map([['src/server/db.ts', ['test/fuzz.test.ts', 'src/server/db.test.ts']]]);
    expect(testsOf(['src/server/db.ts'], all)).toMatchObject({ unit: ['src/server/db.test.ts'], left: 1 });
    expect(testsOf(['src/server/db.ts', 'test/fuzz.test.ts'], all).unit).toContain('test/fuzz.test.ts');
  });
});

describe('the browser tests selected for a change', () => {
  test('are only the browser tests that changed; the tests of a changed feature are named but not run', () => {
    const changed = ['src/features/fees/screen.tsx', 'src/features/auth/screen.tsx', 'test/e2e/pdf.spec.ts'];
    expect(testsOf(changed, importers)).toMatchObject({
      browser: ['test/e2e/pdf.spec.ts'],
      notRun: ['test/e2e/auth.spec.ts', 'test/e2e/distributor.spec.ts', 'test/e2e/corrections.spec.ts'],
    });
    expect(testsOf(['src/features/fees/screen.test.tsx'], importers).notRun).toEqual([]);
  });

  test('are taken from a table whose folders and test files all exist', () => {
    const missing = Object.entries(BROWSER_TESTS).filter(
      ([folder, names]) => !existsSync(folder) || !names.every((name) => existsSync(browserTestFile(name))),
    );
    expect(missing).toEqual([]);
  });

  test('are in the table for every feature that has screens', () => {
    const screens = globSync('src/features/**/*.tsx').filter((file) => !file.endsWith('.test.tsx'));
    const features = new Set(screens.map((file) => file.split('/').slice(0, 3).join('/')));
    expect([...features].filter((feature) => !(feature in BROWSER_TESTS))).toEqual([]);
  });
});
