import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeTestFolder } from './test-folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'parent-'));
afterAll(() => rmSync(parent, { recursive: true }));

test('every user may write into the folder of a test run; folders of interrupted runs are deleted, and no other folders', () => {
  const [interrupted, other] = [join(parent, 'feastday-tests-old'), join(parent, 'other')];
  for (const folder of [interrupted, other]) {
    mkdirSync(folder);
    utimesSync(folder, new Date('2027-01-01'), new Date('2020-01-01'));
  }
  const running = makeTestFolder(parent);
  const folder = makeTestFolder(parent);
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  expect([interrupted, other, running, folder].map((path) => existsSync(path))).toEqual([false, true, true, true]);
});
