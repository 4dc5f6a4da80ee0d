import { run, type Db } from '../../server/database/db.ts';
import type { Distributor } from './contract.ts';

export const findDistributors = (db: Db): Promise<Distributor[]> =>
  run<Distributor>(db, `SELECT id, email FROM users WHERE role = 'distributor' ORDER BY email`, []);

/** Null where somebody has the address already. */
export async function saveNewDistributor(db: Db, email: string): Promise<Distributor | null> {
  const text = `INSERT INTO users (email, role) VALUES ($1, 'distributor') ON CONFLICT (email) DO NOTHING RETURNING id, email`;
  const [saved] = await run<Distributor>(db, text, [email]);
  return saved ?? null;
}
