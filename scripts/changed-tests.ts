// Selects the tests to run after a change: changed tests, and the unit tests that import a changed file. Tests with a direct import come
// first. Also lists the browser tests of the changed features.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The maximum number of selected unit test files. Twelve files take about half a minute on two cores; the checks before them take another
 * half minute.
 */
const UNIT_LIMIT = 12;
const BROWSER_LIMIT = 2;

const IS_UNIT_TEST = /\.test\.tsx?$/;
const IS_BROWSER_TEST = /^test\/e2e\/.*\.spec\.ts$/;
/** Matches the tests of the whole application. They import everything and take minutes. */
const TESTS_EVERYTHING = /^test\/.*\.test\.tsx?$/;

/**
 * Maps each feature with screens to its browser tests. Imports do not show this relation, because a browser test loads the built client.
 * Each browser test takes about a minute.
 */
export const BROWSER_TESTS: Readonly<Record<string, readonly string[]>> = {
  'src/client': ['dialog-forms', 'toasts'],
  'src/features/actuals': ['weighing', 'collection-day'],
  'src/features/audit': ['distributor'],
  'src/features/auth': ['auth'],
  'src/features/backup': ['account'],
  'src/features/catalogue': ['catalogue-day'],
  'src/features/contact': ['customer', 'corrections'],
  'src/features/control-room': ['pick-up-day'],
  'src/features/copies': ['copy'],
  'src/features/counter': ['counter', 'counter-device', 'counter-scanning'],
  'src/features/distributions': ['distributor', 'ordering-times'],
  'src/features/distributors': ['account'],
  'src/features/emails': ['emails', 'email-editor'],
  'src/features/fees': ['distributor', 'corrections'],
  'src/features/former-customers': ['personal-data'],
  'src/features/join-requests': ['auth', 'organization'],
  'src/features/orders': ['customer', 'staff-orders'],
  'src/features/organization': ['organization'],
  'src/features/payments': ['payments', 'collection-day'],
  'src/features/personal-data': ['personal-data'],
  'src/features/print': ['print', 'pdf'],
  'src/features/products': ['catalogue', 'catalogue-day', 'product-table'],
  'src/features/rehearsals': ['rehearsal'],
  'src/features/reports': ['reports', 'report-page'],
  'src/features/second-factor': ['second-factor'],
  'src/features/second-step': ['second-factor'],
  'src/features/short-delivery': ['short-delivery'],
  'src/features/slots': ['ordering-times'],
  'src/features/tills': ['pick-up-day'],
  'src/features/unused-customers': ['people'],
  'src/features/uploads': ['withdrawal'],
  'src/features/users': ['people', 'people-import'],
  'src/features/waiting': ['limits'],
};

export const browserTestFile = (name: string): string => `test/e2e/${name}.spec.ts`;

const IMPORTED = /(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g;

type Importers = ReadonlyMap<string, readonly string[]>;

/** Returns, for each imported file, the files that import it. `sources` maps paths to the contents of the files. */
export function importersIn(sources: ReadonlyMap<string, string>): Importers {
  const importers = new Map<string, string[]>();
  for (const [file, source] of sources) {
    for (const [, path = ''] of source.matchAll(IMPORTED)) {
      const imported = join(dirname(file), path);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/**
 * Maps the changed files, and all files that import them directly or indirectly, to the number of imports between the file and the change.
 */
function distancesFrom(changed: readonly string[], importers: Importers): Map<string, number> {
  const distances = new Map(changed.map((file) => [file, 0]));
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

export interface Selection {
  unit: string[];
  browser: string[];
  /** The number of unit test files that import a changed file but are not selected. */
  left: number;
  /** The browser tests of the changed features. `npm test -- --changed` does not run them, because they take too long. */
  notRun: string[];
}

/**
 * Selects the tests for the changed files. The fewer imports are between a test and a changed file, the earlier the test comes. At equal
 * distance, tests in the folder of a changed file come first.
 */
export function testsOf(changed: readonly string[], importers: Importers): Selection {
  const folders = new Set(changed.map((file) => dirname(file)));
  const distances = distancesFrom(changed, importers);
  const rank = (file: string): number => (distances.get(file) ?? 0) + (folders.has(dirname(file)) ? 0 : 0.5);
  const nearest = [...distances.keys()].toSorted((one, other) => rank(one) - rank(other));
  const touched = nearest.filter((file) => IS_UNIT_TEST.test(file));
  const unit = touched.filter((file) => changed.includes(file) || !TESTS_EVERYTHING.test(file)).slice(0, UNIT_LIMIT);
  const browser = changed.filter((file) => IS_BROWSER_TEST.test(file)).slice(0, BROWSER_LIMIT);
  const ofFeatures = Object.entries(BROWSER_TESTS)
    .filter(([folder]) => changed.some((file) => file.startsWith(`${folder}/`) && !IS_UNIT_TEST.test(file)))
    .flatMap(([, names]) => names.map(browserTestFile));
  return { unit, browser, left: touched.length - unit.length, notRun: [...new Set(ofFeatures)].filter((file) => !browser.includes(file)) };
}

function git(...args: string[]): string[] {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter(Boolean) : [];
}

/**
 * Returns the files that differ from the branch main, including uncommitted files. On main itself, returns the uncommitted files or, if
 * there are none, the files of the last commit.
 */
function changedFiles(): string[] {
  const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  const committed = git('diff', '--name-only', 'main...HEAD');
  const changed = [...new Set([...uncommitted, ...committed])];
  return changed.length > 0 ? changed : git('diff', '--name-only', 'HEAD~1');
}

export function selectTests(): Selection {
  const files = globSync('{src,scripts,db,test,bench}/**/*.{ts,tsx}');
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const selection = testsOf(changedFiles(), importersIn(sources));
  const exists = (file: string): boolean => sources.has(file);
  return { ...selection, unit: selection.unit.filter(exists), browser: selection.browser.filter(exists) };
}
