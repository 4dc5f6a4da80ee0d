import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { connectTo, emptyDatabase, emptyFolder, endAll } from '../../../test/database/backups.ts';
import { makeAdmin } from '../../../test/data/factories.ts';
import { waitForLockWaiters, LOCK_WAITERS } from '../../../test/database/lock-waits.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { readBackup } from '../../features/backup/contract.ts';
import { drillAndRecord } from './copy-and-restore-drill.ts';
import { copyBackup } from './backup-command.ts';
import { recordManualBackup } from './manual-backup-record.ts';
import { backUpWhenDue, startBackups, type Backups } from './schedule.ts';
import { run, transaction } from '../database/db.ts';

const testApp = setupTestApp({ BACKUP_HOURS: '6' });
let backups: Backups;
let folder: string;
/** The messages of the errors that the schedule has reported. An error without a message means that the backup itself has failed. */
let errors: (string | undefined)[];

beforeEach(async () => {
  folder = join(await emptyFolder(), 'backups');
  errors = [];
  testApp.time = new Date('2027-04-01T12:00:00Z');
  await run(testApp.db, 'DELETE FROM last_backup', []);
  const [found] = await run<{ database: string }>(testApp.db, 'SELECT current_database() AS database', []);
  const connection = { ...inject('postgres').connection, database: found?.database ?? '' };
  const onError = (_: unknown, message?: string): void => void errors.push(message);
  // `command: null` switches off the copies of the backups, and `drillDays: 0` the restore drills.
  const settings = { everyHours: 6, keep: 2, command: null, drillDays: 0 };
  backups = { db: testApp.db, connection, folder, ...settings, now: () => testApp.time, onError };
});
afterEach(endAll);

const at = (time: string): void => void (testApp.time = new Date(`2027-04-0${time}:00Z`));
const told = async () => await (await testApp.as(await makeAdmin(testApp.db)))(readBackup);

test('the server makes a backup when one is due, deletes all but the newest backups, and shows the result to the admin', async () => {
  expect(await told()).toMatchObject({ finishedAt: null, bytes: null, kept: 0, everyHours: 6, error: null });
  expect(await backUpWhenDue(backups)).toBe(true);
  expect(await readdir(folder)).toEqual(['feastday-2027-04-01T120000Z.sql.gz']);
  expect(await told()).toMatchObject({
    finishedAt: '2027-04-01T12:00:00.000Z',
    bytes: expect.any(Number),
    kept: 1,
    everyHours: 6,
    error: null,
  });
  at('1T17:59');
  expect(await backUpWhenDue(backups)).toBe(false);
  await writeFile(join(folder, 'notes.txt'), 'stays');
  for (const time of ['1T18:00', '2T00:00']) {
    at(time);
    expect(await backUpWhenDue(backups)).toBe(true);
  }
  expect(await readdir(folder)).toEqual(['feastday-2027-04-01T180000Z.sql.gz', 'feastday-2027-04-02T000000Z.sql.gz', 'notes.txt']);
  expect(await told()).toMatchObject({ finishedAt: '2027-04-02T00:00:00.000Z', kept: 2 });
  expect(errors).toEqual([]);
});

test('the server makes one backup when ten processes check at once whether one is due', async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => backUpWhenDue(backups)));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await readdir(folder)).toHaveLength(1);
});

test('the server reports the reason of a failed backup, deletes no older backup, and tries again an hour later', async () => {
  await backUpWhenDue(backups);
  at('1T18:00');
  const noFolder = { ...backups, folder: '/dev/null/backups' };
  expect(await backUpWhenDue(noFolder)).toBe(true);
  expect(errors).toEqual([undefined]);
  expect(await told()).toMatchObject({ finishedAt: '2027-04-01T12:00:00.000Z', kept: 1, error: 'denied' });
  at('1T18:59');
  expect(await backUpWhenDue(backups)).toBe(false);
  at('1T19:00');
  expect(await backUpWhenDue(backups)).toBe(true);
  expect(await told()).toMatchObject({ finishedAt: '2027-04-01T19:00:00.000Z', kept: 2, error: null });
});

