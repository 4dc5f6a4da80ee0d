import { runOne, type Db } from '../../server/database/db.ts';
import type { Backup } from './contract.ts';

type Found = Omit<Backup, 'everyHours' | 'isCopied' | 'drillDays'>;

const COLUMNS = '"finishedAt", bytes, kept, error, "copiedAt", "copyError", "drilledAt", "drillRows", "drillError"';
const NONE = { copiedAt: null, copyError: null, drilledAt: null, drillRows: null, drillError: null };

export async function findLastBackup(db: Db): Promise<Found> {
  const found = await runOne<Found>(db, `SELECT ${COLUMNS} FROM last_backup`, []);
  return found ?? { finishedAt: null, bytes: null, kept: 0, error: null, ...NONE };
}
