import { run, type Db } from '../../server/database/db.ts';
import type { Backup } from './contract.ts';

type Found = Omit<Backup, 'everyHours'>;

export async function findLastBackup(db: Db): Promise<Found> {
  const [found] = await run<Found>(db, 'SELECT "finishedAt", bytes, kept, error FROM last_backup', []);
  return found ?? { finishedAt: null, bytes: null, kept: 0, error: null };
}
