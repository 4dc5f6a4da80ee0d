// `npm test`: every check there is, in order. All of them run, whatever fails; the last lines name what failed and say `N passed, N failed`.
// `npm test -- --changed` runs the quick checks and the tests that a change touches.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { selectTests } from './changed-tests.ts';
import type { Test } from './conformance.ts';
import { failuresOf, playwrightTests, vitestTests } from './test-reports.ts';

interface Count {
  passed: number;
  failed: number;
}
/** What a runner's report says. */
interface Outcome extends Count {
  tests: Test[];
}
interface Step {
  name: string;
  group: 'check' | 'unit' | 'browser' | 'conformance';
  command: string;
  /** Reads the runner's report; a step without one counts as one test. */
  read?: () => Outcome;
  /** The step whose failure makes this one worthless. */
  after?: string;
}

const reports = mkdtempSync(join(tmpdir(), 'reports-'));
const VITEST = join(reports, 'vitest.json');
const PLAYWRIGHT = join(reports, 'playwright.json');
const VitestReport = z.object({ numPassedTests: z.int(), numFailedTests: z.int() });
const PlaywrightReport = z.object({ stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }) });

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

function readVitest(): Outcome {
  const report = json(VITEST);
  const { numPassedTests: passed, numFailedTests: failed } = VitestReport.parse(report);
  return { passed, failed, tests: vitestTests(report, process.cwd()) };
}

function readPlaywright(): Outcome {
  const report = json(PLAYWRIGHT);
  const { stats } = PlaywrightReport.parse(report);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, tests: playwrightTests(report, process.cwd()) };
}

const RUN_VITEST = `vitest run --reporter=default --reporter=json --outputFile.json="${VITEST}"`;
const RUN_PLAYWRIGHT = 'playwright test --workers=2 --project desktop';

const STEPS: Step[] = [
  { name: 'format', group: 'check', command: 'npm run --silent format:check' },
  { name: 'lint', group: 'check', command: 'npm run --silent lint' },
  { name: 'types', group: 'check', command: 'npm run --silent types' },
  { name: 'structure', group: 'check', command: 'npm run --silent structure' },
  { name: 'nothing unused', group: 'check', command: 'npm run --silent unused' },
  {
    name: 'unit and API tests',
    group: 'unit',
    command: RUN_VITEST,
    read: readVitest,
  },
  { name: 'build', group: 'browser', command: 'npm run --silent build' },
  { name: 'sizes', group: 'browser', command: 'node scripts/sizes.ts', after: 'build' },
  { name: 'browser', group: 'browser', command: 'node scripts/chromium.ts' },
  {
    name: 'browser tests',
    group: 'browser',
    command: `${RUN_PLAYWRIGHT} --project phone`,
    read: readPlaywright,
    after: 'build',
  },
  { name: 'conformance', group: 'conformance', command: `node scripts/check-conformance.ts "${VITEST}" "${PLAYWRIGHT}"`, after: 'build' },
];

/** A runner that failed, or ran nothing, has failed at least once whatever its report says. */
function outcomeOf({ read }: Step, succeeded: boolean): Outcome {
  if (!read) return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, tests: [] };
  try {
    const { passed, failed, tests } = read();
    return { passed, failed: succeeded && passed > 0 ? failed : Math.max(1, failed), tests };
  } catch {
    return { passed: 0, failed: 1, tests: [] };
  }
}

function run(step: Step, broken: ReadonlySet<string>): Outcome {
  console.log(`\n== ${step.name}`);
  if (step.after && broken.has(step.after)) {
    console.log(`not run, because the ${step.after} failed`);
    return { passed: 0, failed: 1, tests: [] };
  }
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT };
  const { status } = spawnSync(step.command, { shell: true, stdio: 'inherit', env });
  return outcomeOf(step, status === 0);
}

/** The build is made only for browser tests, and only of changed sources. */
function stepsOfChange(): Step[] {
  const { unit, browser, left } = selectTests();
  if (left > 0) console.log(`The ${unit.length} nearest test files run, and not ${left} more that a change touches: npm test runs all.`);
  const unitSteps: Step[] = [{ name: 'unit and API tests', group: 'unit', command: [RUN_VITEST, ...unit].join(' '), read: readVitest }];
  const browserSteps: Step[] = [
    { name: 'build', group: 'browser', command: 'node scripts/build-when-stale.ts' },
    { name: 'browser', group: 'browser', command: 'node scripts/chromium.ts' },
    { name: 'browser tests', group: 'browser', command: [RUN_PLAYWRIGHT, ...browser].join(' '), read: readPlaywright, after: 'build' },
  ];
  return [
    ...STEPS.filter(({ group }) => group === 'check'),
    ...(unit.length > 0 ? unitSteps : []),
    ...(browser.length > 0 ? browserSteps : []),
    { name: 'conformance', group: 'conformance', command: 'npm run --silent conformance' },
  ];
}

const only = process.argv[process.argv.indexOf('--only') + 1];
const steps = process.argv.includes('--changed')
  ? stepsOfChange()
  : STEPS.filter(({ group }) => !process.argv.includes('--only') || group === only);
const broken = new Set<string>();
const failures: string[] = [];
const total: Count = { passed: 0, failed: 0 };
for (const step of steps) {
  const { passed, failed, tests } = run(step, broken);
  total.passed += passed;
  total.failed += failed;
  failures.push(...failuresOf(tests));
  if (failed > 0) broken.add(step.name);
}
rmSync(reports, { recursive: true });

if (broken.size > 0) console.log(`\nFailed: ${[...broken].join(', ')}`);
for (const failure of failures) console.log(`\n${failure}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
