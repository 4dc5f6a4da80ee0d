// Reliability test R21: when the disk is full, the server refuses saves with 503 and a message. No acknowledged save is lost, and saving
// works again when there is space on the disk.
import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning, openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, type Product } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import {
  verifyShop,
  nextShop,
  createShop,
  saveOrder,
  withDb,
  type Shop,
  type BuyerLog,
  isSaved,
  newLogs,
} from '../setup/orders-and-customers.ts';
import { run } from '../../../src/server/database/db.ts';

const SIZE = '320m';
const BUYERS = 8;
const REFUSALS = 60;
const MAX_RECOVERY_MS = 90_000;

async function fill(path: string): Promise<void> {
  const file = createWriteStream(path);
  const full = once(file, 'error').catch((error: unknown) => [error]);
  let isFull = false;
  void full.then(() => (isFull = true));
  while (!isFull) {
    const isWritten = await Promise.race([new Promise((resolve) => file.write(Buffer.alloc(1 << 20), resolve)), full]);
    if (isWritten) break;
  }
  file.destroy();
  // This command fills the space that is left on the disk, which is less than a megabyte.
  execFileSync('sh', ['-c', `cat /dev/zero > "${path}.rest" 2>/dev/null || true`]);
}

interface Seen {
  refused: number;
  /** The responses whose status is neither a success nor 503, or whose message is too long. */
  readonly wrong: string[];
  isOver: boolean;
}

/** Saves one quantity after the other. A refused save is repeated, as a user would do. */
async function buy(product: Product, shop: Shop, told: BuyerLog, seen: Seen): Promise<void> {
  while (!seen.isOver) {
    const { status, text } = await saveOrder(product, shop, { buyer: told.buyer, quantity: told.acknowledged.length + 1 });
    told.sent = told.acknowledged.length + 1;
    if (isSaved(status)) told.acknowledged.push(told.sent);
    else {
      seen.refused += 1;
      if (status !== 503 || text.length > 200) seen.wrong.push(`${status} ${text.slice(0, 100)}`);
      await pause(50);
    }
  }
}

async function untilRefused(place: TestDatabase, seen: Seen, isLog: boolean): Promise<void> {
  // If `isLog` is set, this statement requests a new file for PostgreSQL's write-ahead log. PostgreSQL cannot create the file, and stops.
  if (isLog) await withDb(place, (db) => run(db, 'SELECT pg_switch_wal()', [])).catch(() => undefined);
  for (const until = Date.now() + 60_000; seen.refused < REFUSALS && Date.now() < until;) await pause(50);
}

async function recovered(place: TestDatabase, product: Product, shop: Shop): Promise<boolean> {
  for (const until = Date.now() + MAX_RECOVERY_MS; Date.now() < until; await pause(200)) {
    // If a separate database server has stopped because of the full disk, the test restarts it, as its operator would.
    if (!isRunning(place)) await place.start();
    const [buyer] = shop.buyers;
    const path = `/api/orders/${shop.distributionId}`;
    if (buyer && (await product.ask({ path, cookie: buyer.cookie })).status === 200) return true;
  }
  return false;
}

async function filled(place: TestDatabase, product: Product, { shop, isLog }: { shop: Shop; isLog: boolean }) {
  const seen: Seen = { refused: 0, wrong: [], isOver: false };
  const told = newLogs(shop);
  const buying = told.map((one) => buy(product, shop, one, seen));
  await pause(300);
  const filler = join(place.dataDir, '..', 'filler');
  await fill(filler);
  await untilRefused(place, seen, isLog);
  const health = await product.ask({ path: '/api/health' });
  await Promise.all([rm(filler, { force: true }), rm(`${filler}.rest`, { force: true })]);
  const isBack = await recovered(place, product, shop);
  const before = told.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  for (const until = Date.now() + 10_000; Date.now() < until; await pause(100)) {
    if (told.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0) > before + BUYERS) break;
  }
  seen.isOver = true;
  await Promise.all(buying);
  if (![200, 503].includes(health.status)) seen.wrong.push(`health ${health.status}`);
  return { ...seen, isBack, ...(await verifyShop(place, shop, told)) };
}

export async function fullDisk({ on, runs, tell }: Setting): Promise<Outcome> {
  const disk = await mkdtemp(join(tmpdir(), 'feastday-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', disk]);
  const sum = { acknowledged: 0, refused: 0, lost: 0, torn: 0, stuck: 0 };
  const wrong: string[] = [];
  try {
    const place = await openTestDatabase(on, disk);
    const product = await startProduct(place);
    let shop = await createShop(place, BUYERS);
    for (let round = 1; round <= runs(10); round++) {
      shop = await nextShop(place, shop);
      const one = await filled(place, product, { shop, isLog: round % 2 === 0 });
      for (const key of ['acknowledged', 'refused', 'lost', 'torn'] as const) sum[key] += one[key];
      sum.stuck += one.isBack ? 0 : 1;
      wrong.push(...one.wrong);
      tell(
        `run ${round}: ${one.acknowledged} acknowledged, ${one.refused} refused, wrongly: ${[...new Set(one.wrong)].join('; ') || 'none'}`,
      );
    }
    await product.stop();
    await place.close();
  } finally {
    execFileSync('umount', ['-l', disk]);
    await rm(disk, { recursive: true });
  }
  const counts = `${counted(sum.acknowledged, 'acknowledged')}, ${counted(sum.refused, 'refused')}, ${wrong.length} of them without a clean 503`;
  const line = `${runs(10)} runs, ${counts}, ${sum.lost} lost, ${sum.torn} torn, ${sum.stuck} that did not recover`;
  return { line, holds: sum.refused > 0 && wrong.length + sum.lost + sum.torn + sum.stuck === 0 };
}
