// One flood while ten customers save: how long their saves take without and during the flood.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { failuresOf, p95, saveFor } from '../load/paced-saves.ts';
import type { Product, ProductResponse } from '../setup/product.ts';
import type { Shop } from '../setup/shop.ts';

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
  const save = (): Promise<ProductResponse[]> => saveFor(seconds / ROUNDS, servers, shop);
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
