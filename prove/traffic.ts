// People who order without a pause, each over a connection that is kept, and read their order back; what they were told is kept.
import { Agent } from 'node:http';
import { send, type Answer } from './product.ts';
import type { Shop, Told } from './shop.ts';

export interface Traffic {
  readonly told: readonly Told[];
  readonly failed: readonly string[];
  readonly requests: () => number;
  /** The longest that an answer took, in ms. */
  readonly slowest: () => number;
  /** Everybody has been answered so often. */
  readonly each: (times: number) => boolean;
  readonly end: () => Promise<void>;
}

export function startTraffic(url: string, shop: Shop): Traffic {
  const all = shop.buyers.map((buyer): Told => ({ buyer, sent: 0, acknowledged: [] }));
  const failed: string[] = [];
  let [isOver, requests, slowest] = [false, 0, 0];
  const heard = (step: string, { status, text, ms }: Answer): boolean => {
    requests += 1;
    slowest = Math.max(slowest, ms);
    if (status === 200 || status === 201) return true;
    failed.push(`${step}: ${status} ${text}`);
    return false;
  };
  const trade = async (told: Told): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { cookie, id } = told.buyer;
    while (!isOver) {
      const quantity = ++told.sent;
      const products = shop.productIds.map((productId) => ({ productId, quantity }));
      const body = { distributionId: shop.distributionId, products };
      const key = `${shop.distributionId}-${id}-${quantity}`;
      // Whose save fails sends the same again under the same key.
      let isSaved = false;
      while (!isSaved && !isOver)
        isSaved = heard('save', await send(url, { method: 'POST', path: '/api/orders', cookie, key, body, agent }));
      if (isSaved) told.acknowledged.push(quantity);
      heard('read', await send(url, { path: `/api/orders/${shop.distributionId}`, cookie, agent }));
    }
    agent.destroy();
  };
  const trading = all.map(trade);
  return {
    told: all,
    failed,
    requests: () => requests,
    slowest: () => Math.round(slowest),
    each: (times) => all.every(({ acknowledged }) => acknowledged.length >= times),
    end: async () => {
      isOver = true;
      await Promise.all(trading);
    },
  };
}
