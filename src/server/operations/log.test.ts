import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Linux refuses every write to this file with the error that the disk is full. */
const FULL = '/dev/full';
const hasFullDevice = existsSync(FULL);

const PROGRAM = `
  const { openLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url).href)});
  const log = openLog('info');
  for (let line = 0; line < 20_000; line++) log.info({ line }, 'answered');
  console.error(log.isLevelEnabled('info'), process.memoryUsage.rss() < 500_000_000);
  setTimeout(() => process.exit(7), 50);
`;

test.runIf(hasFullDevice)('a full disk of the log neither stops the process nor keeps it from ending (reliability R21)', () => {
  const full = openSync(FULL, 'w');
  const run = () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: ['ignore', full, 'pipe'], timeout: 60_000 });
  expect(run).toThrow(expect.objectContaining({ status: 7, signal: null, stderr: Buffer.from('true true\n') }));
  closeSync(full);
});
