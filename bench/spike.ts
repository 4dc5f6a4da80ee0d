// npm run spike: simulates the minute after ordering opens. 1,000 customers sign in, open the order page and order 12 products. Fails when
// a customer fails, or when an order in the database lacks a line, an audit row or its confirmation.
import { readFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hashPassword } from '../src/server/auth/password.ts';
import { closeAll, given, keep } from './command.ts';
import { createProductDatabase, type ProductDatabase } from './environment/databases.ts';
import { percentile, short } from './figures.ts';
import { tableOf } from './print.ts';
import { cpuOf, memoryOf, peakOf } from './environment/processes.ts';
import { startServer, type Server } from './environment/servers.ts';

const CUSTOMERS = Number(given('customers') ?? 1000);
const SECONDS = Number(given('seconds') ?? 60);
/** How many milliseconds before the end of the simulated minute the last customer arrives. */
const LAST_MS = 2000;
const PASSWORD = 'Holiday2027';
const PRODUCTS = 200;
const LINES = 12;
const IDLE_MS = 3000;

const STEPS = ['sign in', 'open', 'place'] as const;
type Step = (typeof STEPS)[number];
interface Seen {
  readonly times: Record<Step, number[]>;
  readonly faults: string[];
}

interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly cookie?: string;
}

/** Simulates a browser that has its own connections and accepts compressed responses. */
function browser(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const send = async ({ method = 'GET', path, body, cookie }: Asked): Promise<{ text: string; cookie: string }> => {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      'accept-encoding': 'br',
      ...(cookie === undefined ? {} : { cookie }),
      ...(json === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port, method, path, headers, agent }, resolve).on('error', reject).end(json);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('latin1');
    if (answer.statusCode !== 200 && answer.statusCode !== 201)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
    return { text, cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
  };
  return { send, close: () => agent.destroy() };
}

async function visit(port: number, customer: number, { times, faults }: Seen): Promise<void> {
  const { send, close } = browser(port);
  const timed = async <Result>(step: Step, work: () => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    const result = await work();
    times[step].push(performance.now() - began);
    return result;
  };
  const products = Array.from({ length: LINES }, (_, line) => ({
    productId: 1 + ((customer * 7 + line * 16) % PRODUCTS),
    quantity: 1 + (line % 4),
  }));
  try {
    const body = { email: `customer${customer}@bench.test`, password: PASSWORD };
    const { cookie } = await timed('sign in', () => send({ method: 'POST', path: '/api/login', body }));
    await timed('open', () => Promise.all(['products', 'fees'].map((what) => send({ path: `/api/distributions/1/${what}`, cookie }))));
    await timed('place', () => send({ method: 'POST', path: '/api/orders', body: { distributionId: 1, products }, cookie }));
  } catch (error) {
    faults.push(`customer ${customer}: ${String(error)}`);
  } finally {
    close();
  }
}

/** Chooses the customers' arrival times: random and independent within the period. */
const arrivals = (): number[] =>
  Array.from({ length: CUSTOMERS }, () => Math.random() * Math.max(0, SECONDS * 1000 - LAST_MS)).toSorted((a, b) => a - b);

async function rush(server: Server): Promise<Seen & { readonly doneMs: number }> {
  const seen: Seen = { times: { 'sign in': [], open: [], place: [] }, faults: [] };
  const began = performance.now();
  const visits = arrivals().map(async (at, index) => {
    await pause(at - (performance.now() - began));
    await visit(server.port, index + 1, seen);
  });
  await Promise.all(visits);
  return { ...seen, doneMs: performance.now() - began };
}

/** Counts all orders, and the incomplete ones: those without exactly 12 lines, 12 audit rows and one confirmation. */
const COUNT = `SELECT count(*)::int AS orders, count(*) FILTER (WHERE (lines, audit, mails) IS DISTINCT FROM (12, 12, 1))::int AS wrong FROM (SELECT
    (SELECT count(*)::int FROM order_products l WHERE l."orderId" = o.id) AS lines,
    (SELECT count(*)::int FROM order_products l JOIN order_product_audit a ON a."orderProductId" = l.id WHERE l."orderId" = o.id) AS audit,
    (SELECT count(*)::int FROM emails e WHERE e.kind = 'confirmation' AND e."orderId" = o.id) AS mails FROM orders o) found`;

async function counted(database: ProductDatabase): Promise<{ orders: number; wrong: number }> {
  const { rows } = await database.on((client) => client.query<{ orders: number; wrong: number }>(COUNT));
  return rows[0] ?? { orders: 0, wrong: 0 };
}

async function measured(database: ProductDatabase, server: Server): Promise<boolean> {
  await pause(IDLE_MS);
  const idleMiB = await memoryOf(server.pid);
  const cpu = await cpuOf(server.pid);
  const { times, faults, doneMs } = await rush(server);
  const cpuMs = (await cpuOf(server.pid)) - cpu;
  const { orders, wrong } = await counted(database);
  const percentiles = [0.5, 0.95, 0.99, 1];
  console.log(
    tableOf(
      ['', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms'],
      STEPS.map((step) => [step, ...percentiles.map((share) => short(percentile(times[step], share)))]),
    ),
  );
  const figures = [
    ['customers', String(CUSTOMERS)],
    ['done after, s', short(doneMs / 1000)],
    ['errors', String(faults.length)],
    ['orders in the database', String(orders)],
    ['of them without 12 lines, 12 audit rows and a confirmation', String(wrong)],
    ['start to the first 200, ms', short(server.startMs)],
    ['idle memory, MiB', String(idleMiB)],
    ['peak memory, MiB', String(await peakOf(server.pid))],
    ['server CPU, ms a customer', short(cpuMs / CUSTOMERS)],
  ];
  console.log(tableOf(['figure', ''], figures));
  for (const fault of faults.slice(0, 5)) console.error(fault);
  return faults.length === 0 && orders === CUSTOMERS && wrong === 0;
}

try {
  const sql = await readFile(join(import.meta.dirname, 'spike.sql'), 'utf8');
  const database = keep(await createProductDatabase('rush', sql, { customers: CUSTOMERS, hash: await hashPassword(PASSWORD) }));
  const server = keep(await startServer('ours', database.url));
  process.exitCode = (await measured(database, server)) ? 0 : 1;
} finally {
  await closeAll();
}
