// `npm test`: runs all checks in order, even after failures; the last lines name the failures and print `N passed, N failed`. `npm test --
// --changed` runs the quick checks and the tests selected for a change.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { selectTests } from './changed-tests.ts';
import { makeTestFolder } from './test-folder.ts';
import { failuresOf } from './test-reports.ts';
import { allSteps, reportsIn, stepsOfChange, type Count, type Outcome, type Step } from './test-steps.ts';

// The reports and all temporary files of the tests are in this folder.
const folder = makeTestFolder();
const reports = reportsIn(folder);

/** Returns the result of a step. A test runner that failed or ran no test counts as at least one failure, whatever its report says. */
function outcomeOf({ read }: Step, succeeded: boolean): Outcome {
  if (!read) return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, tests: [] };
  try {
    const { passed, failed, tests } = read();
    return { passed, failed: succeeded && passed > 0 ? failed : Math.max(1, failed), tests };
  } catch {
    return { passed: 0, failed: 1, tests: [] };
  }
}

const env = {
  ...process.env,
  TMPDIR: folder,
  // Many tests start processes, which need half as much CPU time if they do not compile the same modules again.
  NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
  PLAYWRIGHT_JSON_OUTPUT_FILE: reports.playwright,
};

/** The printed lines of a command that runs in the background, and whether it succeeded. */
interface Printed {
  readonly text: string;
  readonly succeeded: boolean;
}

async function runInBackground(command: string): Promise<Printed> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'], env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  return { text, succeeded: status === 0 };
}

async function runInForeground(command: string): Promise<boolean> {
  const [status] = (await once(spawn(command, { shell: true, stdio: 'inherit', env }), 'exit')) as [number | null];
  return status === 0;
}

async function run(step: Step, broken: ReadonlySet<string>, inBackground?: Promise<Printed>): Promise<Outcome> {
  console.log(`\n== ${step.name}`);
  if (step.after && broken.has(step.after)) {
    console.log(`not run, because the ${step.after} failed`);
    return { passed: 0, failed: 1, tests: [] };
  }
  if (!inBackground) return outcomeOf(step, await runInForeground(step.command));
  const { text, succeeded } = await inBackground;
  process.stdout.write(text);
  return outcomeOf(step, succeeded);
}

function changedSteps(): Step[] {
  const selection = selectTests();
  const { unit, left, notRun } = selection;
  if (left > 0) console.log(`The ${unit.length} nearest test files run; the change touches ${left} more, which npm test runs.`);
  if (notRun.length > 0) console.log(`The browser tests of the change take too long here: npx playwright test ${notRun.join(' ')}`);
  return stepsOfChange(selection, reports);
}

const only = process.argv[process.argv.indexOf('--only') + 1];
const steps = process.argv.includes('--changed')
  ? changedSteps()
  : allSteps(reports).filter(({ group }) => !process.argv.includes('--only') || group === only);
const broken = new Set<string>();
const failures: string[] = [];
const total: Count = { passed: 0, failed: 0 };
// The checks run at the same time, because each of them occupies only one processor core most of the time.
const checks = new Map(steps.filter(({ group }) => group === 'check').map((step) => [step, runInBackground(step.command)]));
for (const step of steps) {
  const { passed, failed, tests } = await run(step, broken, checks.get(step));
  total.passed += passed;
  total.failed += failed;
  failures.push(...failuresOf(tests));
  if (failed > 0) broken.add(step.name);
}
rmSync(folder, { recursive: true, force: true });

if (broken.size > 0) console.log(`\nFailed: ${[...broken].join(', ')}`);
for (const failure of failures) console.log(`\n${failure}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
