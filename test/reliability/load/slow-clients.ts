// Reliability test R50: slowhttptest opens two hundred connections while customers order. Half of these connections send headers without an
// end, and the other half bodies without an end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openTestDatabase } from '../setup/databases.ts';
import { startProduct } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import { createShop } from '../setup/orders-and-customers.ts';
import { failuresOf, p95, saveFor } from './paced-saves.ts';

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

export async function slowClients({ on, runs }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const product = await startProduct(place);
  const shop = await createShop(place, 10);
  const before = p95(await saveFor(runs(10), [product], shop));
  const folder = await mkdtemp(join(tmpdir(), 'feastday-slow-'));
  const slow = Promise.all(MODES.map((mode) => slowHalf(mode, `http://127.0.0.1:${product.port}/api/login`, folder)));
  await pause(2000);
  const answers = await saveFor(runs(SECONDS - 5), [product], shop);
  const held = (await slow).reduce((sum, half) => sum + half, 0);
  await rm(folder, { recursive: true });
  await product.stop();
  await place.close();
  const [during, failed] = [p95(answers), failuresOf(answers)];
  const line = `${counted(answers.length, 'saves')} beside ${held} slow connections of slowhttptest: p95 ${during} ms (${before} ms without them), ${failed} errors`;
  return { line, holds: failed === 0 && during < ALLOWED_MS && held === SLOW };
}
