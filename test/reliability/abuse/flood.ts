// One flood while ten customers save: how long their saves take without and during the flood.
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
  /** Of the servers, which the clients use in turn. */
  readonly ports: readonly number[];
  readonly parallel: number;
  /** The requests are sent in turn. */
  readonly requests: readonly FloodRequest[];
}
export interface FloodReport {
  /** The number of responses by status code. */
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

async function saveUntil(end: number, servers: readonly Product[], shop: Shop): Promise<ProductResponse[]> {
  const saves = shop.buyers.map(async (buyer, index) => {
    const product = servers[index % servers.length];
    if (!product) throw new Error('There is no server.');
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

/** Floods while `save` runs, and cuts the flood's connections. */
async function floodBeside(
  flood: FloodOrder,
  save: () => Promise<ProductResponse[]>,
): Promise<FloodReport & { responses: ProductResponse[] }> {
  const child = fork(join(import.meta.dirname, 'flood-client.ts'), { stdio: 'inherit' });
  try {
    child.send(flood);
    // Leaves out the first second, in which the process starts.
    await pause(1000);
    const responses = await save();
    const reported = once(child, 'message');
    child.send('report');
    const [{ statuses }] = (await reported) as [FloodReport];
    return { statuses, responses };
  } finally {
    child.kill('SIGKILL');
  }
}

/** Quiet and flooded seconds alternate, so that other work on the machine affects both. */
const ROUNDS = 4;

export async function measureFlood(
  servers: readonly Product[],
  shop: Shop,
  { seconds, ...flood }: Omit<FloodOrder, 'ports'> & { readonly seconds: number },
): Promise<FloodOutcome> {
  const save = (): Promise<ProductResponse[]> => saveUntil(performance.now() + (seconds * 1000) / ROUNDS, servers, shop);
  const order = { ports: servers.map(({ port }) => port), ...flood };
  const [quiet, flooded]: [ProductResponse[], ProductResponse[]] = [[], []];
  const total: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(...(await save()));
    const { statuses, responses } = await floodBeside(order, save);
    flooded.push(...responses);
    for (const [status, count] of Object.entries(statuses)) total[status] = (total[status] ?? 0) + count;
  }
  return { quietMs: p95(quiet), floodedMs: p95(flooded), failures: failuresOf(quiet) + failuresOf(flooded), report: { statuses: total } };
}