test('the server keeps a new backup when older ones cannot be deleted, reports that separately, and makes the next backup on time', async () => {
  // This folder has the name of a backup, and cannot be deleted like a file.
  await mkdir(join(folder, 'feastday-2027-03-01T000000Z.sql.gz'), { recursive: true });
  await writeFile(join(folder, 'feastday-2027-03-02T000000Z.sql.gz'), '');
  await writeFile(join(folder, 'feastday-2027-03-03T000000Z.sql.gz'), '');
  expect(await backUpWhenDue(backups)).toBe(true);
  expect(errors).toEqual(['the backup was written, but older ones could not be removed']);
  expect(await readdir(folder)).toEqual([
    'feastday-2027-03-01T000000Z.sql.gz',
    'feastday-2027-03-03T000000Z.sql.gz',
    'feastday-2027-04-01T120000Z.sql.gz',
  ]);
  expect(await told()).toMatchObject({ finishedAt: '2027-04-01T12:00:00.000Z', kept: 3, error: null });
  at('1T17:59');
  expect(await backUpWhenDue(backups)).toBe(false);
});

test('the next automatic backup is made one interval after a manual backup', async () => {
  const client = await connectTo(backups.connection.database ?? '');
  await recordManualBackup(client, { finishedAt: testApp.time, bytes: 4711, folder });
  expect(await told()).toMatchObject({ finishedAt: '2027-04-01T12:00:00.000Z', bytes: 4711, kept: 0, everyHours: 6, error: null });
  at('1T17:59');
  expect(await backUpWhenDue(backups)).toBe(false);
  at('1T18:00');
  expect(await backUpWhenDue({ ...backups, folder: '/dev/null/backups' })).toBe(true);
  expect(await told()).toMatchObject({ error: 'denied' });
  await mkdir(folder);
  await writeFile(join(folder, 'feastday-2027-04-01T180000Z.sql.gz'), '');
  await recordManualBackup(client, { finishedAt: testApp.time, bytes: 4712, folder });
  expect(await told()).toMatchObject({ finishedAt: '2027-04-01T18:00:00.000Z', bytes: 4712, kept: 1, everyHours: 6, error: null });
});

test('recording a manual backup does nothing in a database without the table last_backup', async () => {
  const client = await emptyDatabase();
  await recordManualBackup(client, { finishedAt: testApp.time, bytes: 1, folder });
  expect((await client.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).rows).toEqual([]);
});

test('only one backup runs at a time; a stopped process leaves no partial file, and the next process can start a backup at once', async () => {
  const stopping = new AbortController();
  await mkdir(folder);
  // Locks this table, so that the backup waits when it reads this table.
  await transaction(testApp.db, async (db) => {
    await run(db, 'LOCK TABLE users IN ACCESS EXCLUSIVE MODE', []);
    const making = backUpWhenDue(backups, stopping.signal);
    // The check runs outside of the transaction, because a transaction always sees the same content of the view pg_stat_activity.
    await waitForLockWaiters(testApp.db);
    at('1T22:00');
    expect(await backUpWhenDue(backups), 'another process, hours later').toBe(false);
    at('1T12:00');
    stopping.abort();
    await making;
    expect(await run(testApp.db, LOCK_WAITERS, []), 'what goes on though nobody reads it').toEqual([]);
  });
  expect([await readdir(folder), errors]).toEqual([[], []]);
  expect(await backUpWhenDue(backups)).toBe(true);
  expect(await readdir(folder)).toHaveLength(1);
});

test('the server makes no backup when BACKUP_HOURS is 0, or when the schedule is stopped right after its start', async () => {
  await startBackups({ ...backups, everyHours: 0 }).stop();
  await startBackups(backups).stop();
  expect(await run(testApp.db, 'SELECT 1 FROM last_backup', [])).toEqual([]);
});

