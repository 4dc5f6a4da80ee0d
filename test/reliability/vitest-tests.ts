// Some rows of docs/reliability.md are proved by tests of npm test. This file runs these tests with the full number of iterations
// (test/setup/iterations.ts).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from './setup/databases.ts';
import type { Outcome, Setting } from './reliability-test.ts';
import { ROOT } from '../../src/server/root.ts';

export interface NamedTest {
  readonly file: string;
  /** A part of the title of the tests. vitest runs the tests whose titles contain it. */
  readonly title: string;
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

async function passed({ file, title }: NamedTest, env: NodeJS.ProcessEnv): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'feastday-proof-'));
  const report = join(folder, 'report.json');
  const args = ['run', file, '-t', title, '--testTimeout=1200000', '--reporter=json', `--outputFile=${report}`];
  const child = spawn(join(ROOT, 'node_modules/.bin/vitest'), args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'exit');
  const read = JSON.parse(await readFile(report, 'utf8')) as Report;
  await rm(folder, { recursive: true });
  return read;
}

type RunVitestTests = ((setting: Setting) => Promise<Outcome>) & { readonly tests: readonly NamedTest[] };

/**
 * Returns a reliability test that runs these tests of npm test with the full number of iterations. `what` describes in the report what is
 * repeated.
 */
export function runVitestTests(what: string, tests: readonly NamedTest[]): RunVitestTests {
  const run = async ({ on, tell }: Setting): Promise<Outcome> => {
    const { DATABASE_URL: _, ...inherited } = process.env;
    const place = on === 'given' ? await openTestDatabase('given') : null;
    const env = { ...inherited, ...(place ? { DATABASE_URL: place.env['DATABASE_URL'] } : {}), FEASTDAY_PROVE: 'full' };
    const sum = { passed: 0, failed: 0, missing: 0 };
    for (const test of tests) {
      const { numPassedTests, numFailedTests } = await passed(test, env);
      tell(`${test.title}: ${numPassedTests} passed, ${numFailedTests} failed`);
      sum.passed += numPassedTests;
      sum.failed += numFailedTests;
      sum.missing += numPassedTests + numFailedTests === 0 ? 1 : 0;
    }
    await place?.close();
    const line = `${what}: ${sum.passed} tests passed, ${sum.failed} failed, ${sum.missing} not found`;
    return { line, holds: sum.failed + sum.missing === 0 };
  };
  return Object.assign(run, { tests });
}
