// npm run counter: serves families at the counter, each with five units to weigh, first by keyboard, then by touch on a tablet. The browser
// runs with the processor slowed down four times. The command prints keys, taps and time per family. It fails when a payment or a picked-up
// mark is missing, when a family takes more than 12 key presses, or when a page was loaded between families. It never fails because of the
// time.
import { chromium, type Browser } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CHROMIUM_ARGS, chromiumPath } from '../../scripts/chromium.ts';
import { closeAll, given, keep, tell } from '../command.ts';
import { createProductDatabase, type ProductDatabase } from '../environment/databases.ts';
import { startServer } from '../environment/servers.ts';
import { percentile } from '../figures.ts';
import { missedGoals } from './goals.ts';
import { busyMs, DISTRIBUTION, openStation, serveByKeyboard, serveByTouch, serveOffline, UNITS, untilSent } from './station.ts';

/** The number of families; the option `--families=200` sets it. */
const FAMILIES = Number(given('families') ?? 200);

const MAX_OFFLINE = 50;

interface Walk {
  readonly name: string;
  readonly actions: string;
  readonly isTablet: boolean;
  readonly serve: typeof serveByKeyboard;
  readonly orders: readonly number[];
}

async function walk(browser: Browser, url: string, { name, actions, isTablet, serve, orders }: Walk): Promise<void> {
  const station = await openStation(browser, url, isTablet);
  const busy: number[] = [];
  const begun = performance.now();
  for (const [family, orderId] of orders.entries()) {
    const before = await busyMs(station);
    await serve(station, orderId, family);
    busy.push((await busyMs(station)) - before);
    if ((family + 1) % 50 === 0) tell(`${name}: ${family + 1} families`);
  }
  const seconds = (performance.now() - begun - station.readingMs) / 1000;
  await untilSent(station);
  const each = (station.actions / orders.length).toFixed(1);
  const screen = `the screen ${percentile(busy, 0.5).toFixed(0)} ms (p50), ${percentile(busy, 0.95).toFixed(0)} ms (p95) of CPU`;
  console.log(`${name}, ${orders.length} families of ${UNITS} units: ${each} ${actions} per family beyond the weights' digits, `);
  console.log(
    `  ${station.loads} page loads, ${screen}, ${(seconds / orders.length).toFixed(2)} s per family in all, without the time to read the amount`,
  );
  const keysPerFamily = isTablet ? null : station.actions / orders.length;
  for (const missed of missedGoals({ keysPerFamily, loads: station.loads })) {
    console.error(`${name}: ${missed}`);
    process.exitCode = 1;
  }
  await station.page.context().close();
}

async function sendQueue(browser: Browser, url: string, orders: readonly number[]): Promise<void> {
  const station = await openStation(browser, url, false);
  const ms = await serveOffline(station, orders);
  // The number of entries that the counter queues on the device while it has no network. Each family has one entry for each weight, one for
  // the payment and one for the picked-up mark.
  const entries = orders.length * (UNITS + 2);
  console.log(
    `${entries} entries of ${orders.length} families without a network: sent in ${(ms / 1000).toFixed(1)} s, ${(ms / entries).toFixed(1)} ms each`,
  );
  await station.page.context().close();
}

async function readFamilies(url: string): Promise<void> {
  const headers = { cookie: 'sid=s1' };
  const times: number[] = [];
  let text = '';
  for (let round = 0; round < 20; round++) {
    const begun = performance.now();
    await fetch(`${url}/api/distributions/${DISTRIBUTION}/counter`, { headers }).then((reply) => reply.text());
    text = await fetch(`${url}/api/distributions/${DISTRIBUTION}/counter-orders`, { headers }).then((reply) => reply.text());
    times.push(performance.now() - begun);
  }
  const { mark } = (await fetch(`${url}/api/distributions/${DISTRIBUTION}/counter`, { headers }).then((reply) => reply.json())) as {
    mark: string;
  };
  const polls: number[] = [];
  for (let round = 0; round < 50; round++) {
    const begun = performance.now();
    await fetch(`${url}/api/distributions/${DISTRIBUTION}/counter?since=${mark}`, { headers }).then((reply) => reply.text());
    polls.push(performance.now() - begun);
  }
  const size = `${(text.length / 1e6).toFixed(2)} MB, ${(gzipSync(text, { level: 1 }).length / 1e6).toFixed(2)} MB compressed`;
  console.log(
    `1,000 families: read in ${percentile(times, 0.5).toFixed(0)} ms, ${size}; a poll ${percentile(polls, 0.5).toFixed(1)} ms (p50)`,
  );
}

async function checkRecorded(database: ProductDatabase, families: number): Promise<void> {
  const text = `SELECT count(*)::int AS marked, count(p."orderId")::int AS paid FROM orders o
    LEFT JOIN payments p ON p."distributionId" = o."distributionId" AND p."orderId" = o.id WHERE o."distributionId" = $1 AND o."pickedUpAt" IS NOT NULL`;
  const { rows } = await database.on((client) => client.query<{ marked: number; paid: number }>(text, [DISTRIBUTION]));
  const { marked, paid } = rows[0] ?? { marked: 0, paid: 0 };
  console.log(`recorded: ${marked} picked up, ${paid} payments of ${families} families`);
  if (marked !== families || paid !== families) process.exitCode = 1;
}

try {
  const database = keep(await createProductDatabase('counter', await readFile(join(import.meta.dirname, 'seed.sql'), 'utf8'), {}));
  const orders = await database.on(async (client) => {
    const { rows } = await client.query<{ id: number }>('SELECT id FROM orders WHERE "distributionId" = $1 ORDER BY id', [DISTRIBUTION]);
    return rows.map(({ id }) => id);
  });
  const server = keep(await startServer('ours', database.url));
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGS });
  keep({ stop: () => browser.close() });
  const url = `http://127.0.0.1:${server.port}`;
  await readFamilies(url);
  const [byKeys, byTouch] = [orders.slice(0, FAMILIES), orders.slice(FAMILIES, 2 * FAMILIES)];
  await walk(browser, url, { name: 'keyboard', actions: 'keys', isTablet: false, serve: serveByKeyboard, orders: byKeys });
  await walk(browser, url, { name: 'touch', actions: 'taps', isTablet: true, serve: serveByTouch, orders: byTouch });
  const withoutNetwork = orders.slice(2 * FAMILIES, 2 * FAMILIES + Math.min(FAMILIES, MAX_OFFLINE));
  await sendQueue(browser, url, withoutNetwork);
  await checkRecorded(database, byKeys.length + byTouch.length + withoutNetwork.length);
} finally {
  await closeAll();
}
