import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { hashPassword, passwordMatches } from './password.ts';

const verified = vi.hoisted((): string[] => []);
/** So many are refused before the next one is hashed. */
const refused = vi.hoisted(() => ({ count: 0 }));
vi.mock('./password-threads.ts', async (original) => {
  const threads = await original<typeof import('./password-threads.ts')>();
  const verifyOnThread: typeof threads.verifyOnThread = async (stored, password) => {
    verified.push(stored);
    return await threads.verifyOnThread(stored, password);
  };
  const hashOnThread: typeof threads.hashOnThread = async (password, cost) => {
    if (refused.count-- > 0) throw new Error('too many open files');
    return await threads.hashOnThread(password, cost);
  };
  return { ...threads, hashOnThread, verifyOnThread };
});

test('a password is hashed with argon2id and matches with spaces around it, and no other does (spec §5; contract §3)', async () => {
  const stored = await hashPassword(' Three-Sheep-42 ');
  expect(stored).toMatch(/^\$argon2id\$/);
  expect(stored).not.toContain('Three');
  const tries = ['Three-Sheep-42', '  Three-Sheep-42', 'three-sheep-42', ''].map((typed) => passwordMatches(typed, stored, '192.0.2.1'));
  expect(await Promise.all(tries)).toEqual([true, true, false, false]);
  expect(await passwordMatches('', null, '192.0.2.1')).toBe(false);
});

test('for nobody, and for an account without a password, as much is hashed as for a wrong one (contract §3)', async () => {
  const stored = await hashPassword('Three-Sheep-42');
  const costOf = (hashed: string): string => hashed.split('$').slice(0, 4).join('$');
  // What takes the time is one verification at the cost of the others; bench/enumeration.ts measures it.
  for (const hash of [stored, null, null]) {
    verified.length = 0;
    expect(await passwordMatches('Wrong-Word-1', hash, '192.0.2.1')).toBe(false);
    expect(verified.map(costOf)).toEqual([costOf(stored)]);
  }
});

test('what is no hash is refused, and whoever comes next is answered all the same', async () => {
  const stored = await hashPassword('Three-Sheep-42');
  for (let round = 0; round < 3; round++) {
    await expect(passwordMatches('Three-Sheep-42', 'no hash', '192.0.2.1')).rejects.toThrow();
    expect(await passwordMatches('Three-Sheep-42', stored, '192.0.2.1')).toBe(true);
  }
});

test('a process that has hashed ends by itself', async () => {
  const file = new URL('password.ts', import.meta.url).href;
  const script = `import { hashPassword } from ${JSON.stringify(file)}; console.log((await hashPassword('Three-Sheep-42')).slice(0, 9));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 });
  expect(stdout).toBe('$argon2id\n');
});

test.runIf(process.platform === 'linux')('hashing gives way to all else in the process, and its event loop does not', async () => {
  await hashPassword('Three-Sheep-42');
  const niceOf = async (thread: string): Promise<number | null> => {
    // One may end meanwhile.
    const stat = await readFile(`/proc/self/task/${thread}/stat`, 'utf8').catch(() => null);
    return stat === null ? null : Number(stat.split(') ')[1]?.split(' ')[16]);
  };
  const all = await Promise.all((await readdir('/proc/self/task')).map(niceOf));
  const own = getPriority();
  expect(all).toContain(Math.min(19, own + 5));
  expect(await niceOf(String(process.pid))).toBe(own);
});

test('a thread that cannot start refuses that one, and neither ends the process nor refuses the next (contract §3)', async () => {
  vi.resetModules();
  const fresh = await import('./password.ts');
  const stored = await hashPassword('Three-Sheep-42');
  refused.count = 1;
  await expect(fresh.passwordMatches('Three-Sheep-42', stored, '192.0.2.1')).rejects.toThrow('too many open files');
  expect(await fresh.passwordMatches('Three-Sheep-42', stored, '192.0.2.1')).toBe(true);
  expect(await fresh.passwordMatches('Three-Sheep-42', null, '192.0.2.1')).toBe(false);
});
