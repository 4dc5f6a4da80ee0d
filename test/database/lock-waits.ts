// Waits until statements are blocked by another transaction's locks.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../src/server/database/db.ts';
import type { TestDb } from './test-db.ts';

/** Selects the process ids of the connections to this database that wait for a lock. */
export const LOCK_WAITERS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Waits until at least `connections` connections wait for a lock. `db` must not be the transaction that holds the lock. */
export async function waitForLockWaiters(db: TestDb, connections = 1): Promise<void> {
  while ((await run(db, LOCK_WAITERS, [])).length < connections) await pause(5);
}
