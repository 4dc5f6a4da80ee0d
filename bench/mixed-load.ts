// npm run mixed-load: measures the latency of ordinary calls under four loads: ten clients reading reports, an import of 5,000 customers,
// 5,000 e-mails, and 16 people signing in. The command never fails because of a figure.
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hashPassword } from '../src/server/auth/password.ts';
import { startDriver, type Driver } from './clients.ts';
import { closeAll, given, keep } from './command.ts';
import { createProductDatabase, type ProductDatabase } from './environment/databases.ts';
import { percentile, short } from './figures.ts';
import { PASSWORD, type JobName } from './jobs.ts';
import { tableOf } from './print.ts';
import { startServer, type Server } from './environment/servers.ts';

const SECONDS = Number(given('seconds') ?? 10);
const REPORTS = 10;
const SIGNING_IN = 16;
const LARGEST_LIST = 5000;
const OTHERS: readonly JobName[] = ['health', 'open', 'place'];
const CLIENTS = 2;
const PAUSE_MS = 20;

type Latencies = ReadonlyMap<JobName, readonly number[]>;
interface Place {
  readonly server: Server;
  readonly database: ProductDatabase;
  /** One client process per job, so that no job waits for another job's response. */
  readonly drivers: ReadonlyMap<JobName, Driver>;
  readonly heavy: Driver;
  /** The number of orders started so far. */
  placed: number;
}

async function others(place: Place, seconds: number): Promise<Latencies> {
  const { server, drivers } = place;
  const measured = await Promise.all(
    [...drivers].map(async ([job, driver]) => {
      const from = job === 'place' ? place.placed : 0;
      const { latencies, errors, fault } = await driver.run({ port: server.port, job, clients: CLIENTS, seconds, from, pause: PAUSE_MS });
      if (job === 'place') place.placed += latencies.length + errors;
      if (fault !== null) console.error(`${job}: ${errors} errors, ${fault}`);
      return [job, latencies] as const;
    }),
  );
  return new Map(measured);
}

/** Sends a POST request as the distributor and returns its duration in milliseconds. */
function post(port: number, path: string, json: string): Promise<number> {
  const headers = { cookie: 'sid=s1', 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 200 || answer.statusCode === 201) resolve(performance.now() - began);
        else reject(new Error(`${path}: ${answer.statusCode}`));
      });
    })
      .on('error', reject)
      .end(json);
  });
}

const REPLY_TO = 'distributor@bench.test';
const list = <Item>(make: (index: number) => Item): Item[] => Array.from({ length: LARGEST_LIST }, (_, index) => make(index));

const importOf = (turn: number): string =>
  JSON.stringify({
    replyTo: REPLY_TO,
    users: list((index) => ({
      email: `new${turn}.${index}@bench.test`,
      firstName: `First${index}`,
      lastName: `Last${index}`,
      address: `${index} Main Street`,
      city: 'Bethel',
      state: 'NY',
      zip: '12720',
      phone: '555',
    })),
  });

const MAILS = JSON.stringify(
  Array.from({ length: 4000 }, (_, index) => ({
    to: `customer${index}@bench.test`,
    replyTo: REPLY_TO,
    subject: 'The holiday is near',
    html: '<p>Dear customers,</p><p>please place your orders until Thursday.</p>',
  })),
);

const LOADS = {
  reports: async ({ heavy, server }: Place, until: number) => {
    await heavy.run({ port: server.port, job: 'report', clients: REPORTS, seconds: (until - performance.now()) / 1000, from: 0 });
    return null;
  },
  import: async ({ server }: Place, until: number) => {
    const times: number[] = [];
    for (let turn = 0; performance.now() < until; turn++) times.push(await post(server.port, '/api/users/customer', importOf(turn)));
    return times;
  },
  mails: async ({ server, database }: Place, until: number) => {
    const times: number[] = [];
    while (performance.now() < until) {
      times.push(await post(server.port, '/api/send-emails', MAILS));
      // Deletes the mails of every mailing except the last one, so that the distributor stays below the daily limit of mails. The mails of
      // the last mailing are still sent.
      if (performance.now() < until) await database.on((client) => client.query(`DELETE FROM emails WHERE kind = 'bulk'`));
    }
    return times;
  },
} as const;
type Load = keyof typeof LOADS;
/** The loads to run. The option `--loads=reports,import,mails` chooses them. */
const CHOSEN = (given('loads')?.split(',') ?? Object.keys(LOADS)) as Load[];

const rowsOf = (name: string, measured: Latencies): string[][] =>
  [...measured].map(([job, all]) => [name, job, String(all.length), ...[0.5, 0.95, 0.99, 1].map((share) => short(percentile(all, share)))]);

async function measure(place: Place): Promise<void> {
  await others(place, 2);
  const quiet = await others(place, SECONDS);
  const until = performance.now() + SECONDS * 1000;
  const loads = CHOSEN.map(async (name) => [name, await LOADS[name](place, until)] as const);
  const busy = await others(place, SECONDS);
  const took = await Promise.all(loads);
  await place.database.on((client) => client.query(`DELETE FROM emails WHERE status = 'queued'`));
  await pause(1000);
  const signIns = place.heavy.run({ port: place.server.port, job: 'signIn', clients: SIGNING_IN, seconds: SECONDS, from: 0 });
  const beside = await others(place, SECONDS);
  const { latencies, elapsedMs, errors } = await signIns;
  const head = ['beside', 'call', 'calls', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms'];
  const signing = `${SIGNING_IN} sign-ins`;
  console.log(tableOf(head, [...rowsOf('nothing', quiet), ...rowsOf(CHOSEN.join(', '), busy), ...rowsOf(signing, beside)]));
  const ratio = (job: JobName): string => short(percentile(beside.get(job) ?? [], 0.95) / percentile(quiet.get(job) ?? [], 0.95));
  const figures = [
    ...took
      .filter(([, times]) => times !== null)
      .map(([name, times]) => [`${name} of ${LARGEST_LIST}, ms`, (times ?? []).map(short).join(', ')]),
    ['sign-ins a second', short((latencies.length / elapsedMs) * 1000)],
    ['of them failed', String(errors)],
    ['p95 of open beside sign-ins, times that beside nothing', ratio('open')],
    ['p95 of place beside sign-ins, times that beside nothing', ratio('place')],
  ];
  console.log(tableOf(['figure', ''], figures));
}

try {
  const sql = await readFile(join(import.meta.dirname, 'seed.sql'), 'utf8');
  const database = keep(await createProductDatabase('busy', sql.replace(/^VACUUM.*$/m, ''), {}));
  await database.on(async (client) => client.query('UPDATE users SET password = $1', [await hashPassword(PASSWORD)]));
  const server = keep(await startServer('ours', database.url));
  const drivers = new Map(OTHERS.map((job) => [job, keep(startDriver())]));
  await measure({ server, database, heavy: keep(startDriver()), drivers, placed: 0 });
} finally {
  await closeAll();
}
