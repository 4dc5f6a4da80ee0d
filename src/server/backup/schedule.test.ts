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

test('makes a due backup, keeps the newest, and informs the admin', async () => {
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

test('makes one backup when ten processes check at once', async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => backUpWhenDue(backups)));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await readdir(folder)).toHaveLength(1);
});

test('reports a failed backup with its reason, deletes no older one, and retries an hour later', async () => {
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

test('keeps a backup whose predecessors cannot be deleted, reports that separately, and makes the next one on time', async () => {
  // A folder of that name cannot be deleted like a file.
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

test('counts a manual backup, and makes the next automatic one an interval later', async () => {
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

test('changes nothing in a database without its table', async () => {
  const client = await emptyDatabase();
  await recordManualBackup(client, { finishedAt: world.time, bytes: 1, folder });
  expect((await client.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).rows).toEqual([]);
});

test('runs alone however long it takes; a stopped process leaves no partial file, and the next one starts at once', async () => {
  const stopping = new AbortController();
  await mkdir(folder);
  // Blocks the backup at this table.
  await world.db.transaction().execute(async (db) => {
    await run(db, 'LOCK TABLE users IN ACCESS EXCLUSIVE MODE', []);
    const making = backUpWhenDue(backups, stopping.signal);
    // Outside the transaction, whose snapshot of pg_stat_activity does not change.
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

test('makes none with BACKUP_HOURS 0, and stops at once', async () => {
  await startBackups({ ...backups, everyHours: 0 }).stop();
  await startBackups(backups).stop();
  expect(await run(world.db, 'SELECT 1 FROM last_backup', [])).toEqual([]);
});
