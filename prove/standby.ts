// The primary is killed amid orders and its standby takes over: the product finds it by itself, and nothing that was acknowledged is lost.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../src/server/db.ts';
import type { Place } from './databases.ts';
import { startProduct, type Product } from './product.ts';
import { counted, type Outcome, type Setting } from './proof.ts';
import { judge, nextShop, openShop, save, within, type Judged, type Shop, type Told } from './shop.ts';
import { openPair, type Pair } from './standby/pair.ts';

const BUYERS = 16;
/** A watcher asks three times before it believes that the primary is gone. */
const NOTICED_AFTER_MS = 1_000;
const LONGEST_AWAY_MS = 60_000;

interface Seen {
  /** When a save was answered, in ms. */
  readonly saved: number[];
  /** Other answers than 200, 201 and a clean 503, which says to try again. */
  readonly odd: string[];
  refused: number;
}

/** Saves without a pause; whoever is refused or cut off sends the same again under the same key. */
async function trade(product: Product, shop: Shop, { told, seen }: { told: Told; seen: Seen }, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const quantity = ++told.sent;
    for (;;) {
      const { status, text } = await save(product, shop, { buyer: told.buyer, quantity });
      if (status === 200 || status === 201) break;
      seen.refused += 1;
      if (status !== 503) seen.odd.push(`${status} ${text}`);
      await pause(100);
    }
    told.acknowledged.push(quantity);
    seen.saved.push(performance.now());
  }
}

const SENT = `SELECT count(*)::int AS mails FROM emails WHERE status = 'sent'`;
const mailsSent = (place: Place): Promise<number> =>
  within(place, async (db) => (await run<{ mails: number }>(db, SENT, []))[0]?.mails ?? 0);

interface Failover extends Judged {
  readonly ms: number;
  readonly refused: number;
  readonly odd: readonly string[];
}

async function failOver(pair: Pair, place: Place, product: Product, shop: Shop): Promise<Failover> {
  const all = shop.buyers.map((buyer): Told => ({ buyer, sent: 0, acknowledged: [] }));
  const seen: Seen = { saved: [], odd: [], refused: 0 };
  let isOver = false;
  const trading = all.map((told) => trade(product, shop, { told, seen }, () => isOver));
  while (all.some(({ acknowledged }) => acknowledged.length < 3)) await pause(5);
  await pause(Math.random() * 500);
  pair.killPrimary();
  const killed = performance.now();
  await pause(NOTICED_AFTER_MS);
  // For a moment the address leads to a standby: it reads, refuses to write, and must not be kept.
  pair.moveAddress();
  await pause(300);
  await pair.promote();
  const promoted = performance.now();
  const isBack = (): boolean => seen.saved.some((at) => at > promoted);
  for (const until = promoted + LONGEST_AWAY_MS; !isBack() && performance.now() < until;) await pause(5);
  const back = Math.min(...seen.saved.filter((at) => at > killed + NOTICED_AFTER_MS), Infinity);
  // Everybody is served again.
  const before = all.map(({ acknowledged }) => acknowledged.length);
  while (isBack() && all.some(({ acknowledged }, index) => acknowledged.length < (before[index] ?? 0) + 2)) await pause(5);
  isOver = true;
  await Promise.all(trading);
  return { ...(await judge(place, shop, all)), ms: back - killed, refused: seen.refused, odd: seen.odd };
}

async function proved(root: string, { runs, tell }: Setting): Promise<Outcome> {
  const pair = await openPair(root);
  const { port } = pair.address;
  const dataDir = join(root, 'data');
  const env = { DATA_DIR: dataDir, DATABASE_URL: `postgres://feastday@127.0.0.1:${port}/feastday` };
  const connection = async () => ({ host: '127.0.0.1', port, user: 'feastday', database: 'feastday' });
  const none = { start: async () => undefined, processes: () => [], kill: () => undefined, close: pair.close };
  const place: Place = { on: 'given', env, dataDir, folder: root, connection, ...none };
  const found: Failover[] = [];
  let isMailing = true;
  try {
    const product = await startProduct(place);
    let shop = await openShop(place, BUYERS);
    for (let round = 1; round <= runs(3); round++) {
      shop = await nextShop(place, shop);
      const one = await failOver(pair, place, product, shop);
      found.push(one);
      const sent = await mailsSent(place);
      await pair.mend();
      // The outbox goes on as well: what the orders of this round are due arrives.
      for (const until = Date.now() + LONGEST_AWAY_MS; isMailing && (await mailsSent(place)) <= sent; await pause(200))
        isMailing = Date.now() < until;
      const { acknowledged, lost, torn, ms, refused, odd } = one;
      const others = odd.length > 0 ? `, ${odd.length} other answers: ${[...new Set(odd)].join(', ')}` : '';
      tell(
        `run ${round}: ${acknowledged} acknowledged, ${lost} lost, ${torn} torn, ${refused} told to try again, away ${Math.round(ms)} ms${others}`,
      );
    }
    await product.stop();
  } finally {
    await pair.close();
  }
  const sum = (of: 'acknowledged' | 'lost' | 'torn' | 'refused'): number => found.reduce((total, one) => total + one[of], 0);
  const odd = found.flatMap((one) => one.odd);
  const away = found.map(({ ms }) => (ms / 1000).toFixed(1)).join(', ');
  const wrong = `${sum('lost')} lost, ${sum('torn')} torn, ${odd.length} answers other than 503${isMailing ? '' : ', the mails stood still'}`;
  const line = `${found.length} primaries killed, ${counted(sum('acknowledged'), 'acknowledged')}, ${wrong}; ${sum('refused')} told to try again; without service ${away} s, of which ${NOTICED_AFTER_MS / 1000} s to notice it`;
  return { line, holds: sum('lost') + sum('torn') + odd.length === 0 && isMailing && found.every(({ ms }) => ms < LONGEST_AWAY_MS) };
}

export async function standby(setting: Setting): Promise<Outcome> {
  const root = await mkdtemp(join(tmpdir(), 'feastday-standby-'));
  try {
    return await proved(root, setting);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
