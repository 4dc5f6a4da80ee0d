// This file contains two reliability tests. R23: customers save while ten clients read expensive reports. R49: two hundred customers save
// at once.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../src/server/database/db.ts';
import { failuresOf, p95, percentileMs } from './paced-saves.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, type ProductResponse, type Product } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import { createShop, saveOrder, withDb, type Shop } from '../setup/orders-and-customers.ts';

const ALLOWED_MS = 300;
const LINES = 12;

/** Creates `orders` orders of other customers in the same distribution. Each order has a line for every product. */
export const fillOrders = (place: TestDatabase, shop: Shop, orders: number): Promise<unknown> =>
  withDb(place, (db) =>
    run(
      db,
      `WITH people AS (INSERT INTO users (email, role, "distributorId")
          SELECT 'other' || n || '.' || $2::int || '@test.example', 'customer', $1::int FROM generate_series(1, $3::int) n RETURNING id),
        placed AS (INSERT INTO orders ("distributorId", "distributionId", "customerId", "updatedBy")
          SELECT $1::int, $2::int, id, id FROM people RETURNING id)
      INSERT INTO order_products ("distributorId", "distributionId", "orderId", "productId", quantity, "originalQuantity")
        SELECT $1::int, $2::int, placed.id, goods, 2, 2 FROM placed, unnest($4::int[]) goods`,
      [shop.distributor.id, shop.distributionId, orders, shop.productIds],
    ),
  );

async function untilOver(until: number, ask: () => Promise<ProductResponse>, between = 0): Promise<ProductResponse[]> {
  const answers: ProductResponse[] = [];
  await pause(Math.random() * between);
  while (performance.now() < until) {
    answers.push(await ask());
    if (between > 0) await pause(between);
  }
  return answers;
}

/**
 * Lets 50 customers each save once a second while reports are read. In reality, fewer customers save in the last minute before ordering
 * closes.
 */
export async function savesDuringReports({ on, runs }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const product = await startProduct(place);
  const shop = await createShop(place, 50, LINES);
  await fillOrders(place, shop, 1000);
  await burst(product, shop, 1);
  const until = performance.now() + runs(20) * 1000;
  const path = `/api/distributions/${shop.distributionId}/report`;
  const reading = Array.from({ length: 10 }, () => untilOver(until, () => product.ask({ path, cookie: shop.distributor.cookie })));
  let turn = 1;
  const saving = shop.buyers.map((buyer) =>
    untilOver(until, () => saveOrder(product, shop, { buyer, quantity: 1 + (turn++ % 1000) }), 1000),
  );
  const [reports, saves] = [(await Promise.all(reading)).flat(), (await Promise.all(saving)).flat()];
  await product.stop();
  await place.close();
  const wrong = failuresOf(saves) + failuresOf(reports);
  const line = `${counted(reports.length, 'reports')} by ten, ${counted(saves.length, 'saves')} by fifty, p99 of a save ${percentileMs(saves, 0.99)} ms, ${wrong} errors`;
  return { line, holds: wrong === 0 && percentileMs(saves, 0.99) < ALLOWED_MS };
}

const burst = (product: Product, shop: Shop, quantity: number): Promise<ProductResponse[]> =>
  Promise.all(shop.buyers.map((buyer) => saveOrder(product, shop, { buyer, quantity })));

export async function spike({ on, runs, tell }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  const product = await startProduct(place);
  const shop = await createShop(place, 200, LINES);
  for (let quantity = 1; quantity <= 5; quantity++) await burst(product, shop, quantity);
  const bursts: ProductResponse[][] = [];
  for (let quantity = 6; quantity < 6 + runs(10); quantity++) {
    await pause(500);
    const answers = await burst(product, shop, quantity);
    tell(`p95 ${p95(answers)} ms`);
    bursts.push(answers);
  }
  await product.stop();
  await place.close();
  const [all, slowest] = [bursts.flat(), Math.max(...bursts.map((answers) => p95(answers)))];
  const line = `${bursts.length} bursts of 200 saves of ${LINES} lines, p95 ${p95(all)} ms, of the slowest burst ${slowest} ms, ${failuresOf(all)} errors`;
  return { line, holds: failuresOf(all) === 0 && p95(all) < ALLOWED_MS };
}
