import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';

const PROGRAM = `
  const { openLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url).href)});
  const log = openLog('info');
  for (let line = 0; line < 20_000; line++) log.info({ line }, 'answered');
  console.error(log.isLevelEnabled('info'), process.memoryUsage.rss() < 500_000_000);
  setTimeout(() => process.exit(7), 50);
`;

test('a log that cannot be written, for example because its disk is full, neither stops the process nor keeps it from ending (reliability R21)', () => {
  // Every write to a file that is open for reading fails.
  const unwritable = openSync(import.meta.filename, 'r');
  const run = () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: ['ignore', unwritable, 'pipe'], timeout: 60_000 });
  expect(run).toThrow(expect.objectContaining({ status: 7, signal: null, stderr: Buffer.from('true true\n') }));
  closeSync(unwritable);
});
