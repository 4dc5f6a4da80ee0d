// Reliability test R48: the server gets SIGTERM while orders are written. It must answer every request that it has accepted, and end with
// status 0 in time.
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openTestDatabase } from '../setup/databases.ts';
import { startProduct, stopAndMeasure, type Product } from '../setup/product.ts';
import { counted, type Outcome, type Setting } from '../reliability-test.ts';
import { verifyShop, nextShop, createShop, saveOrder, type Shop, type BuyerLog, isSaved, newLogs } from '../setup/orders-and-customers.ts';

const BUYERS = 50;

interface Stopped {
  answered: number;
  /** The number of requests that the stopping server refused, either with a response or by refusing the connection. */
  turnedAway: number;
  /** The errors of the connections that the server had accepted but ended without a proper response. */
  reset: string[];
  isInTime: boolean;
}

async function stopAmid(product: Product, shop: Shop): Promise<{ seen: Stopped; told: BuyerLog[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: BUYERS });
  const seen: Stopped = { answered: 0, turnedAway: 0, reset: [], isInTime: false };
  const buy = async (told: BuyerLog): Promise<BuyerLog> => {
    for (;;) {
      const { status, text, isKept } = await saveOrder(product, shop, { buyer: told.buyer, quantity: ++told.sent, agent });
      if (!isSaved(status)) {
        // A reset of a new connection is not an error: the kernel had accepted the connection, but the server never saw it. The kernel
        // resets such connections when the server closes its socket.
        if (status === 503 || text === 'ECONNREFUSED' || (text === 'ECONNRESET' && !isKept)) seen.turnedAway += 1;
        else seen.reset.push(status === 0 ? text : `${status} ${text}`);
        return told;
      }
      told.acknowledged.push(told.sent);
      seen.answered += 1;
    }
  };
  const all = newLogs(shop);
  const buying = all.map(buy);
  // The test waits until every customer has saved at least once.
  while (all.some(({ acknowledged }) => acknowledged.length === 0)) await pause(5);
  await pause(Math.random() * 700);
  seen.isInTime = (await stopAndMeasure(product)).wrong.length === 0;
  const told = await Promise.all(buying);
  agent.destroy();
  return { seen, told };
}

export async function stopped({ on, runs, tell }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  let product = await startProduct(place);
  let shop = await createShop(place, BUYERS);
  const sum = { answered: 0, turnedAway: 0, reset: 0, unanswered: 0, lost: 0, torn: 0, late: 0 };
  const rounds = runs(20);
  for (let round = 1; round <= rounds; round++) {
    shop = await nextShop(place, shop);
    const { seen, told } = await stopAmid(product, shop);
    product = await startProduct(place);
    const { lost, torn, unanswered } = await verifyShop(place, shop, told);
    const one = { ...seen, reset: seen.reset.length, lost, torn, unanswered, late: seen.isInTime ? 0 : 1 };
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += one[key];
    tell(`run ${round}: ${seen.answered} answered, ${seen.turnedAway} turned away, reset: ${seen.reset.join(', ') || 'none'}`);
  }
  await product.stop();
  await place.close();
  const wrong = `${sum.reset} reset, ${sum.unanswered} done without an answer, ${sum.lost} lost, ${sum.torn} torn, ${sum.late} without status 0 within 10 s`;
  const line = `${counted(rounds, 'runs')}, ${counted(sum.answered, 'answered')}, ${counted(sum.turnedAway, 'turned away')}, ${wrong}`;
  return { line, holds: sum.reset + sum.unanswered + sum.lost + sum.torn + sum.late === 0 };
}
