// Sends one flood while ten customers save their orders. Measures how long their saves take without the flood and during the flood.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { failuresOf, p95, saveFor } from '../load/paced-saves.ts';
import type { Product, ProductResponse } from '../setup/product.ts';
import type { TestDatabase } from '../setup/databases.ts';
import type { Buyer, Shop } from '../setup/orders-and-customers.ts';

export interface FloodRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  /** The path of the request. In the path, the headers and the body, each `{n}` is replaced by a number that no other request contains. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client sends only half of the body, or reads nothing of the reply, and waits until the server closes the connection. */
  readonly stalls?: 'body' | 'reply';
}
export interface Flood {
  readonly name: string;
  readonly parallel: number;
  readonly requests: (targets: FloodTargets) => readonly FloodRequest[] | Promise<readonly FloodRequest[]>;
}

/** Contains the users in whose name a flood may send its requests. */
export interface FloodTargets {
  /** A distributor with the ten customers whose saves are measured. */
  readonly shop: Shop;
  /** Another customer of the distributor `shop`, who sends the flood. */
  readonly attacker: Buyer;
  /** Another distributor with one customer. Both can send a flood. */
  readonly flooder: Shop;
  readonly place: TestDatabase;
}

export interface FloodOrder {
  /** The ports of the servers. The clients are distributed evenly over these servers. */
  readonly ports: readonly number[];
  readonly parallel: number;
  /** Each client sends these requests one after the other, and then begins again. */
  readonly requests: readonly FloodRequest[];
}
export interface FloodReport {
  readonly statuses: Readonly<Record<string, number>>;
}

export interface FloodOutcome {
  readonly quietMs: number;
  readonly floodedMs: number;
  readonly failures: number;
  readonly report: FloodReport;
}

/** Sends a flood while `save` runs. When `save` is done, the process that sends the flood is killed. */
async function floodBeside(
  flood: FloodOrder,
  save: () => Promise<ProductResponse[]>,
): Promise<FloodReport & { responses: ProductResponse[] }> {
  const child = fork(join(import.meta.dirname, 'flood-client.ts'), { stdio: 'inherit' });
  try {
    child.send(flood);
    // Nothing is measured in the first second, because the process that sends the flood is still starting.
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

/**
 * The number of rounds. Each round measures first without and then with the flood, so that other work on the machine affects both
 * measurements.
 */
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
