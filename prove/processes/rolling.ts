// Every process is stopped and started anew, one after the other, while people order without a pause: none of their requests fails.
import { startProduct, startWorker } from '../product.ts';
import { counted } from '../proof.ts';
import { judge, nextShop, type Shop } from '../shop.ts';
import { startTraffic } from '../traffic.ts';
import type { Fleet, Found } from './fleet.ts';

async function restartAll(fleet: Fleet): Promise<string[]> {
  const wrong: string[] = [];
  for (const [at, server] of fleet.servers.entries()) {
    // As the proxy of the machine sees it: it is told nothing, and meets a closed door.
    const status = await server.stop();
    if (status !== 0) wrong.push(`a server ended with ${status}`);
    const next = await startProduct(fleet.place, fleet.env);
    fleet.servers[at] = next;
    fleet.balancer.backends[at] = next.port;
  }
  for (const [at, worker] of fleet.workers.entries()) {
    if (worker.child.exitCode === null && worker.child.signalCode === null) await worker.stop();
    fleet.workers[at] = await startWorker(fleet.place, fleet.env);
  }
  return wrong;
}

export async function rolling(fleet: Fleet, before: Shop, rounds: number): Promise<Found> {
  const shop = await nextShop(fleet.place, before);
  const traffic = startTraffic(fleet.balancer.url, shop);
  const wrong: string[] = [];
  for (let round = 1; round <= rounds; round++) wrong.push(...(await restartAll(fleet)));
  await traffic.end();
  const judged = await judge(fleet.place, shop, traffic.told);
  if (judged.lost + judged.torn + judged.untold > 0) wrong.push(JSON.stringify(judged));
  wrong.push(...traffic.failed.slice(0, 5));
  const restarts = rounds * (fleet.servers.length + fleet.workers.length);
  const answers = `${counted(traffic.requests(), 'requests')}, ${traffic.failed.length} failed, slowest ${traffic.slowest()} ms`;
  return { line: `${restarts} restarts beside ${shop.buyers.length} who order: ${answers}`, wrong };
}
