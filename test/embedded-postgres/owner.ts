// This script is a process that uses the embedded database. Usage: `owner.ts FOLDER [NATIVE]`. It prints a line of JSON after each action.
// It reads the commands `write` (inserts rows until the process is killed), `count` and `stop` from its standard input.
import { createInterface } from 'node:readline';
import pg from 'pg';
import { startPostgres } from '../../src/server/database/embedded/postgres.ts';

const [dataDir = '', native] = process.argv.slice(2);
const say = (what: object): boolean => process.stdout.write(`${JSON.stringify(what)}\n`);

const began = performance.now();
const postgres = await startPostgres({ dataDir, ...(native ? { native } : {}) });
const pool = new pg.Pool({ ...postgres.connection, max: 4 });
pool.on('error', () => undefined);
// When several processes create the table at the same time, the statement fails in all of them except one.
await pool.query('CREATE TABLE IF NOT EXISTS rows (owner int, number int, double int)').catch((error: { code?: string }) => {
  if (!['23505', '42P07', '42710'].includes(error.code ?? '')) throw error;
});
await pool.query('INSERT INTO rows VALUES ($1, 0, 0)', [process.pid]);
say({ ready: Math.round(performance.now() - began) });
say({ host: postgres.connection.host });

async function write(start: number): Promise<never> {
  for (let number = start; ; number += 4) {
    await pool.query('INSERT INTO rows VALUES ($1, $2, $2 * 2)', [process.pid, number]);
    say({ written: number });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'write') void Promise.all([1, 2, 3, 4].map(write));
  if (line === 'count') {
    const { rows } = await pool.query<{ owners: string }>('SELECT count(DISTINCT owner) AS owners FROM rows');
    say({ owners: Number(rows[0]?.owners) });
  }
  if (line === 'stop') {
    await pool.end();
    await postgres.stop();
    say({ stopped: true });
    break;
  }
}
process.exit(0);
