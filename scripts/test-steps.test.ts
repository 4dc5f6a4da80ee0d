import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportsIn, stepsOfChange } from './test-steps.ts';

const reports = reportsIn(tmpdir());
const NOTHING = { unit: [], browser: [], left: 0, notRun: [] };

test('for a changed browser test, npm test -- --changed runs that test in the desktop project only', { tags: ['long'] }, () => {
  const steps = stepsOfChange({ ...NOTHING, browser: ['test/e2e/pdf.spec.ts', 'test/e2e/auth.spec.ts'] }, reports);
  const { command = '' } = steps.find(({ name }) => name === 'browser tests') ?? {};
  const env = { ...process.env, PATH: `${join(process.cwd(), 'node_modules/.bin')}:${process.env['PATH']}` };
  const listed = execFileSync('sh', ['-c', `${command} --list --reporter=list`], { encoding: 'utf8', env });
  expect(listed).toContain('[desktop] › pdf.spec.ts');
  expect(listed).toContain('[desktop] › auth.spec.ts');
  expect(listed).toMatch(/in 2 files/);
});

test('when no test is selected for a change, npm test -- --changed runs only the checks', () => {
  expect(stepsOfChange(NOTHING, reports).map(({ group }) => group)).not.toContain('browser');
  expect(stepsOfChange(NOTHING, reports).map(({ group }) => group)).not.toContain('unit');
});
