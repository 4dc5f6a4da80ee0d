// Defines the commands of `npm test` in order, and how to read the report of each test runner.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Selection } from './changed-tests.ts';
import type { Test } from './conformance.ts';
import { playwrightTests, vitestTests } from './test-reports.ts';

export interface Count {
  passed: number;
  failed: number;
}
/** What the report of a test runner contains: its tests and how many of them passed and failed. */
export interface Outcome extends Count {
  tests: Test[];
}
export interface Step {
  name: string;
  group: 'check' | 'unit' | 'browser' | 'conformance';
  command: string;
  /** Reads the report of a test runner. A step without a report counts as one test. */
  read?: () => Outcome;
  /** The name of the step that must succeed before this step can run. */
  after?: string;
}
/** The paths of the files in which the test runners write their reports. */
interface Reports {
  vitest: string;
  playwright: string;
}

export const reportsIn = (folder: string): Reports => ({
  vitest: join(folder, 'vitest.json'),
  playwright: join(folder, 'playwright.json'),
});

const VitestReport = z.object({ numPassedTests: z.int(), numFailedTests: z.int() });
const PlaywrightReport = z.object({ stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }) });

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

function readVitest(file: string): Outcome {
  const report = json(file);
  const { numPassedTests: passed, numFailedTests: failed } = VitestReport.parse(report);
  return { passed, failed, tests: vitestTests(report, process.cwd()) };
}

function readPlaywright(file: string): Outcome {
  const report = json(file);
  const { stats } = PlaywrightReport.parse(report);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, tests: playwrightTests(report, process.cwd()) };
}

const CHECKS: readonly Step[] = [
  { name: 'format', group: 'check', command: 'npm run --silent format:check' },
  { name: 'lint', group: 'check', command: 'npm run --silent lint' },
  { name: 'types', group: 'check', command: 'npm run --silent types' },
  { name: 'structure', group: 'check', command: 'npm run --silent structure' },
  { name: 'nothing unused', group: 'check', command: 'npm run --silent unused' },
];

const unitTests = ({ vitest }: Reports, args: readonly string[]): Step => ({
  name: 'unit and API tests',
  group: 'unit',
  command: [`vitest run --reporter=default --reporter=json --outputFile.json="${vitest}"`, ...args].join(' '),
  read: () => readVitest(vitest),
});

const CHROMIUM: Step = { name: 'browser', group: 'browser', command: 'node scripts/chromium.ts' };

/**
 * The projects are passed as `--project=name`. In the form `--project name`, Playwright would treat all following arguments as names of
 * projects too.
 */
const browserTests = ({ playwright }: Reports, args: readonly string[]): Step => ({
  name: 'browser tests',
  group: 'browser',
  command: ['playwright test --workers=3 --project=desktop', ...args].join(' '),
  read: () => readPlaywright(playwright),
  after: 'build',
});

export const allSteps = (reports: Reports): Step[] => [
  ...CHECKS,
  unitTests(reports, ["--tags-filter='!long'"]),
  { name: 'build', group: 'browser', command: 'npm run --silent build' },
  { name: 'sizes', group: 'browser', command: 'node scripts/build/sizes.ts', after: 'build' },
  CHROMIUM,
  browserTests(reports, ['--project=phone', '--grep-invert=@long']),
  {
    name: 'conformance',
    group: 'conformance',
    command: `node scripts/check-conformance.ts "${reports.vitest}" "${reports.playwright}"`,
    after: 'build',
  },
];

/**
 * Returns the steps of `npm test -- --changed`, which also runs the long tests of the selected files. A build is among the steps only if
 * browser tests are selected.
 */
export function stepsOfChange({ unit, browser }: Selection, reports: Reports): Step[] {
  const browserSteps: Step[] = [
    { name: 'build', group: 'browser', command: 'node scripts/build/build-when-stale.ts' },
    CHROMIUM,
    browserTests(reports, browser),
  ];
  return [
    ...CHECKS,
    ...(unit.length > 0 ? [unitTests(reports, unit)] : []),
    ...(browser.length > 0 ? browserSteps : []),
    { name: 'conformance', group: 'conformance', command: 'npm run --silent conformance' },
  ];
}
