// This script runs the migrations and kills its own process: `migrating.ts CONNECTION FOLDER STEP`. With a step such as `3`, it dies before
// that statement. With `3+`, it dies while the database executes that statement. Without a step, it completes and prints the number of
// statements.
import pg from 'pg';
import { migrate } from '../../../src/server/database/migrate.ts';

const [connection = '{}', folder, step = ''] = process.argv.slice(2);
const [number, isAmid] = [Number.parseInt(step, 10), step.endsWith('+')];
let sent = 0;

class Killed extends pg.Client {
  // `pg` declares many overloads of this method. Parameters of type `unknown[]` and the result type `never` fit all of them.
  override query(...asked: unknown[]): never {
    sent += 1;
    if (sent === number && !isAmid) process.kill(process.pid, 'SIGKILL');
    const answer = (super.query as (...parts: unknown[]) => unknown)(...asked);
    if (sent === number) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2);
    return answer as never;
  }
}

const pool = new pg.Pool({ ...(JSON.parse(connection) as pg.PoolConfig), max: 1, Client: Killed as never });
await migrate(pool, folder);
await pool.end();
process.stdout.write(String(sent));
