import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { lockProblems } from './check-lock.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('the lock file pins the native packages of every platform', () => {
  expect(lockProblems(read('package-lock.json'))).toEqual([]);
});

test('the check of the lock file reports each platform that the lock file lacks, and each install script that downloads files', () => {
  const oxide = 'node_modules/@tailwindcss/oxide: the optional dependency @tailwindcss/oxide-';
  expect(lockProblems(read('test/fixtures/incomplete-lock.json')).toSorted()).toEqual([
    `${oxide}android-arm64 has no entry with an integrity hash`,
    `${oxide}darwin-arm64 has no entry with an integrity hash`,
    `${oxide}darwin-x64 has no entry with an integrity hash`,
    `${oxide}freebsd-x64 has no entry with an integrity hash`,
    `${oxide}linux-arm-gnueabihf has no entry with an integrity hash`,
    `${oxide}wasm32-wasi has no entry with an integrity hash`,
    `${oxide}win32-arm64-msvc has no entry with an integrity hash`,
    `${oxide}win32-x64-msvc has no entry with an integrity hash`,
    'node_modules/node has an install script, which may fetch what the lock file does not name',
  ]);
});

test("the check of the lock file finds an optional dependency in the package's own node_modules or in that of a parent folder", () => {
  const optionalDependencies = { native: '1.0.0' };
  const pinned = { version: '1.0.0', integrity: 'sha512-x' };
  const problems = (packages: Record<string, object>) => lockProblems(JSON.stringify({ packages: { '': {}, ...packages } }));
  const one = { 'node_modules/a/node_modules/b': { ...pinned, optionalDependencies } };
  expect(problems({ ...one, 'node_modules/a/node_modules/b/node_modules/native': pinned })).toEqual([]);
  expect(problems({ ...one, 'node_modules/a/node_modules/native': pinned })).toEqual([]);
  expect(problems({ ...one, 'node_modules/native': pinned })).toEqual([]);
  expect(problems({ ...one, 'node_modules/c/node_modules/native': pinned })).toHaveLength(1);
  expect(problems({ ...one, 'node_modules/native': { version: '1.0.0' } })).toHaveLength(2);
});
