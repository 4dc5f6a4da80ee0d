import { poolStats, type Db } from '../database/db.ts';

// All in milliseconds.
const IDLE = 1_000;
const SHORTEST_REST = 100;
const LONGEST_REST = 10_000;
/** What others on the site may add. */
const PATIENCE = 1_000;

/**
 * Milliseconds between two rounds, the last of which took `worked` and `taken` mails: as long as it worked, and as long again for each
 * of those who ask the database through this process at that moment. People on the site come first.
 */
export function pollingDelay(db: Db, { worked, taken }: { worked: number; taken: number }): number {
  if (taken === 0) return IDLE;
  const { total, idle, waiting } = poolStats(db);
  const patience = Math.min(PATIENCE, worked * (total - idle + waiting));
  return Math.min(LONGEST_REST, Math.max(SHORTEST_REST, worked + patience));
}
