// Makes an automatic backup every BACKUP_HOURS. When several processes share a database, only one of them makes the backup. The backup has
// the same format as that of `npm run backup`.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { copyAway, drillWhenDue, type AfterBackup } from './copy-and-restore-drill.ts';
import { newestBackup } from './restore-drill.ts';
import { isBackupName, backupNameAt, writeBackup } from './write-backup.ts';
import { run } from '../database/db.ts';
import { startPeriodicJob } from '../operations/periodic-job.ts';
import { HOUR, MINUTE } from '../../domain/durations.ts';

export interface Backups extends AfterBackup {
  readonly folder: string;
  readonly everyHours: number;
  readonly keep: number;
}

const NAME = 'feastday backup';
/**
 * Decides whether a backup is due, and records its start. No other backup starts while one is running. A failed or abandoned backup is
 * retried after an hour at the latest.
 */
const CLAIM = `INSERT INTO last_backup ("startedAt") VALUES ($1)
  ON CONFLICT (id) DO UPDATE SET "startedAt" = excluded."startedAt"
  WHERE last_backup."startedAt" <= $2 AND coalesce(last_backup."finishedAt" <= $3, true)
    AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = '${NAME}' AND datname = current_database())
  RETURNING id`;
const DONE = `UPDATE last_backup SET "finishedAt" = $1, bytes = $2, kept = coalesce($3, kept + 1), error = NULL`;
const FAILED = 'UPDATE last_backup SET error = $1';
const OWN = 'SELECT pg_backend_pid() AS pid';
/**
 * Ends the database session of a canceled backup. PostgreSQL does not notice a disconnected client while its session waits for a lock. The
 * statement returns when the session has ended, or after five seconds.
 */
const ENDED = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid = $1 AND application_name = '${NAME}'`;
const GIVEN_BACK = `UPDATE last_backup SET "startedAt" = 'epoch'`;

const REASONS: Readonly<Record<string, 'full' | 'denied'>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENOTDIR: 'denied',
};

const reasonOf = (error: unknown): 'full' | 'denied' | 'other' =>
  REASONS[String(((error as Error).cause as { code?: unknown } | undefined)?.code)] ?? 'other';

const NOT_PRUNED = 'the backup was written, but older ones could not be removed';

/** Deletes all backups except the newest `keep`. Returns the number of remaining backups, or null when the folder cannot be read. */
async function prune({ folder, keep, onError }: Backups): Promise<number | null> {
  try {
    const names = (await readdir(folder)).filter(isBackupName).toSorted();
    const removed = await Promise.allSettled(names.slice(0, -keep).map((name) => rm(join(folder, name), { force: true })));
    const failures = removed.filter((one) => one.status === 'rejected');
    if (failures[0]) onError(failures[0].reason, NOT_PRUNED);
    return Math.min(names.length, keep) + failures.length;
  } catch (error) {
    onError(error, NOT_PRUNED);
    return null;
  }
}

/** Makes a backup. Returns the path of the backup, or null when the backup failed or was canceled. */
async function makeBackup(backups: Backups, signal: AbortSignal): Promise<string | null> {
  const { db, connection, folder, now, onError } = backups;
  const client = new pg.Client({ ...connection, application_name: NAME });
  client.on('error', () => undefined);
  // Closes the connection, so that this process does not wait for the running statement, which PostgreSQL may continue.
  const end = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', end);
  let own: { pid: number } | undefined;
  try {
    await client.connect();
    [own] = (await client.query<{ pid: number }>(OWN)).rows;
    const { bytes, path } = await writeBackup({ client, now: now() }, join(folder, backupNameAt(now())), signal);
    await run(db, DONE, [now(), bytes, await prune(backups)]);
    return path;
  } catch (error) {
    if (signal.aborted) {
      if (own) await run(db, ENDED, [own.pid]).catch(onError);
      await run(db, GIVEN_BACK, []);
      return null;
    }
    onError(error);
    await run(db, FAILED, [reasonOf(error)]);
    return null;
  } finally {
    signal.removeEventListener('abort', end);
    await client.end();
  }
}

const RETRY_COPY = `UPDATE last_backup SET "copyTriedAt" = $1 WHERE "copyError" IS NOT NULL AND "copyTriedAt" <= $2 RETURNING id`;

/** Returns the newest backup if its copy failed at least an hour ago and the file is in this process's folder. */
async function claimFailedCopy({ db, folder, command, now }: Backups): Promise<string | null> {
  const newest = command === null ? null : await newestBackup(folder);
  if (newest === null) return null;
  const claimed = await run(db, RETRY_COPY, [now(), new Date(now().getTime() - HOUR)]);
  return claimed.length > 0 ? newest : null;
}

/** Makes a backup if one is due and no other process makes it. Returns whether this process made a backup. */
export async function backUpWhenDue(backups: Backups, signal: AbortSignal = new AbortController().signal): Promise<boolean> {
  const now = backups.now();
  const before = (time: number): Date => new Date(now.getTime() - time);
  const every = backups.everyHours * HOUR;
  const claimed = await run(backups.db, CLAIM, [now, before(Math.min(HOUR, every)), before(every)]);
  const made = claimed.length > 0 ? await makeBackup(backups, signal) : null;
  const path = made ?? (await claimFailedCopy(backups));
  if (path !== null) await copyAway(path, backups, signal);
  if (made !== null && !signal.aborted) await drillWhenDue(made, backups);
  return claimed.length > 0;
}

/** Starts the schedule of backups. The first check is a minute later, so that the server starts fast. */
export function startBackups(backups: Backups): { stop: () => Promise<void> } {
  if (backups.everyHours === 0) return { stop: async () => undefined };
  const check = (signal: AbortSignal): Promise<boolean> => backUpWhenDue(backups, signal);
  return startPeriodicJob({ run: check, first: MINUTE, interval: 5 * MINUTE, onError: backups.onError });
}
