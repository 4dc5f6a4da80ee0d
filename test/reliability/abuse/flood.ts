// One flood beside ten customers who save: how long their saves take while nobody floods, and while somebody does.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Product, ProductResponse } from '../setup/product.ts';
import { saveOrder, type Shop } from '../setup/shop.ts';

export interface FloodRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** In path, headers and body `{n}` stands for a number that no other request has. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
export interface FloodOrder {
  readonly port: number;
  readonly parallel: number;
  /** Sent in turn. */
  readonly requests: readonly FloodRequest[];
}
export interface FloodReport {
  /** Responses by status code. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface FloodOutcome {
  readonly quietMs: number;
  readonly floodedMs: number;
  readonly failures: number;
  readonly report: FloodReport;
}

const BETWEEN_SAVES_MS = 100;
let quantity = 0;

async function saveUntil(end: number, product: Product, shop: Shop): Promise<ProductResponse[]> {
  const saves = shop.buyers.map(async (buyer) => {
    const responses: ProductResponse[] = [];
    await pause(Math.random() * BETWEEN_SAVES_MS);
    while (performance.now() < end) {
      responses.push(await saveOrder(product, shop, { buyer, quantity: 1 + (quantity++ % 1000) }));
      await pause(BETWEEN_SAVES_MS);
    }
    return responses;
  });
  return (await Promise.all(saves)).flat();
}

function p95(responses: readonly ProductResponse[]): number {
  const times = responses.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(times[Math.ceil(times.length * 0.95) - 1] ?? 0);
}
const failuresOf = (responses: readonly ProductResponse[]): number =>
  responses.filter(({ status }) => status !== 200 && status !== 201).length;

export async function measureFlood(product: Product, shop: Shop, flood: Omit<FloodOrder, 'port'>, seconds: number): Promise<FloodOutcome> {
  const quiet = await saveUntil(performance.now() + seconds * 1000, product, shop);
  const child = fork(join(import.meta.dirname, 'flood-client.ts'), { stdio: 'inherit' });
  try {
    child.send({ port: product.port, ...flood } satisfies FloodOrder);
    // The first second starts the process.
    await pause(1000);
    const flooded = await saveUntil(performance.now() + seconds * 1000, product, shop);
    const reported = once(child, 'message');
    child.send('report');
    const [report] = (await reported) as [FloodReport];
    return { quietMs: p95(quiet), floodedMs: p95(flooded), failures: failuresOf(quiet) + failuresOf(flooded), report };
  } finally {
    child.kill('SIGKILL');
  }
}
