// node bench/enumeration.ts: measures whether response times reveal who has an account (row R29 of docs/reliability.md). Prints the median
// time for each kind of e-mail address. The command fails when two medians differ by more than 5 ms.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { authRoutes } from '../src/features/auth/routes.ts';
import { joinRequestsRoutes } from '../src/features/join-requests/routes.ts';
import { createApp } from '../src/server/http/app.ts';
import { openDb, run, type Db } from '../src/server/database/db.ts';
import { readEnv } from '../src/server/operations/env.ts';
import { registerRoutes } from '../src/server/http/pipeline/register-routes.ts';
import { migrate } from '../src/server/database/migrate.ts';
import { hashPassword } from '../src/server/auth/password.ts';
import { startPostgres } from '../src/server/database/embedded/postgres.ts';
import { median, percentile } from './figures.ts';

const TIMINGS = 500;
const WARM_UP = 20;
const MAX_DIFFERENCE_MS = 5;
/**
 * The number of calls that run at the same time if the server delays each reply until a minimum duration has passed. As long as the work
 * for a call takes less than this minimum, concurrent calls do not distort each other's times.
 */
const WORKERS = 10;

type App = Awaited<ReturnType<typeof createApp>>;
type Kind = 'known' | 'unknown' | 'locked' | 'disabled';
interface Question {
  readonly url: string;
  readonly kinds: readonly Kind[];
  readonly workers: number;
  readonly status: readonly number[];
  readonly body: (email: string) => object;
}

const QUESTIONS: readonly Question[] = [
  {
    url: '/api/login',
    kinds: ['known', 'unknown', 'locked'],
    workers: 1,
    status: [401, 429],
    body: (email) => ({ email, password: 'Wrong-Word-1' }),
  },
  {
    url: '/api/reset-password/request',
    kinds: ['known', 'unknown', 'disabled'],
    workers: WORKERS,
    status: [200],
    body: (email) => ({ email }),
  },
  {
    url: '/api/register',
    kinds: ['known', 'unknown', 'disabled'],
    workers: WORKERS,
    status: [202],
    body: (email) => ({ email, code: 'joining' }),
  },
];

const emailOf = (kind: Kind, index: number): string => `${kind}${index}@bench.example`;

async function people(db: Db): Promise<void> {
  await run(db, `INSERT INTO users (id, email, role) VALUES (1000000, 'distributor@bench.example', 'distributor')`, []);
  await run(db, `INSERT INTO organizations ("distributorId", "joinCode") VALUES (1000000, 'joining')`, []);
  const text = `INSERT INTO users (email, role, "distributorId", password, "loginAttempts", "lockedUntil", "disabledAt")
    SELECT kind || n || '@bench.example', 'customer', 1000000, $1, CASE WHEN kind = 'locked' THEN 5 ELSE 0 END,
      CASE WHEN kind = 'locked' THEN now() + interval '1 day' END, CASE WHEN kind = 'disabled' THEN now() END
    FROM unnest(ARRAY['known', 'locked', 'disabled']) AS kind, generate_series(0, $2) AS n`;
  await run(db, text, [await hashPassword('Three-Sheep-42'), TIMINGS + WARM_UP]);
}

let asked = 0;

/** Each request comes from another IPv6 network, because the server delays its replies after many failures from one network. */
async function timed(app: App, { url, body, status }: Question, email: string): Promise<number> {
  const headers = { 'x-forwarded-for': `2001:db8:${(asked += 1).toString(16)}::1` };
  const began = performance.now();
  const answer = await app.inject({ method: 'POST', url, headers, payload: body(email) });
  const ms = performance.now() - began;
  if (!status.includes(answer.statusCode)) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
  return ms;
}

/** Alternates between the kinds of e-mail address, so that other load on the machine affects all kinds equally. */
async function measure(app: App, question: Question): Promise<Map<Kind, number[]>> {
  const times = new Map(question.kinds.map((kind) => [kind, [] as number[]]));
  const worker = async (first: number): Promise<void> => {
    for (let index = first; index < TIMINGS + WARM_UP; index += question.workers) {
      for (const [kind, of] of times) {
        const ms = await timed(app, question, emailOf(kind, index));
        if (index >= WARM_UP) of.push(ms);
      }
    }
  };
  await Promise.all(Array.from({ length: question.workers }, (_, first) => worker(first)));
  return times;
}

async function askAll(app: App): Promise<void> {
  for (const question of QUESTIONS) {
    const times = await measure(app, question);
    const medians = [...times.values()].map(median);
    const difference = Math.max(...medians) - Math.min(...medians);
    console.log(`POST ${question.url}, ${TIMINGS} timings each, ms`);
    for (const [kind, of] of times)
      console.log(`  ${kind.padEnd(8)} median ${median(of).toFixed(2)}, p95 ${percentile(of, 0.95).toFixed(2)}`);
    console.log(`  medians at most ${difference.toFixed(2)} ms apart${difference > MAX_DIFFERENCE_MS ? ': TOO FAR' : ''}`);
    if (difference > MAX_DIFFERENCE_MS) process.exitCode = 1;
  }
}

const folder = await mkdtemp(join(tmpdir(), 'feastday-bench-'));
const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
const { db, pool, close } = openDb(postgres.connection, () => undefined);
try {
  await migrate(pool);
  await people(db);
  const env = readEnv({ TRUST_PROXY: '1' });
  const app = await createApp(env, pino({ level: 'silent' }));
  registerRoutes(app, [...authRoutes, ...joinRequestsRoutes], { db, env, now: () => new Date() });
  await askAll(app);
  await app.close();
} finally {
  await close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
