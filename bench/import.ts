// npm run import-beside-orders: measures how much an import slows the customers. 64 customers save orders while 5,000 product rows are
// imported into their distribution, four rows at a time as the browser does. The command fails when an order is refused. On a busy machine,
// only the ratio of the times is meaningful.
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { startDriver, type Driver } from './clients.ts';
import { closeAll, given, keep } from './command.ts';
import { createProductDatabase } from './environment/databases.ts';
import { percentile, short } from './figures.ts';
import { EDITED } from './jobs.ts';
import { insertEdited, TABLES } from './environment/other-orders.ts';
import { tableOf } from './print.ts';
import { startServer } from './environment/servers.ts';

const SECONDS = Number(given('seconds') ?? 15);
const CUSTOMERS = Number(given('customers') ?? 64);
const ROWS = Number(given('rows') ?? 5000);
const AT_ONCE = 4;
const PRODUCTS = 200;
/** Every fifth imported row changes the price of an ordered product; the other rows add products. */
const CHANGE_EVERY = 5;

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

function send(port: number, method: 'POST' | 'PATCH', path: string, body: object): Promise<void> {
  const json = JSON.stringify(body);
  const headers = { cookie: 'sid=s1', 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers, agent }, (reply) => {
      const isSaved = reply.statusCode === 200 || reply.statusCode === 201;
      reply.resume().on('end', () => (isSaved ? resolve() : reject(new Error(`${method} ${path}: ${reply.statusCode}`))));
    })
      .on('error', reject)
      .end(json);
  });
}

async function saveRow(port: number, row: number): Promise<void> {
  const path = `/api/distributions/${EDITED.distribution}/products`;
  const unit_price = 500 + (row % 900);
  if (row % CHANGE_EVERY > 0)
    return await send(port, 'POST', path, { name: `Imported product ${row}`, product_group: 'Imported', unit_price });
  const first = (EDITED.distribution - 1) * PRODUCTS + 1;
  await send(port, 'PATCH', `${path}/${first + ((row / CHANGE_EVERY) % PRODUCTS)}`, { unit_price });
}

/**
 * Imports rows until all are saved or the time `until` (as of performance.now()) is reached. Returns the number of saved rows and the
 * duration in milliseconds.
 */
async function importRows(port: number, until: number): Promise<{ rows: number; ms: number }> {
  const began = performance.now();
  const counts = { begun: 0, saved: 0 };
  const saveInTurn = async (): Promise<void> => {
    while (counts.begun < ROWS && performance.now() < until) {
      await saveRow(port, counts.begun++);
      counts.saved += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, saveInTurn));
  return { rows: counts.saved, ms: performance.now() - began };
}

async function measured(port: number, driver: Driver): Promise<void> {
  let from = 0;
  const orders = async (seconds: number) => {
    const outcome = await driver.run({ port, job: 'edit', clients: CUSTOMERS, seconds, from, keyed: true });
    from += outcome.latencies.length + outcome.errors;
    return outcome;
  };
  await orders(2);
  const quiet = await orders(SECONDS);
  const importing = importRows(port, performance.now() + SECONDS * 1000);
  const beside = await orders(SECONDS);
  const { rows, ms } = await importing;
  const rowOf = (name: string, { latencies, errors }: typeof quiet): string[] => [
    name,
    String(latencies.length),
    String(errors),
    ...[0.5, 0.95, 0.99, 1].map((share) => short(percentile(latencies, share))),
  ];
  console.log(
    tableOf(
      ['beside', 'orders saved', 'refused', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms'],
      [rowOf('nothing', quiet), rowOf('the import', beside)],
    ),
  );
  const ratio = percentile(beside.latencies, 0.95) / percentile(quiet.latencies, 0.95);
  console.log(`${rows} rows of the import were saved in ${short(ms)} ms; p95 beside it is ${ratio.toFixed(1)} times the quiet one.`);
  if (beside.fault !== null) console.error(beside.fault);
  if (quiet.errors + beside.errors > 0) process.exitCode = 1;
}

try {
  const sql = await readFile(join(import.meta.dirname, 'seed.sql'), 'utf8');
  const database = keep(await createProductDatabase('import', sql.replace(/^VACUUM.*$/m, ''), {}));
  await database.on((client) => insertEdited(client, TABLES.ours));
  const server = keep(await startServer('ours', database.url));
  await measured(server.port, keep(startDriver()));
} finally {
  agent.destroy();
  await closeAll();
}
