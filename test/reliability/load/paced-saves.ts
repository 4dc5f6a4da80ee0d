// Lets customers save their orders again and again with a short pause, and measures how long each save takes. Tests run something else at
// the same time and compare the times.
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../../bench/figures.ts';
import type { Product, ProductResponse } from '../setup/product.ts';
import { isSaved, saveOrder, type Shop } from '../setup/orders-and-customers.ts';

const BETWEEN_SAVES_MS = 100;
let quantity = 0;

/** Lets all customers save while `goesOn` returns true. Each customer always uses the same server. Returns all responses. */
export async function saveWhile(goesOn: () => boolean, servers: readonly Product[], shop: Shop): Promise<ProductResponse[]> {
  const saves = shop.buyers.map(async (buyer, index) => {
    const product = servers[index % servers.length];
    if (!product) throw new Error('There is no server.');
    const responses: ProductResponse[] = [];
    await pause(Math.random() * BETWEEN_SAVES_MS);
    while (goesOn()) {
      responses.push(await saveOrder(product, shop, { buyer, quantity: 1 + (quantity++ % 1000) }));
      await pause(BETWEEN_SAVES_MS);
    }
    return responses;
  });
  return (await Promise.all(saves)).flat();
}

export function saveFor(seconds: number, servers: readonly Product[], shop: Shop): Promise<ProductResponse[]> {
  const end = performance.now() + seconds * 1000;
  return saveWhile(() => performance.now() < end, servers, shop);
}

export const percentileMs = (responses: readonly ProductResponse[], share: number): number =>
  Math.round(
    percentile(
      responses.map(({ ms }) => ms),
      share,
    ),
  );

export const p95 = (responses: readonly ProductResponse[]): number => percentileMs(responses, 0.95);

export const failuresOf = (responses: readonly ProductResponse[]): number =>
  responses.filter((response) => !isSaved(response.status)).length;

/** While something else runs, saves may take at most this many times as long as without it. */
const ALLOWED_TIMES = 3;
/**
 * Times below this number of milliseconds are raised to it before they are compared. Shorter times depend more on the machine than on what
 * else runs.
 */
const SHORTEST_MS = 15;
export const isLittleSlower = (p95Ms: number, quietMs: number): boolean => p95Ms <= ALLOWED_TIMES * Math.max(quietMs, SHORTEST_MS);
