// Runs two servers and a worker behind pgbouncer, in the pool modes that the installed version supports. While customers order, the test
// kills pgbouncer and PostgreSQL.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { waitUntil, type Outcome, type Setting } from '../reliability-test.ts';
import { openFolder, openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProcess, type ClusterProcess } from './cluster-processes.ts';
import { orderUnderFaults, type Fault } from './orders-under-faults.ts';
import { freePort } from '../../../bench/environment/free-port.ts';

type PoolMode = 'session' | 'transaction';

/**
 * Returns the pool modes to test. Transaction mode is tested only from pgbouncer 1.21 on, because older versions do not support prepared
 * statements in this mode.
 */
function poolModes(): PoolMode[] {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21 ? ['session', 'transaction'] : ['session'];
}

/**
 * The application sends these settings with each connection, but pgbouncer does not forward them. The test therefore sets them in the
 * database.
 */
const SETTINGS = ["timezone = 'UTC'", "statement_timeout = '60s'", 'jit = off', 'random_page_cost = 1.1'];

async function setInDatabase(place: TestDatabase): Promise<void> {
  const client = new pg.Client(await place.connection());
  await client.connect();
  for (const setting of SETTINGS) await client.query(`ALTER ROLE feastday SET ${setting}`);
  await client.end();
}

interface Ports {
  readonly port: number;
  readonly database: number;
}

const configOf = (mode: PoolMode, root: string, { port, database }: Ports): string => `[databases]
feastday = host=127.0.0.1 port=${database} dbname=feastday user=feastday
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
max_client_conn = 200
ignore_startup_parameters = options
server_login_retry = 1
query_wait_timeout = 10
${mode === 'transaction' ? 'max_prepared_statements = 500\n' : ''}logfile = ${join(root, 'pgbouncer.log')}
`;

const responds = async (port: number): Promise<boolean> => {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'feastday', database: 'feastday' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

async function inMode(mode: PoolMode, setting: Setting): Promise<Outcome> {
  const { root, remove } = await openFolder('feastday-pgbouncer-');
  const database = await openTestDatabase('given');
  await setInDatabase(database);
  const ports = { port: await freePort(), database: Number((await database.connection()).port) };
  const config = join(root, 'pgbouncer.ini');
  await writeFile(config, configOf(mode, root, ports));
  const whole = (): Promise<void> => waitUntil(() => responds(ports.port), 'pgbouncer leads to no database after a minute', 100);
  const start = (): Promise<ClusterProcess> => startProcess('pgbouncer', [config], { root, log: join(root, 'output.log') });
  let bouncer = await start();
  await whole();
  const faults: Fault[] = [
    {
      name: `${mode}: kill -9 of pgbouncer`,
      cause: async () => {
        await bouncer.kill();
        bouncer = await start();
        return async () => undefined;
      },
    },
    {
      name: `${mode}: kill -9 of PostgreSQL`,
      cause: async () => {
        database.kill();
        await database.start();
        return async () => undefined;
      },
    },
  ];
  const env = { ...database.env, DATABASE_URL: `postgres://feastday@127.0.0.1:${ports.port}/feastday` };
  const outcome = await orderUnderFaults({ ...database, env }, { faults, whole, rounds: setting.runs(3) }, setting);
  await bouncer.kill();
  await database.close();
  await remove();
  return outcome;
}

export async function pgbouncer(setting: Setting): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const mode of poolModes()) outcomes.push(await inMode(mode, setting));
  const leftOut = outcomes.length === 1 ? '; transaction mode needs pgbouncer 1.21' : '';
  return { line: outcomes.map(({ line }) => line).join('; ') + leftOut, holds: outcomes.every(({ holds }) => holds) };
}
