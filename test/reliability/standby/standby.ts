// Kills the primary while customers order, and promotes its standby. The application must reconnect automatically, and no acknowledged
// order may be lost.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSmtp, type Smtp } from '../../mail/smtp-server.ts';
import { openFolder, type TestDatabase } from '../setup/databases.ts';
import { onCleanup } from '../setup/cleanups.ts';
import { startProduct, stopAndMeasure, type Product } from '../setup/product.ts';
import { counted, waitUntil, type Outcome, type Setting } from '../reliability-test.ts';
import { verifyShop, nextShop, createShop, type Buyer, type ShopVerdict, type Shop } from '../setup/orders-and-customers.ts';
import { confirmed, type Confirmed } from './mails.ts';
import { openPair, type Pair } from './primary-and-standby.ts';
import { startTraffic } from '../load/traffic.ts';

const BUYERS = 16;
/**
 * The milliseconds between the death of the primary and the failover. A monitor needs about this time if it checks three times before it
 * considers the primary dead.
 */
const NOTICED_AFTER_MS = 1_000;
/** Matches a response with status 503, which asks the client to try again. */
const CLEAN = /^\w+: 503 /;

interface Failover extends ShopVerdict, Confirmed {
  readonly ms: number;
  readonly refused: number;
  /** The number of saves that got no response. */
  readonly unheard: number;
  /** The failed responses except those with status 503. */
  readonly odd: readonly string[];
}

/**
 * Kills the primary and promotes the standby while customers order. Half of the customers repeat a failed save until it succeeds. The other
 * half stop at the first failed save, so they do not know whether it took effect.
 */
async function failOver(pair: Pair, place: TestDatabase, product: Product, shop: Shop): Promise<Omit<Failover, keyof Confirmed>> {
  const givesUp = ({ id }: Buyer): boolean => shop.buyers.findIndex((buyer) => buyer.id === id) % 2 === 0;
  const traffic = startTraffic(`http://127.0.0.1:${product.port}`, shop, givesUp);
  await traffic.untilEach(3);
  await pause(Math.random() * 500);
  pair.killPrimary();
  const killed = performance.now();
  await pause(NOTICED_AFTER_MS);
  // For a moment, the database's port leads to a read-only standby. The application must not keep connections that it opens meanwhile.
  pair.moveAddress();
  await pause(300);
  await pair.promote();
  const back = (): number => Math.min(...traffic.saved.filter((at) => at > killed + NOTICED_AFTER_MS), Infinity);
  await waitUntil(() => back() < Infinity, 'nobody was served within a minute after the standby had been promoted');
  await traffic.untilEach(2);
  await traffic.end();
  const odd = traffic.failed.filter((text) => !CLEAN.test(text));
  const unheard = traffic.told.filter(({ sent, acknowledged }) => sent > acknowledged.length).length;
  return {
    ...(await verifyShop(place, shop, traffic.told)),
    ms: back() - killed,
    refused: traffic.failed.length - odd.length,
    unheard,
    odd,
  };
}

const COUNTS = ['acknowledged', 'lost', 'torn', 'unheard', 'unanswered', 'refused', 'sentOnce', 'inDoubt', 'wrongMails'] as const;
type Counts = Record<(typeof COUNTS)[number], number>;

const inWords = ({ acknowledged, lost, torn, unheard, unanswered, refused, sentOnce, inDoubt, wrongMails }: Counts): string =>
  `${counted(acknowledged, 'acknowledged')}, ${lost} lost, ${unheard} never answered, of which ${unanswered} are there and ${unheard - unanswered} are not, ${torn} torn, ${refused} told to try again; ${counted(sentOnce, 'confirmations')} sent once, ${inDoubt} in doubt and shown, ${wrongMails} wrong`;

async function failOvers(pair: Pair, place: TestDatabase, smtp: Smtp, { runs, tell }: Setting): Promise<Failover[]> {
  const product = await startProduct(place, { SMTP_URL: smtp.url });
  let shop = await createShop(place, BUYERS);
  const found: Failover[] = [];
  for (let round = 1; round <= runs(3); round++) {
    shop = await nextShop(place, shop);
    // The mail server is slow now, so that some mails are still being sent when the primary is killed.
    smtp.slowness = 300;
    const failover = await failOver(pair, place, product, shop);
    smtp.slowness = 0;
    await pair.reconnect();
    const one = { ...failover, ...(await confirmed(place, shop, smtp)) };
    found.push(one);
    const odd = [...new Set(one.odd)].map((text) => `; ${text}`).join('');
    tell(`run ${round}: ${inWords(one)}; away ${Math.round(one.ms)} ms${odd}`);
  }
  const { wrong } = await stopAndMeasure(product);
  if (wrong.length > 0) throw new Error(wrong.join());
  return found;
}

export async function standby(setting: Setting): Promise<Outcome> {
  const { root, remove } = await openFolder('feastday-standby-');
  const pair = await openPair(root);
  const { port } = pair.address;
  const dataDir = join(root, 'data');
  const env = { DATA_DIR: dataDir, DATABASE_URL: `postgres://feastday@127.0.0.1:${port}/feastday` };
  const connection = async () => ({ host: '127.0.0.1', port, user: 'feastday', database: 'feastday' });
  const none = { start: async () => undefined, processes: () => [], kill: () => undefined, close: pair.close };
  const smtp = await startSmtp();
  const stopSmtp = onCleanup(() => smtp.stop());
  const found = await failOvers(pair, { on: 'given', env, dataDir, folder: root, connection, ...none }, smtp, setting);
  await pair.close();
  await stopSmtp();
  await remove();
  const sums = Object.fromEntries(COUNTS.map((of) => [of, found.reduce((total, one) => total + one[of], 0)])) as Counts;
  const odd = found.flatMap((one) => one.odd);
  const away = found.map(({ ms }) => (ms / 1000).toFixed(1)).join(', ');
  const line = `${found.length} primaries killed, ${inWords(sums)}; ${odd.length} answers other than 503; without service ${away} s, of which ${NOTICED_AFTER_MS / 1000} s to notice it`;
  return { line, holds: sums.lost + sums.torn + sums.wrongMails + odd.length === 0 };
}
