// Reliability test R22: kills the process that runs the migrations with kill -9, at each of their statements. Each statement is tested
// twice: only the process is killed, or the database is killed too. The next start must complete the migrations.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { appliedOn, migrate } from '../../../src/server/database/migrate.ts';
import { startPostgres } from '../../../src/server/database/embedded/postgres.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct } from '../setup/product.ts';
import type { Outcome, Setting } from '../reliability-test.ts';

const MIGRATIONS = join(import.meta.dirname, '../../../db/migrations');
const MAX_RECOVERY_MS = 60_000;

/** Selects the columns of all tables, with their types, as one string. */
const COLUMNS = `SELECT string_agg(table_name || '.' || column_name || ' ' || data_type, E'\\n' ORDER BY table_name, column_name) AS text
  FROM information_schema.columns WHERE table_schema = 'public'`;

async function withPool<Result>(place: TestDatabase, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = new pg.Pool({ ...(await place.connection()), max: 1 });
  pool.on('error', () => undefined);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

async function untilAlive(place: TestDatabase): Promise<void> {
  for (const until = Date.now() + MAX_RECOVERY_MS; Date.now() < until; await pause(50)) {
    const isAlive = await withPool(place, (pool) => pool.query('SELECT 1')).then(
      () => true,
      () => false,
    );
    if (isAlive) return;
  }
  throw new Error('the database did not come back');
}

interface Found {
  readonly applied: readonly string[];
  readonly columns: string;
  readonly people: number;
}

const found = (place: TestDatabase): Promise<Found> =>
  withPool(place, async (pool) => {
    const client = await pool.connect();
    const applied = await appliedOn(client).catch(() => []);
    const columns = (await client.query<{ text: string | null }>(COLUMNS)).rows[0]?.text ?? '';
    const people = applied.length === 0 ? 0 : ((await client.query('SELECT 1 FROM users')).rowCount ?? 0);
    client.release();
    return { applied, columns, people };
  });

/** Empties the database. If `old` is a folder of earlier migrations, runs these and inserts one user. */
const prepare = (place: TestDatabase, old: string | null): Promise<void> =>
  withPool(place, async (pool) => {
    await pool.query('DROP SCHEMA public CASCADE');
    await pool.query('CREATE SCHEMA public');
    if (old === null) return;
    await migrate(pool, old);
    await pool.query(`INSERT INTO users (email, role) VALUES ('old@test.example', 'distributor')`);
  });

/**
 * Runs the migrations in another process, which kills itself at the given step. If the step is empty, the process completes, and the
 * function returns the number of statements.
 */
async function migrateIn(place: TestDatabase, step: string): Promise<number> {
  const args = [join(import.meta.dirname, 'migrating.ts'), JSON.stringify(await place.connection()), MIGRATIONS, step];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  await once(child, 'close');
  return Number(said);
}

async function isCompleted(place: TestDatabase, { applied, columns }: Found, people: number): Promise<boolean> {
  const product = await startProduct(place);
  const { status } = await product.ask({ path: '/api/health' });
  const now = await found(place);
  await product.stop();
  const isWhole = now.columns === columns && now.applied.join() === applied.join() && now.people === people;
  return status === 200 && isWhole;
}

interface Step {
  readonly step: string;
  readonly old: string | null;
  readonly all: boolean;
}

const stepsOf = (from: { old: string | null; statements: number }[]): Step[] =>
  from.flatMap(({ old, statements }) =>
    Array.from({ length: statements }, (_, index) => [`${index + 1}`, `${index + 1}+`])
      .flat()
      .map((step, index) => ({ step, old, all: index % 3 === 2 })),
  );

async function oldVersion(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'feastday-old-'));
  const [first = ''] = (await readdir(MIGRATIONS)).toSorted();
  await cp(join(MIGRATIONS, first), join(folder, first));
  return folder;
}

export async function killedMigration({ on, runs, tell }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const holding = on === 'embedded' ? await startPostgres({ dataDir: place.folder }) : null;
  const old = await oldVersion();
  await prepare(place, null);
  const fromNothing = await migrateIn(place, '');
  const whole = await found(place);
  await prepare(place, old);
  const fromOld = await migrateIn(place, '');
  const steps = stepsOf([
    { old: null, statements: fromNothing },
    { old, statements: fromOld },
  ]);
  const every = Math.max(1, Math.round(steps.length / runs(steps.length)));
  const tried = steps.filter((_, index) => index % every === 0);
  let [torn, failed] = [0, 0];
  for (const { step, old, all } of tried) {
    await prepare(place, old);
    const before = await found(place);
    await migrateIn(place, step);
    if (all) place.kill();
    await place.start();
    await untilAlive(place);
    const after = await found(place);
    const isOldOrNew = [before, whole].some(({ applied }) => applied.join() === after.applied.join());
    if (!isOldOrNew || after.people !== before.people) torn += 1;
    if (!(await isCompleted(place, whole, before.people))) failed += 1;
    tell(
      `${old ? 'from the first version' : 'from nothing'}, statement ${step}${all ? ' with the database' : ''}: ${torn} torn, ${failed} failed`,
    );
  }
  await holding?.stop();
  await place.close();
  await rm(old, { recursive: true });
  const line = `${tried.length} kills at ${fromNothing} and ${fromOld} statements, ${torn} half done, ${failed} that the next start did not complete`;
  return { line, holds: torn + failed === 0 };
}
