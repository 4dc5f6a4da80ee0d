// npm run scaling: measures how the time and memory of reports grow with the orders of one distribution. The command never fails because of
// a figure.
import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createBrotliDecompress } from 'node:zlib';
import { closeAll, given, keep } from './command.ts';
import { createProductDatabase } from './environment/databases.ts';
import { median, short } from './figures.ts';
import { tableOf } from './print.ts';
import { cpuOf, forgetPeak, memoryOf, peakOf } from './environment/processes.ts';
import { startServer } from './environment/servers.ts';

const SIZES = (given('orders') ?? '1000,10000,100000').split(',').map(Number);
const ROUNDS = Number(given('rounds') ?? 3);

/**
 * The measured calls. `mark` is a string that every row of the response contains once, so that rows can be counted. `perOrder` is the
 * expected number of rows per order; if it is 0, the rows are not checked.
 */
const CALLS = [
  { call: 'customer-report', mark: '"customer_id":', perOrder: 1 },
  { call: 'report', mark: '"orderId":', perOrder: 12 },
  { call: 'payments', mark: '"paymentMethod":', perOrder: 0.5 },
  { call: 'actuals-report', mark: '"orderProductId":', perOrder: 0 },
  { call: 'report?limit=5000', mark: '"orderId":', perOrder: 0 },
  { call: 'customer-report?limit=5000', mark: '"customer_id":', perOrder: 0 },
  { call: 'actuals-report?limit=5000', mark: '"orderProductId":', perOrder: 0 },
] as const;

interface Figures {
  readonly ms: number;
  readonly cpuMs: number;
  readonly rows: number;
  readonly peakMiB: number;
}

/** Counts the rows while the response arrives, so that a response of a hundred megabytes need not fit in memory. */
async function rowsOf(port: number, path: string, mark: string): Promise<number> {
  const headers = { cookie: 'sid=s1', 'accept-encoding': 'br' };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, resolve).on('error', reject);
  });
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
  const body = answer.headers['content-encoding'] === 'br' ? answer.pipe(createBrotliDecompress()) : answer;
  let rows = 0;
  let rest = '';
  for await (const chunk of body) {
    const pieces = (rest + (chunk as Buffer).toString('latin1')).split(mark);
    rows += pieces.length - 1;
    rest = (pieces.at(-1) ?? '').slice(-mark.length);
  }
  return rows;
}

async function measured(
  server: { pid: number; port: number },
  { call, mark, perOrder }: (typeof CALLS)[number],
  orders: number,
): Promise<Figures> {
  await forgetPeak(server.pid);
  const before = await cpuOf(server.pid);
  const times: number[] = [];
  let rows = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    rows = await rowsOf(server.port, `/api/distributions/1/${call}`, mark);
    times.push(performance.now() - began);
    if (perOrder > 0 && rows !== orders * perOrder) throw new Error(`${call}: ${rows} rows of ${orders} orders`);
  }
  return { ms: median(times), cpuMs: ((await cpuOf(server.pid)) - before) / ROUNDS, rows, peakMiB: await peakOf(server.pid) };
}

async function ofSize(orders: number): Promise<{ idleMiB: number; figures: Figures[] }> {
  const sql = await readFile(join(import.meta.dirname, 'scaling.sql'), 'utf8');
  try {
    const database = keep(await createProductDatabase('growth', sql, { orders }));
    const server = keep(await startServer('ours', database.url));
    // Sends each request once before the measurement: as in production, the code is then compiled and the statements are prepared.
    for (let round = 0; round < 6; round++)
      for (const { call, mark } of CALLS.slice(4)) await rowsOf(server.port, `/api/distributions/1/${call}`, mark);
    const idleMiB = await memoryOf(server.pid);
    const figures: Figures[] = [];
    for (const call of CALLS) {
      const found = await measured(server, call, orders);
      console.error(`${orders} orders, ${call.call}: ${found.rows} rows, ${short(found.ms)} ms, peak ${found.peakMiB} MiB`);
      figures.push(found);
    }
    return { idleMiB, figures };
  } finally {
    await closeAll();
  }
}

const found: { orders: number; idleMiB: number; figures: Figures[] }[] = [];
for (const orders of SIZES) found.push({ orders, ...(await ofSize(orders)) });

const growth = (index: number, figure: (figures: Figures) => number): string =>
  found
    .slice(1)
    .map(({ figures }, at) => short(figure(figures[index] as Figures) / figure(found[at]?.figures[index] as Figures)))
    .join(', ');
const each = (index: number, figure: (figures: Figures) => number): string =>
  found.map(({ figures }) => short(figure(figures[index] as Figures))).join(', ');

console.log(`Orders: ${SIZES.join(', ')}. Memory before: ${found.map(({ idleMiB }) => idleMiB).join(', ')} MiB.\n`);
console.log(
  tableOf(
    ['call', 'rows', 'ms', 'each by the one before', 'server CPU ms', 'peak MiB', 'each by the one before'],
    CALLS.map(({ call }, index) => [
      call,
      each(index, ({ rows }) => rows),
      each(index, ({ ms }) => ms),
      growth(index, ({ ms }) => ms),
      each(index, ({ cpuMs }) => cpuMs),
      each(index, ({ peakMiB }) => peakMiB),
      growth(index, ({ peakMiB }) => peakMiB),
    ]),
  ),
);