/** Creates a program that appends the name of its file to a list and then runs `body`. */
async function program(body = ''): Promise<{ path: string; calls: () => Promise<string[]> }> {
  const place = await emptyFolder();
  const [path, list] = [join(place, 'copy'), join(place, 'list')];
  await writeFile(path, `#!/bin/sh\necho "$1" >> ${list}\n[ -z "$DATABASE_URL$ADMIN_PASSWORD" ] || exit 9\n${body}\n`, { mode: 0o700 });
  const calls = async () => (await readFile(list, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return { path, calls };
}

test('the server passes each finished backup to BACKUP_COMMAND, without the secrets of the server, and informs the admin (contract §18)', async () => {
  process.env['ADMIN_PASSWORD'] = 'Three-Sheep-42';
  const copy = await program();
  await backUpWhenDue({ ...backups, command: copy.path });
  delete process.env['ADMIN_PASSWORD'];
  expect(await copy.calls()).toEqual([join(folder, 'feastday-2027-04-01T120000Z.sql.gz')]);
  expect(await told()).toMatchObject({ copiedAt: '2027-04-01T12:00:00.000Z', copyError: null });
  expect(errors).toEqual([]);
});

test('the server shows the admin that BACKUP_COMMAND has failed, and runs the command again an hour later with the newest backup (contract §18)', async () => {
  const broken = await program('exit 1');
  await backUpWhenDue({ ...backups, command: broken.path });
  expect(await told()).toMatchObject({ finishedAt: '2027-04-01T12:00:00.000Z', error: null, copiedAt: null, copyError: 'failed' });
  expect(errors).toEqual(['the backup was not copied by BACKUP_COMMAND']);
  const copy = await program();
  at('1T12:59');
  await backUpWhenDue({ ...backups, command: copy.path });
  expect(await copy.calls()).toEqual([]);
  at('1T13:00');
  await backUpWhenDue({ ...backups, command: copy.path });
  expect(await copy.calls()).toEqual([join(folder, 'feastday-2027-04-01T120000Z.sql.gz')]);
  expect(await told()).toMatchObject({ copiedAt: '2027-04-01T13:00:00.000Z', copyError: null });
});

test('the server ends BACKUP_COMMAND when it takes too long (contract §18)', async () => {
  const slow = await program('exec sleep 60');
  const copying = copyBackup('file', { command: slow.path, signal: new AbortController().signal, longest: 300 }, () => undefined);
  expect(await copying).toBe('timeout');
});

const drills = async (): Promise<number> => {
  const found = await run<{ drills: number }>(
    testApp.db,
    `SELECT count(*)::int AS drills FROM pg_database WHERE datname LIKE current_database() || '%drill%'`,
    [],
  );
  return found[0]?.drills ?? 0;
};

test(
  'the server restores a backup into a temporary database once a week, compares counts and sums, and leaves no database behind (contract §18)',
  { tags: ['long'] },
  async () => {
    const weekly = { ...backups, drillDays: 7 };
    await backUpWhenDue(weekly);
    expect(errors).toEqual([]);
    expect(await told()).toMatchObject({
      drilledAt: '2027-04-01T12:00:00.000Z',
      drillRows: expect.any(Number) as number,
      drillError: null,
    });
    expect(await drills()).toBe(0);
    at('7T12:00');
    await backUpWhenDue(weekly);
    expect(await told()).toMatchObject({ drilledAt: '2027-04-01T12:00:00.000Z' });
    at('8T12:00');
    await backUpWhenDue(weekly);
    expect(await told()).toMatchObject({ drilledAt: '2027-04-08T12:00:00.000Z' });
  },
);

test.each([
  ['another number of rows', (text: string) => text.replace(/^-- "users" \d+ /m, '-- "users" 77 '), 'differs'],
  ['another sum', (text: string) => text.replace('-- Sum payments.amount 0', '-- Sum payments.amount 1'), 'differs'],
  ['an account that may not create databases', (text: string) => text, 'denied'],
])('the server shows the admin that the weekly restore drill has failed because of: %s (contract §18)', async (_, change, reason) => {
  await backUpWhenDue(backups);
  const [name = ''] = await readdir(folder);
  const path = join(folder, name);
  await writeFile(path, gzipSync(change(gunzipSync(await readFile(path)).toString())));
  await run(testApp.db, `DO $$ BEGIN CREATE ROLE drill_nobody LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`, []);
  const connection = reason === 'denied' ? { ...backups.connection, options: '-c role=drill_nobody' } : backups.connection;
  await drillAndRecord(path, { ...backups, connection });
  expect(await told()).toMatchObject({ drilledAt: null, drillError: reason });
  expect([errors, await drills()]).toEqual([['the restore drill failed'], 0]);
});
