// Restarts every process in turn while customers order continuously. No request may fail, and each read must return the customer's last
// saved order. Each process must exit with status 0 in time.
import { startProduct, startWorker, stopAndMeasure, type ProductProcess } from '../setup/product.ts';
import { counted } from '../reliability-test.ts';
import { verifyShop, nextShop, type Shop } from '../setup/orders-and-customers.ts';
import { startTraffic } from '../load/traffic.ts';
import type { Fleet, FleetFindings } from './fleet.ts';

interface Restarted {
  /** How many milliseconds each process took to stop. */
  readonly stops: number[];
  readonly wrong: string[];
}

async function restartAll(fleet: Fleet, { stops, wrong }: Restarted): Promise<void> {
  const stop = async (process: ProductProcess): Promise<void> => {
    const ended = await stopAndMeasure(process);
    stops.push(ended.ms);
    wrong.push(...ended.wrong);
  };
  for (const [at, server] of fleet.servers.entries()) {
    // The load balancer does not know that the server is going to stop. Like a real proxy, it may therefore try to connect to a closed
    // port.
    await stop(server);
    const next = await startProduct(fleet.place, fleet.env);
    fleet.servers[at] = next;
    fleet.balancer.backends[at] = next.port;
  }
  for (const [at, worker] of fleet.workers.entries()) {
    // The test of mails has already killed one of the workers.
    if (worker.child.signalCode !== 'SIGKILL') await stop(worker);
    fleet.workers[at] = await startWorker(fleet.place, fleet.env);
  }
}

export async function rolling(fleet: Fleet, before: Shop, rounds: number): Promise<FleetFindings> {
  const shop = await nextShop(fleet.place, before);
  const traffic = startTraffic(fleet.balancer.url, shop);
  const [stops, wrong]: [number[], string[]] = [[], []];
  for (let round = 1; round <= rounds; round++) await restartAll(fleet, { stops, wrong });
  await traffic.end();
  const judged = await verifyShop(fleet.place, shop, traffic.told);
  if (judged.lost + judged.torn + judged.unanswered > 0) wrong.push(JSON.stringify(judged));
  wrong.push(...traffic.failed.slice(0, 5));
  const restarts = rounds * (fleet.servers.length + fleet.workers.length);
  const answers = `${counted(traffic.requests(), 'requests')}, ${traffic.failed.length} failed, slowest ${traffic.slowest()} ms, longest stop ${Math.max(...stops)} ms`;
  return { line: `${restarts} restarts beside ${shop.buyers.length} who order: ${answers}`, wrong };
}
