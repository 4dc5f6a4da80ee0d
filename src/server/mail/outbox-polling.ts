import type { Db } from '../database/db.ts';

// The pauses in milliseconds: IDLE when no mail is due, otherwise at least SHORTEST_REST and at most MAX_REST.
const IDLE = 1_000;
const SHORTEST_REST = 100;
const MAX_REST = 10_000;
/** While other work of this process uses the database, a pause is at most this many milliseconds longer. */
const PATIENCE = 1_000;

/**
 * Returns how many milliseconds to pause after a round that took `worked` milliseconds for `taken` mails. The pause is as long as the
 * round, plus the same time for each concurrent use of the database in this process, so that requests come first.
 */
export function pollingDelay(db: Db, { worked, taken }: { worked: number; taken: number }): number {
  if (taken === 0) return IDLE;
  const { total, idle, waiting } = db.poolStats();
  const patience = Math.min(PATIENCE, worked * (total - idle + waiting));
  return Math.min(MAX_REST, Math.max(SHORTEST_REST, worked + patience));
}
