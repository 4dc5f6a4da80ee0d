// After a backup, this module copies the backup to another place, and makes a restore drill every RESTORE_DRILL_DAYS days. The admin page
// shows the results of both.
import type pg from 'pg';
import { run, type Db } from '../database/db.ts';
import { copyBackup } from './backup-command.ts';
import { BackupError } from './file-format.ts';
import { connected, restoreDrill } from './restore-drill.ts';
import { DAY } from '../../domain/durations.ts';

export interface AfterBackup {
  readonly db: Db;
  readonly connection: pg.ClientConfig;
  readonly now: () => Date;
  /** The operator's program from BACKUP_COMMAND. Null when no copy is made. */
  readonly command: string | null;
  readonly drillDays: number;
  /** `message` states what failed, for example the copy of the backup. It is undefined if the backup itself has failed. */
  readonly onError: (error: unknown, message?: string) => void;
}

const COPIED = 'UPDATE last_backup SET "copiedAt" = $1, "copyTriedAt" = $1, "copyError" = NULL';
const NOT_COPIED = 'UPDATE last_backup SET "copyTriedAt" = $1, "copyError" = $2';

export async function copyAway(path: string, { db, now, command, onError }: AfterBackup, signal: AbortSignal): Promise<void> {
  if (command === null) return;
  const error = await copyBackup(path, { command, signal }, (cause) => onError(cause, 'the backup was not copied by BACKUP_COMMAND'));
  await (error === null ? run(db, COPIED, [now()]) : run(db, NOT_COPIED, [now(), error]));
}

/**
 * This statement decides whether a drill is due, and records its start. The interval is measured from the last attempt, so that a failed
 * drill is not repeated after every backup.
 */
const CLAIM = `UPDATE last_backup SET "drillStartedAt" = $1 WHERE "drillStartedAt" IS NULL OR "drillStartedAt" <= $2 RETURNING id`;
const DRILLED = `UPDATE last_backup SET "drilledAt" = $1, "drillRows" = $2, "drillError" = NULL`;
const NOT_DRILLED = 'UPDATE last_backup SET "drillError" = $1';
/** The SQLSTATE (insufficient_privilege) that PostgreSQL returns when the database account may not create a database. */
const NOT_ALLOWED = '42501';

type DrillError = 'denied' | 'differs' | 'other';
const reasonOf = (error: unknown): DrillError =>
  (error as { code?: unknown }).code === NOT_ALLOWED ? 'denied' : error instanceof BackupError ? 'differs' : 'other';

export async function drillAndRecord(path: string, { db, connection, now, onError }: AfterBackup): Promise<void> {
  try {
    const { rows } = await connected({ ...connection, application_name: 'feastday drill' }, (client) => restoreDrill(client, path, now()));
    await run(db, DRILLED, [now(), rows]);
  } catch (error) {
    onError(error, 'the restore drill failed');
    await run(db, NOT_DRILLED, [reasonOf(error)]);
  }
}

export async function drillWhenDue(path: string, after: AfterBackup): Promise<void> {
  const { db, now, drillDays } = after;
  if (drillDays === 0) return;
  // A drill runs after a backup, and is due an hour before the interval has passed. Otherwise, a backup that starts a little early would
  // find that no drill is due, and the drill would have to wait for the next backup.
  const due = new Date(now().getTime() - drillDays * DAY + DAY / 24);
  if ((await run(db, CLAIM, [now(), due])).length > 0) await drillAndRecord(path, after);
}
