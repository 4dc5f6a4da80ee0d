// Process supervisors and containers send SIGTERM to the npm process. The server must receive this signal, and npm must exit with the
// server's exit status.
import { expect, test } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '../..');
const MAX_STOP = 10_000;

const folders: string[] = [];
const running = new Set<ChildProcess>();
test.afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function npm(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'feastday-npm-'));
  folders.push(folder);
  const { DATABASE_URL: _, ...inherited } = process.env;
  const env = { ...inherited, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent', ...environment };
  const child = spawn('npm', [...args], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const ended = once(child, 'exit').then((end) => (running.delete(child), end as [number | null, NodeJS.Signals | null]));
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const lines = createInterface({ input: child.stdout });
  const printed = (wanted: RegExp): Promise<string> =>
    new Promise((found) => void lines.on('line', (line) => wanted.test(line) && found(line)));
  return { folder, child, ended, errors, printed };
}

const canConnect = (url: string): Promise<boolean> =>
  fetch(`${url}/api/live`).then(
    () => true,
    () => false,
  );

for (const [command, ready] of [
  [['start'], /listens on http/],
  [['run', 'demo'], /Ctrl-C stops it/],
  [['run', 'worker'], /sends the mails/],
] as const)
  test(
    `npm ${command.join(' ')} stops its process and its database within 10 seconds after SIGTERM, with status 0 (contract §1) @desk`,
    { tag: command[0] === 'start' ? [] : '@long' },
    async () => {
      const { folder, child, ended, printed } = npm(command);
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(await printed(ready)) ?? [];
      const postmaster = join(folder, 'postgres/postmaster.pid');
      expect(existsSync(postmaster)).toBe(true);
      const before = Date.now();
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      expect(existsSync(postmaster)).toBe(false);
      if (url) expect(await canConnect(url)).toBe(false);
      expect(Date.now() - before).toBeLessThan(MAX_STOP);
    },
  );

test('npm start ends with the exit status of the server when the server cannot start (contract §1) @desk', async () => {
  const { ended, errors } = npm(['start'], { PORT: 'abc' });
  expect(await ended).toEqual([1, null]);
  expect(errors).toContainEqual(expect.stringMatching(/^PORT must be a whole number .* Example: PORT=3000$/));
});
