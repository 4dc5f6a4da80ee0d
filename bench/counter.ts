// npm run counter: serves families of five weighed units in a browser, with a processor four times slower; by keyboard, then by touch on a
// tablet. Prints keys, taps and time per family. Fails when a payment or a handed-over mark is missing, or when a page was loaded between
// families.
import type { Browser, CDPSession, Locator, Page } from '@playwright/test';
import { chromium } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CHROMIUM_ARGS, chromiumPath } from '../scripts/chromium.ts';
import { createDatabases } from './environment/databases.ts';
import { startServer } from './environment/servers.ts';
import { percentile } from './figures.ts';

const DISTRIBUTION = 2000;
const UNITS = 5;
const SLOWED = 4;
const PATH = `/distributor/distribution/${DISTRIBUTION}/counter`;
/** `--families=200` */
const FAMILIES = Number(process.argv.find((arg) => arg.startsWith('--families='))?.slice('--families='.length) ?? 200);

const tell = (line: string): void => console.error(`${Math.round(performance.now() / 1000)} s: ${line}`);
const weightOf = (family: number, unit: number): string => `${4 + ((family * 7 + unit * 3) % 20) / 10}`;

interface Station {
  readonly page: Page;
  readonly session: CDPSession;
  /** The number of taps, or of keys other than those of the weights. */
  actions: number;
  /** The number of navigations since the page was opened. */
  loads: number;
}

/** Milliseconds of the page's tasks so far. */
async function busyMs({ session }: Station): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

async function openStation(browser: Browser, url: string, isTablet: boolean): Promise<Station> {
  const viewport = isTablet ? { width: 820, height: 1180 } : { width: 1280, height: 800 };
  const context = await browser.newContext({ viewport, isMobile: isTablet, hasTouch: isTablet });
  await context.addCookies([{ name: 'sid', value: 's1', url }]);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(url + PATH);
  await searchOf(page).waitFor();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  const station = { page, session, actions: 0, loads: 0 };
  page.on('load', () => (station.loads += 1));
  return station;
}

async function press(station: Station, keys: string): Promise<void> {
  station.actions += keys === 'Enter' ? 1 : keys.length;
  if (keys === 'Enter') await station.page.keyboard.press(keys);
  else await station.page.keyboard.type(keys);
}

const searchOf = (page: Page): Locator => page.getByRole('combobox', { name: 'Find a family' });
const PAY = /^Pay \$[\d.,]+ and hand over$/;

async function serveByKeyboard(station: Station, orderId: number, family: number): Promise<void> {
  const { page } = station;
  await press(station, String(orderId));
  await press(station, 'Enter');
  for (let unit = 0; unit < UNITS; unit++) {
    await page.keyboard.type(weightOf(family, unit));
    await press(station, 'Enter');
  }
  await page.getByRole('button', { name: PAY }).waitFor();
  await press(station, 'Enter');
  await page.waitForFunction(`document.activeElement?.getAttribute('role') === 'combobox'`);
}

async function serveByTouch(station: Station, orderId: number, family: number): Promise<void> {
  const { page } = station;
  const tap = async (target: Locator): Promise<void> => {
    station.actions += 1;
    await target.tap();
  };
  await tap(searchOf(page));
  station.actions += String(orderId).length;
  await page.keyboard.type(String(orderId));
  await tap(page.getByRole('option').first());
  await page.getByRole('spinbutton').first().waitFor();
  for (let unit = 0; unit < UNITS; unit++) {
    await tap(page.getByRole('spinbutton').nth(unit));
    await page.keyboard.type(weightOf(family, unit));
  }
  // Leaving the last field records its weight.
  await tap(searchOf(page));
  await tap(page.getByRole('button', { name: PAY }));
  await page.getByText('picked up', { exact: false }).first().waitFor();
}

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
  const seconds = (performance.now() - begun) / 1000;
  await station.page.getByText('waiting').waitFor({ state: 'detached' });
  const each = (station.actions / orders.length).toFixed(1);
  const screen = `the screen ${percentile(busy, 0.5).toFixed(0)} ms (p50), ${percentile(busy, 0.95).toFixed(0)} ms (p95) of CPU`;
  console.log(`${name}, ${orders.length} families of ${UNITS} units: ${each} ${actions} per family beyond the weights' digits, `);
  console.log(`  ${station.loads} page loads, ${screen}, ${(seconds / orders.length).toFixed(2)} s per family in all`);
  if (station.loads > 0) process.exitCode = 1;
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

const databases = await createDatabases();
const sql = await readFile(join(import.meta.dirname, 'counter.sql'), 'utf8');
const orders = await databases.on('ours', async (client) => {
  await client.query(sql);
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query<{ id: number }>('SELECT id FROM orders WHERE "distributionId" = $1 ORDER BY id', [DISTRIBUTION]);
  return rows.map(({ id }) => id);
});
const server = await startServer('ours', databases.urlOf('ours'));
const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGS });
try {
  const url = `http://127.0.0.1:${server.port}`;
  await readFamilies(url);
  const [byKeys, byTouch] = [orders.slice(0, FAMILIES), orders.slice(FAMILIES, 2 * FAMILIES)];
  await walk(browser, url, { name: 'keyboard', actions: 'keys', isTablet: false, serve: serveByKeyboard, orders: byKeys });
  await walk(browser, url, { name: 'touch', actions: 'taps', isTablet: true, serve: serveByTouch, orders: byTouch });
  const done = await databases.on('ours', async (client) => {
    const text = `SELECT count(*)::int AS marked, count(p."orderId")::int AS paid FROM orders o
      LEFT JOIN payments p ON p."distributionId" = o."distributionId" AND p."orderId" = o.id WHERE o."distributionId" = $1 AND o."pickedUpAt" IS NOT NULL`;
    const { rows } = await client.query<{ marked: number; paid: number }>(text, [DISTRIBUTION]);
    return rows[0] ?? { marked: 0, paid: 0 };
  });
  console.log(`recorded: ${done.marked} picked up, ${done.paid} payments of ${byKeys.length + byTouch.length} families`);
  if (done.marked !== byKeys.length + byTouch.length || done.paid !== done.marked) process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
  await databases.stop();
}
