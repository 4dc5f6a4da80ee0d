import { poolStats, type Db } from '../database/db.ts';

// All in milliseconds.
const IDLE = 1_000;
const SHORTEST_REST = 100;
const LONGEST_REST = 10_000;
/** The maximum additional pause because of other work. */
const PATIENCE = 1_000;

/**
 * Milliseconds between two rounds, the last of which took `worked` ms for `taken` mails: the same time as a pause, and again for each
 * concurrent use of the database in this process. Requests come first.
 */
export function pollingDelay(db: Db, { worked, taken }: { worked: number; taken: number }): number {
  if (taken === 0) return IDLE;
  const { total, idle, waiting } = poolStats(db);
  const patience = Math.min(PATIENCE, worked * (total - idle + waiting));
  return Math.min(LONGEST_REST, Math.max(SHORTEST_REST, worked + patience));
}
