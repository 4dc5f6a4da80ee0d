// Reliability test R17: kills the server, or the server and the database, with kill -9 while orders are written. Afterwards, every
// acknowledged order must be complete.
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, type Product } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import {
  verifyShop,
  nextShop,
  createShop,
  saveOrder,
  type ShopVerdict,
  type Shop,
  type BuyerLog,
  isSaved,
  newLogs,
} from '../setup/orders-and-customers.ts';

const WRITES = 200;
const BUYERS = 20;

/**
 * Lets all customers save until `most` saves are acknowledged or the server is killed. After each acknowledged save, it calls `onEach` with
 * the number of saves that are acknowledged so far.
 */
async function buying(product: Product, shop: Shop, most: number, onEach: (count: number) => void): Promise<BuyerLog[]> {
  let count = 0;
  const buy = async (told: BuyerLog): Promise<BuyerLog> => {
    while (count < most) {
      const { status } = await saveOrder(product, shop, { buyer: told.buyer, quantity: ++told.sent });
      if (!isSaved(status)) return told;
      told.acknowledged.push(told.sent);
      onEach((count += 1));
    }
    return told;
  };
  return await Promise.all(newLogs(shop).map(buy));
}

interface Kill {
  readonly place: TestDatabase;
  readonly all: boolean;
}

async function killedAmid({ place, all }: Kill, product: Product, shop: Shop): Promise<{ told: BuyerLog[]; next: Product }> {
  const at = 1 + Math.floor(Math.random() * (WRITES - 1));
  let dead: Promise<void> | undefined;
  const told = await buying(product, shop, WRITES, (count) => {
    if (count !== at) return;
    dead = product.kill();
    if (all) place.kill();
  });
  await dead;
  if (all) await place.start();
  return { told, next: await startProduct(place) };
}

/** Repeats the saves that got no response, with the same idempotency keys. Returns the number of these saves. */
async function repeat(product: Product, shop: Shop, told: readonly BuyerLog[]): Promise<number> {
  const open = told.filter(({ sent, acknowledged }) => sent > acknowledged.length);
  for (const { buyer, sent, acknowledged } of open) {
    const { status, text } = await saveOrder(product, shop, { buyer, quantity: sent });
    if (!isSaved(status)) throw new Error(`a repeated save was answered ${status} ${text}`);
    acknowledged.push(sent);
  }
  return open.length;
}

const sum = (all: readonly ShopVerdict[], of: keyof ShopVerdict): number => all.reduce((total, one) => total + one[of], 0);

export async function killed({ on, runs, tell }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  let product = await startProduct(place);
  let shop = await createShop(place, BUYERS);
  const judged: ShopVerdict[] = [];
  let repeated = 0;
  for (const all of [false, true]) {
    for (let round = 1; round <= runs(20); round++) {
      shop = await nextShop(place, shop);
      const { told, next } = await killedAmid({ place, all }, product, shop);
      product = next;
      judged.push(await verifyShop(place, shop, told));
      repeated += await repeat(product, shop, told);
      judged.push({ ...(await verifyShop(place, shop, told)), acknowledged: 0 });
      tell(`${all ? 'everything' : 'Node alone'} killed, run ${round}: ${sum(judged, 'lost')} lost, ${sum(judged, 'torn')} torn`);
    }
  }
  await product.stop();
  await place.close();
  const [lost, torn] = [sum(judged, 'lost'), sum(judged, 'torn')];
  const line = `${counted(judged.length / 2, 'runs')}, ${counted(sum(judged, 'acknowledged'), 'acknowledged')}, ${counted(repeated, 'repeated under their keys')}, ${lost} lost, ${torn} torn`;
  return { line, holds: lost === 0 && torn === 0 };
}
