// Reliability test R50: slowhttptest opens two hundred connections while customers order. Half of these connections send headers without an
// end, and the other half bodies without an end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openTestDatabase } from '../setup/databases.ts';
import { startProduct, type ProductResponse, type Product } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import { createShop, saveOrder, type Shop } from '../setup/shop.ts';

const SLOW = 200;
const SECONDS = 30;
const ALLOWED_MS = 1000;
const MODES = ['-H', '-B'];

/**
 * Opens half of the connections and holds them for half a minute. Returns the maximum number of connections that were open at the same
 * time.
 */
async function slowHalf(mode: string, url: string, folder: string): Promise<number> {
  const half = String(SLOW / MODES.length);
  const report = join(folder, `slow${mode}`);
  const amount = ['-c', half, '-r', half, '-i', '1', '-l', String(SECONDS), '-s', '100000', '-f', 'application/json'];
  const child = spawn('slowhttptest', [mode, ...amount, '-g', '-o', report, '-u', url], { stdio: 'ignore' });
  await once(child, 'exit');
  const rows = (await readFile(`${report}.csv`, 'utf8')).trim().split('\n');
  const at = rows[0]?.split(',').indexOf('Connected') ?? -1;
  return Math.max(...rows.slice(1).map((row) => Number(row.split(',')[at])));
}

/** Lets all customers save at once, again and again with a pause, for this many seconds. Returns all responses. */
async function saves(product: Product, shop: Shop, seconds: number, from: number): Promise<ProductResponse[]> {
  const answers: ProductResponse[] = [];
  const until = performance.now() + seconds * 1000;
  for (let turn = from; performance.now() < until; turn++) {
    answers.push(...(await Promise.all(shop.buyers.map((buyer) => saveOrder(product, shop, { buyer, quantity: turn })))));
    await pause(200);
  }
  return answers;
}

function p95Of(answers: readonly ProductResponse[]): number {
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(times[Math.ceil(times.length * 0.95) - 1] ?? Infinity);
}

export async function slowClients({ on, runs }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const product = await startProduct(place);
  const shop = await createShop(place, 10);
  const before = p95Of(await saves(product, shop, runs(10), 1));
  const folder = await mkdtemp(join(tmpdir(), 'feastday-slow-'));
  const slow = Promise.all(MODES.map((mode) => slowHalf(mode, `http://127.0.0.1:${product.port}/api/login`, folder)));
  await pause(2000);
  const answers = await saves(product, shop, runs(SECONDS - 5), 1000);
  const held = (await slow).reduce((sum, half) => sum + half, 0);
  await rm(folder, { recursive: true });
  await product.stop();
  await place.close();
  const p95 = p95Of(answers);
  const failed = answers.filter(({ status }) => status !== 200 && status !== 201).length;
  const line = `${counted(answers.length, 'saves')} beside ${held} slow connections of slowhttptest: p95 ${p95} ms (${before} ms without them), ${failed} errors`;
  return { line, holds: failed === 0 && p95 < ALLOWED_MS && held === SLOW };
}
