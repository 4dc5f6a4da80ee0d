// Reliability test R18: before the server responds to a saved order, the database must have synced it to disk. The test checks this by
// tracing the system calls of the database.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import { createShop, saveOrder, isSaved } from '../setup/orders-and-customers.ts';

const SYNC = /^\d+ +(\d+\.\d+) (?:fsync|fdatasync)\(/;

/** Returns the times of all sync calls that the database's processes make while `work` runs, in seconds since 1970. */
async function syncsDuring(place: TestDatabase, work: () => Promise<void>): Promise<number[]> {
  const log = join(place.dataDir, '../strace.txt');
  const attached = place.processes().flatMap((pid) => ['-p', String(pid)]);
  const strace = spawn('strace', ['-f', '-ttt', '-e', 'trace=fsync,fdatasync', '-o', log, ...attached], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(strace, 'exit');
  let said = '';
  strace.stderr.on('data', (text: Buffer) => (said += text.toString()));
  await Promise.race([once(strace.stderr, 'data'), ended]);
  await pause(1000);
  if (strace.exitCode !== null) throw new Error(`strace may not look at other processes here: ${said.trim()}`);
  await work();
  strace.kill('SIGINT');
  await ended;
  return (await readFile(log, 'utf8')).split('\n').flatMap((line) => Number(SYNC.exec(line)?.[1] ?? NaN) || []);
}

export async function synced({ on, runs }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const product = await startProduct(place);
  const shop = await createShop(place, 1);
  const [buyer] = shop.buyers;
  if (!buyer) throw new Error('the shop has no customer');
  const spans: [number, number][] = [];
  const now = (): number => (performance.timeOrigin + performance.now()) / 1000;
  const syncs = await syncsDuring(place, async () => {
    for (let quantity = 1; quantity <= runs(200); quantity++) {
      const began = now();
      const { status, text } = await saveOrder(product, shop, { buyer, quantity });
      if (!isSaved(status)) throw new Error(`an order was answered ${status} ${text}`);
      spans.push([began, now()]);
    }
  });
  await product.stop();
  await place.close();
  const without = spans.filter(([from, to]) => !syncs.some((time) => from <= time && time <= to)).length;
  const line = `${counted(spans.length, 'acknowledged')}, ${counted(syncs.length, 'sync calls')}, ${without} without one between the order and its answer`;
  return { line, holds: without === 0 && syncs.length >= spans.length };
}
