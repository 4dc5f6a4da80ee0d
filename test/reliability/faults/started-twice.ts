// Reliability test R19: when two processes start at the same time on one data folder, they must share one database. After all processes are
// killed with kill -9, the application must start again.
import { postmastersOn } from '../../embedded-postgres/processes.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, type Product } from '../setup/product.ts';
import type { Outcome, Setting } from '../reliability-test.ts';
import { verifyShop, createShop, saveOrder, type Shop, type BuyerLog, isSaved } from '../setup/orders-and-customers.ts';

/** Saves through one process, and returns whether the other process reads the saved order. */
async function isSeen(shop: Shop, told: BuyerLog, [by, reader]: [Product, Product]): Promise<boolean> {
  const { status } = await saveOrder(by, shop, { buyer: told.buyer, quantity: ++told.sent });
  if (!isSaved(status)) return false;
  told.acknowledged.push(told.sent);
  const { text } = await reader.ask({ path: `/api/orders/${shop.distributionId}`, cookie: told.buyer.cookie });
  const { products } = JSON.parse(text) as { products?: { quantity: number }[] };
  return products?.length === shop.productIds.length && products.every(({ quantity }) => quantity === told.sent);
}

async function bothServe(place: TestDatabase, shop: Shop, told: BuyerLog): Promise<boolean> {
  const [one, other] = await Promise.all([startProduct(place), startProduct(place)]);
  const seen = [await isSeen(shop, told, [one, other]), await isSeen(shop, told, [other, one])];
  const servers = postmastersOn(place.folder).length;
  const statuses = await Promise.all([one.stop(), other.stop()]);
  return seen.every(Boolean) && servers === 1 && statuses.every((status) => status === 0);
}

async function servesAfterKill(place: TestDatabase, shop: Shop, told: BuyerLog): Promise<boolean> {
  const killed = await startProduct(place);
  const before = await isSeen(shop, told, [killed, killed]);
  place.kill();
  await killed.kill();
  await place.start();
  const next = await startProduct(place);
  const after = await isSeen(shop, told, [next, next]);
  return before && after && (await next.stop()) === 0;
}

export async function startedTwice({ on, runs, tell }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const first = await startProduct(place);
  const shop = await createShop(place, 1);
  await first.stop();
  const told: BuyerLog = { buyer: shop.buyers[0] ?? shop.distributor, sent: 0, acknowledged: [] };
  const good = { double: 0, killed: 0 };
  const rounds = runs(20);
  for (let round = 1; round <= rounds; round++) {
    if (await bothServe(place, shop, told)) good.double += 1;
    if (await servesAfterKill(place, shop, told)) good.killed += 1;
    tell(`run ${round}: ${good.double} double starts and ${good.killed} starts after kill -9 succeeded`);
  }
  const last = await startProduct(place);
  const { acknowledged, lost, torn } = await verifyShop(place, shop, [told]);
  await last.stop();
  await place.close();
  const line = `${good.double} of ${rounds} double starts, ${good.killed} of ${rounds} starts after kill -9, ${acknowledged} acknowledged, ${lost} lost, ${torn} torn`;
  return { line, holds: good.double === rounds && good.killed === rounds && lost + torn === 0 };
}
