// Records a manual backup, so that the admin page shows its age and the next automatic backup is made one interval later.
import { readdir } from 'node:fs/promises';
import type pg from 'pg';
import { isBackupName } from './write-backup.ts';

interface ManualBackup {
  readonly finishedAt: Date;
  readonly bytes: number;
  /** The folder of the automatic backups. A manual backup may be in another folder. */
  readonly folder: string;
}

const RECORD = `INSERT INTO last_backup ("startedAt", "finishedAt", bytes, kept) VALUES ($1, $1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET "finishedAt" = excluded."finishedAt", bytes = excluded.bytes, kept = excluded.kept, error = NULL`;

/** Records the backup. This does nothing in a database of an older version that has no table `last_backup`. */
export async function recordManualBackup(client: pg.ClientBase, { finishedAt, bytes, folder }: ManualBackup): Promise<void> {
  const { rows } = await client.query<{ isThere: boolean }>(`SELECT to_regclass('last_backup') IS NOT NULL AS "isThere"`);
  if (rows[0]?.isThere !== true) return;
  const names = await readdir(folder).catch(() => []);
  await client.query(`SET lock_timeout = '5s'`);
  await client.query(RECORD, [finishedAt, bytes, names.filter(isBackupName).length]);
}
