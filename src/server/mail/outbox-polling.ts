import { poolStats, type Db } from '../database/db.ts';

// All times are in milliseconds.
const IDLE = 1_000;
const SHORTEST_REST = 100;
const LONGEST_REST = 10_000;
/** The maximum additional pause while other work uses the database. */
const PATIENCE = 1_000;

/**
 * Milliseconds of pause after a round that took `worked` ms for `taken` mails: the same time as the round, and that time again for each
 * concurrent use of the database in this process, so that requests come first.
 */
export function pollingDelay(db: Db, { worked, taken }: { worked: number; taken: number }): number {
  if (taken === 0) return IDLE;
  const { total, idle, waiting } = poolStats(db);
  const patience = Math.min(PATIENCE, worked * (total - idle + waiting));
  return Math.min(LONGEST_REST, Math.max(SHORTEST_REST, worked + patience));
}
