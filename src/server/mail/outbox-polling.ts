import type { Db } from '../database/db.ts';

/** The milliseconds until the next poll when no mail is due and no mail that is being sent has ended. */
export const IDLE = 1_000;
// The pauses in milliseconds.
const MIN_PAUSE = 100;
const MAX_PAUSE = 10_000;
/** While other work of this process uses the database, a pause is at most this many milliseconds longer. */
const PATIENCE = 1_000;

/**
 * Returns how many milliseconds to pause after `worked` milliseconds in which mails were claimed and rendered. The pause is as long as this
 * work, plus the same time for each concurrent use of the database in this process, so that requests come first.
 */
export function pollingDelay(db: Db, worked: number): number {
  const { total, idle, waiting } = db.poolStats();
  const patience = Math.min(PATIENCE, worked * (total - idle + waiting));
  return Math.min(MAX_PAUSE, Math.max(MIN_PAUSE, worked + patience));
}
