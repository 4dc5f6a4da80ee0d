// Lets customers save orders continuously over kept connections, and read their orders back. It notes all wrong responses.
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Order } from '../../../src/features/orders/contract.ts';
import { onCleanup } from '../setup/cleanups.ts';
import { send, type ProductResponse } from '../setup/product.ts';
import { waitUntil } from '../reliability-test.ts';
import { saveOrder, type Buyer, type Shop, type BuyerLog, isSaved, newLogs } from '../setup/orders-and-customers.ts';

const BETWEEN_TRIES_MS = 100;

export interface Traffic {
  readonly told: readonly BuyerLog[];
  readonly failed: readonly string[];
  /** The times at which saves were acknowledged, in milliseconds of performance.now(). */
  readonly saved: readonly number[];
  readonly requests: () => number;
  /** Returns the longest time to a response in milliseconds. */
  readonly slowest: () => number;
  /** Waits until every customer who repeats failed saves has had `times` further saves acknowledged. */
  readonly untilEach: (times: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * Returns whether a response matches the contract and contains the customer's last saved order. A save without a response may or may not
 * have changed the order.
 */
function isOwn(text: string, shop: Shop, { sent, acknowledged }: BuyerLog): boolean {
  const data = text === 'null' ? null : Order.safeParse(parsed(text)).data;
  if (data === undefined) return false;
  const quantity = data?.version ?? 0;
  const isLast = quantity === acknowledged.length || quantity === sent;
  if (data === null) return isLast;
  const lines = new Map(data.products.map((line) => [line.productId, line.quantity]));
  const isWhole = lines.size === data.products.length && lines.size === shop.productIds.length;
  return isLast && isWhole && data.distributionId === shop.distributionId && shop.productIds.every((id) => lines.get(id) === quantity);
}

/**
 * Starts the customers. A customer for whom `givesUp` returns true stops at the first failed save. The others repeat a failed save with the
 * same idempotency key.
 */
export function startTraffic(url: string, shop: Shop, givesUp: (buyer: Buyer) => boolean = () => false): Traffic {
  const all = newLogs(shop);
  const [failed, saved]: [string[], number[]] = [[], []];
  let [isOver, requests, slowest] = [false, 0, 0];
  const heard = (step: string, told: BuyerLog, { status, text, ms, isKept }: ProductResponse): boolean => {
    requests += 1;
    slowest = Math.max(slowest, ms);
    const isGood = isSaved(status) && isOwn(text, shop, told);
    if (!isGood) failed.push(`${step}: ${status} ${text}${status === 0 ? ` after ${Math.round(ms)} ms, kept: ${isKept}` : ''}`);
    return isGood;
  };
  const trade = async (told: BuyerLog): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { buyer } = told;
    const asked = { path: `/api/orders/${shop.distributionId}`, cookie: buyer.cookie, agent };
    const isSavedWhole = async (quantity: number): Promise<boolean> =>
      heard('save', told, await saveOrder({ ask: (asking) => send(url, asking) }, shop, { buyer, quantity, agent }));
    for (let goesOn = true; goesOn && !isOver;) {
      const quantity = ++told.sent;
      goesOn = await isSavedWhole(quantity);
      while (!goesOn && !isOver && !givesUp(buyer)) {
        await pause(BETWEEN_TRIES_MS);
        goesOn = await isSavedWhole(quantity);
      }
      if (goesOn) {
        told.acknowledged.push(quantity);
        saved.push(performance.now());
      }
      heard('read', told, await send(url, asked));
    }
    agent.destroy();
  };
  const trading = all.map(trade);
  const patient = all.filter(({ buyer }) => !givesUp(buyer));
  return {
    told: all,
    failed,
    saved,
    requests: () => requests,
    slowest: () => Math.round(slowest),
    untilEach: (times) => {
      const before = patient.map(({ acknowledged }) => acknowledged.length);
      const isAnswered = ({ acknowledged }: BuyerLog, at: number): boolean => acknowledged.length >= (before[at] ?? 0) + times;
      return waitUntil(() => patient.every(isAnswered), `not everybody has saved ${times} times within a minute`);
    },
    end: onCleanup(async () => {
      isOver = true;
      await Promise.all(trading);
    }),
  };
}
