// Customers order while a part of the database's cluster fails. The test counts acknowledged, lost, incomplete and duplicate orders. It
// also measures the longest time without a successful save.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../src/server/database/db.ts';
import { openBalancer } from '../load/balancer.ts';
import { startTraffic, type Traffic } from '../load/traffic.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import type { TestDatabase } from '../setup/databases.ts';
import { startProduct, startWorker, stopAndMeasure } from '../setup/product.ts';
import { createShop, nextShop, verifyShop, withDb, type BuyerLog, type Shop, type ShopVerdict } from '../setup/orders-and-customers.ts';

const BUYERS = 12;
/** Matches a response with status 503, which asks the client to try again. */
const CLEAN = /^\w+: 503 /;

interface SignInResult extends ShopVerdict {
  readonly doubled: number;
}

const VERSIONS = 'SELECT "customerId", version FROM orders WHERE "distributionId" = $1';

/**
 * Counts the orders that were saved more often than the customer has sent requests. Each save increments the order's version. A version
 * above the number of requests means that a save was executed twice.
 */
const countDoubled = (place: TestDatabase, { distributionId }: Shop, told: readonly BuyerLog[]): Promise<number> =>
  withDb(place, async (db) => {
    const orders = await run<{ customerId: number; version: number }>(db, VERSIONS, [distributionId]);
    const sent = new Map(told.map((one) => [one.buyer.id, one.sent]));
    return orders.filter(({ customerId, version }) => version > (sent.get(customerId) ?? 0)).length;
  });

/** Returns the longest time after `from` in which no save succeeded, in milliseconds. */
function longestGap({ saved }: Traffic, from: number): number {
  const times = [from, ...saved.filter((at) => at > from).toSorted((a, b) => a - b)];
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}

export interface Fault {
  readonly name: string;
  /** Causes the fault. Returns a function that repairs the failed part. */
  readonly cause: () => Promise<() => Promise<void>>;
}

interface Found extends SignInResult {
  readonly name: string;
  readonly gap: number;
  readonly refused: number;
  readonly odd: readonly string[];
}

interface Place {
  readonly place: TestDatabase;
  readonly url: string;
  readonly shop: Shop;
}

async function underFault({ place, url, shop }: Place, fault: Fault): Promise<Found> {
  const traffic = startTraffic(url, shop);
  await traffic.untilEach(2);
  await pause(Math.random() * 500);
  const from = performance.now();
  const repair = await fault.cause();
  await pause(1000);
  await traffic.untilEach(3);
  await repair();
  await traffic.untilEach(1);
  await traffic.end();
  const odd = [...new Set(traffic.failed.filter((text) => !CLEAN.test(text)))];
  const refused = traffic.failed.filter((text) => CLEAN.test(text)).length;
  const verdict = { ...(await verifyShop(place, shop, traffic.told)), doubled: await countDoubled(place, shop, traffic.told) };
  return { ...verdict, name: fault.name, gap: longestGap(traffic, from), refused, odd };
}

const inWords = ({ name, acknowledged, lost, torn, doubled, refused, gap }: Found): string =>
  `${name}: ${counted(acknowledged, 'acknowledged')}, ${lost} lost, ${torn} torn, ${doubled} doubled, ${refused} told to try again, ${(gap / 1000).toFixed(1)} s without a write`;

interface Facing {
  readonly faults: readonly Fault[];
  /** Waits until the cluster has recovered from a fault and is ready for the next one. */
  readonly whole: () => Promise<void>;
  readonly rounds: number;
}

/** Runs two servers behind a load balancer and one worker on this database, causes each of the faults, and checks the orders. */
export async function orderUnderFaults(place: TestDatabase, { faults, whole, rounds }: Facing, { tell }: Setting): Promise<Outcome> {
  const servers = [await startProduct(place), await startProduct(place)];
  const worker = await startWorker(place);
  const balancer = await openBalancer(...servers.map(({ port }) => port));
  let shop = await createShop(place, BUYERS);
  const found: Found[] = [];
  for (let round = 0; round < rounds; round++)
    for (const fault of faults) {
      shop = await nextShop(place, shop);
      const one = await underFault({ place, url: balancer.url, shop }, fault);
      found.push(one);
      tell([inWords(one), ...one.odd].join('; '));
      await whole();
    }
  const stopped = await Promise.all([...servers, worker].map(stopAndMeasure));
  await balancer.close();
  const wrong = [...stopped.flatMap((one) => one.wrong), ...found.flatMap(({ odd }) => odd)];
  const isClean = found.every(({ lost, torn, doubled }) => lost + torn + doubled === 0);
  return { line: [...found.map(inWords), ...wrong].join('; '), holds: isClean && wrong.length === 0 };
}
