import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setupTestApp } from '../../../test/test-app.ts';
import { deleteEmptiedMailFiles } from './mail-files.ts';

const testApp = setupTestApp();

test('the file of a mail is deleted when the content or the row of the mail was deleted, and stays before', async () => {
  const mail = { kind: 'join' as const, from: '', to: 'noa@test.example', subject: '', status: 'sent' as const };
  const rows = [
    { ...mail, html: '' },
    { ...mail, html: '<p>Welcome</p>' },
    { ...mail, html: '', status: 'queued' as const },
  ];
  const [emptied, whole, queued] = await testApp.db.insertInto('emails').values(rows).returning('id').execute();
  const folder = await mkdtemp(join(tmpdir(), 'mail-files-'));
  const withoutRow = 999_999_999;
  for (const id of [emptied?.id, whole?.id, queued?.id, withoutRow]) await writeFile(join(folder, `${id}.eml`), '');
  await deleteEmptiedMailFiles(testApp.db, folder);
  expect((await readdir(folder)).toSorted()).toEqual([`${whole?.id}.eml`, `${queued?.id}.eml`].toSorted());
  await rm(folder, { recursive: true });
});
