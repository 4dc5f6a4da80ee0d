import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { connectTo, emptyDatabase, emptyFolder, endAll } from '../../../test/database/backups.ts';
import { makeAdmin } from '../../../test/data/factories.ts';
import { waitForLockWaiters, LOCK_WAITERS } from '../../../test/database/lock-waits.ts';
import { setupTestApp } from '../../../test/test-app.ts';
import { readBackup } from '../../features/backup/contract.ts';
import { recordManualBackup } from './manual-backup-record.ts';
import { backUpWhenDue, startBackups, type Backups } from './schedule.ts';
import { run } from '../database/db.ts';

const world = setupTestApp({ BACKUP_HOURS: '6' });
let backups: Backups;
let folder: string;
let errors: unknown[];
let notPruned: unknown[];

beforeEach(async () => {
  folder = join(await emptyFolder(), 'backups');
  errors = [];
  notPruned = [];
  world.time = new Date('2027-04-01T12:00:00Z');
  await run(world.db, 'DELETE FROM last_backup', []);
  const [found] = await run<{ database: string }>(world.db, 'SELECT current_database() AS database', []);
  const connection = { ...inject('postgres').connection, database: found?.database ?? '' };
  const onError = (error: unknown): void => void errors.push(error);
  const onNotPruned = (error: unknown): void => void notPruned.push(error);
  backups = { db: world.db, connection, folder, everyHours: 6, keep: 2, now: () => world.time, onError, onNotPruned };
});
afterEach(endAll);

const at = (time: string): void => void (world.time = new Date(`2027-04-0${time}:00Z`));
const told = async () => await (await world.as(await makeAdmin(world.db)))(readBackup);

test('it is made when it is due, the newest are kept, and an admin is told', async () => {
  expect(await told()).toEqual({ finishedAt: null, bytes: null, kept: 0, everyHours: 6, error: null });
  expect(await backUpWhenDue(backups)).toBe(true);
  expect(await readdir(folder)).toEqual(['feastday-2027-04-01T120000Z.sql.gz']);
  expect(await told()).toEqual({ finishedAt: '2027-04-01T12:00:00.000Z', bytes: expect.any(Number), kept: 1, everyHours: 6, error: null });
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

test('of ten processes that look at the same moment one makes it', async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => backUpWhenDue(backups)));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await readdir(folder)).toHaveLength(1);
});

test('one that fails is told with its reason, nothing older goes, and it is tried again an hour later', async () => {
  await backUpWhenDue(backups);
  at('1T18:00');
  const noFolder = { ...backups, folder: '/dev/null/backups' };
  expect(await backUpWhenDue(noFolder)).toBe(true);
  expect(errors).toHaveLength(1);
  expect(await told()).toMatchObject({ finishedAt: '2027-04-01T12:00:00.000Z', kept: 1, error: 'denied' });
  at('1T18:59');
  expect(await backUpWhenDue(backups)).toBe(false);
  at('1T19:00');
  expect(await backUpWhenDue(backups)).toBe(true);
  expect(await told()).toMatchObject({ finishedAt: '2027-04-01T19:00:00.000Z', kept: 2, error: null });
});

test('one whose older files cannot be removed is made all the same: that is told apart, and the next one comes at its time', async () => {
  // A folder of that name is not removed as a file is.
  await mkdir(join(folder, 'feastday-2027-03-01T000000Z.sql.gz'), { recursive: true });
  await writeFile(join(folder, 'feastday-2027-03-02T000000Z.sql.gz'), '');
  await writeFile(join(folder, 'feastday-2027-03-03T000000Z.sql.gz'), '');
  expect(await backUpWhenDue(backups)).toBe(true);
  expect([errors.length, notPruned.length]).toEqual([0, 1]);
  expect(await readdir(folder)).toEqual([
    'feastday-2027-03-01T000000Z.sql.gz',
    'feastday-2027-03-03T000000Z.sql.gz',
    'feastday-2027-04-01T120000Z.sql.gz',
  ]);
  expect(await told()).toMatchObject({ finishedAt: '2027-04-01T12:00:00.000Z', kept: 3, error: null });
  at('1T17:59');
  expect(await backUpWhenDue(backups)).toBe(false);
});

test('one that was made by hand counts: an admin is told of it, and the next one by itself comes as long after it', async () => {
  const client = await connectTo(backups.connection.database ?? '');
  await recordManualBackup(client, { finishedAt: world.time, bytes: 4711, folder });
  expect(await told()).toEqual({ finishedAt: '2027-04-01T12:00:00.000Z', bytes: 4711, kept: 0, everyHours: 6, error: null });
  at('1T17:59');
  expect(await backUpWhenDue(backups)).toBe(false);
  at('1T18:00');
  expect(await backUpWhenDue({ ...backups, folder: '/dev/null/backups' })).toBe(true);
  expect(await told()).toMatchObject({ error: 'denied' });
  await mkdir(folder);
  await writeFile(join(folder, 'feastday-2027-04-01T180000Z.sql.gz'), '');
  await recordManualBackup(client, { finishedAt: world.time, bytes: 4712, folder });
  expect(await told()).toEqual({ finishedAt: '2027-04-01T18:00:00.000Z', bytes: 4712, kept: 1, everyHours: 6, error: null });
});

test('a database without the table for it is left as it is', async () => {
  const client = await emptyDatabase();
  await recordManualBackup(client, { finishedAt: world.time, bytes: 1, folder });
  expect((await client.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).rows).toEqual([]);
});

test('nobody joins in however long it takes; a process that is told to stop in the middle leaves no half file, and the next one makes it at once', async () => {
  const stopping = new AbortController();
  await mkdir(folder);
  // The backup waits for this table.
  await world.db.transaction().execute(async (db) => {
    await run(db, 'LOCK TABLE users IN ACCESS EXCLUSIVE MODE', []);
    const making = backUpWhenDue(backups, stopping.signal);
    // Beside the transaction, which would be shown the same over and over.
    await waitForLockWaiters(world.db);
    at('1T22:00');
    expect(await backUpWhenDue(backups), 'another process, hours later').toBe(false);
    at('1T12:00');
    stopping.abort();
    await making;
    expect(await run(world.db, LOCK_WAITERS, []), 'what goes on though nobody reads it').toEqual([]);
  });
  expect([await readdir(folder), errors]).toEqual([[], []]);
  expect(await backUpWhenDue(backups)).toBe(true);
  expect(await readdir(folder)).toHaveLength(1);
});

test('with BACKUP_HOURS 0 none is made, and stopping is at once', async () => {
  await startBackups({ ...backups, everyHours: 0 }).stop();
  await startBackups(backups).stop();
  expect(await run(world.db, 'SELECT 1 FROM last_backup', [])).toEqual([]);
});
