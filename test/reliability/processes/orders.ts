// Sends orders through four server processes. Requests with the same idempotency key must take effect once, nothing may be saved after
// ordering has closed, and no server may return an outdated price.
import { setTimeout as pause } from 'node:timers/promises';
import { run } from '../../../src/server/database/db.ts';
import { verifyShop, nextShop, withDb, type Shop, type BuyerLog, isSaved, newLogs } from '../setup/orders-and-customers.ts';
import { requestFromAll, requestRoundRobin, type Fleet, type FleetFindings } from './fleet.ts';

const COPIES = 20;

const order = ({ distributionId, productIds }: Shop, quantity: number): object => ({
  distributionId,
  products: productIds.map((productId) => ({ productId, quantity })),
});

const auditRows = (fleet: Fleet, { distributionId }: Shop): Promise<number> =>
  withDb(fleet.place, async (db) => {
    const text = `SELECT count(*)::int AS rows FROM order_product_audit a JOIN order_products l ON l.id = a."orderProductId"
      WHERE l."distributionId" = $1`;
    return (await run<{ rows: number }>(db, text, [distributionId]))[0]?.rows ?? 0;
  });

/** In each round, sends twenty identical requests at the same time, five to each server. They must take effect once. */
export async function replays(fleet: Fleet, shop: Shop, rounds: number): Promise<FleetFindings> {
  const wrong: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    const buyer = shop.buyers[round % shop.buyers.length];
    const before = await auditRows(fleet, shop);
    const asking = { method: 'POST' as const, path: '/api/orders', cookie: buyer?.cookie ?? '', key: `again-${round}` };
    const copies = Array.from({ length: COPIES }, (_, turn) => requestRoundRobin(fleet, turn, { ...asking, body: order(shop, round) }));
    const answers = new Set((await Promise.all(copies)).map(({ status, text }) => `${status} ${text}`));
    const effects = ((await auditRows(fleet, shop)) - before) / shop.productIds.length;
    const isGood = answers.size === 1 && /^20[01] /.test([...answers].join('')) && effects === 1;
    if (!isGood) wrong.push(`${COPIES} equal requests: ${effects} effects, ${[...answers].join(', ')}`);
  }
  return { line: `${rounds} rounds of ${COPIES} equal requests with one effect each`, wrong };
}

/** Lets all customers save continuously, and sends each of their requests to another server. Meanwhile, one server closes ordering. */
async function closedAmid(fleet: Fleet, shop: Shop): Promise<string[]> {
  let isClosed = false;
  let tooLate = 0;
  const buy = async (told: BuyerLog): Promise<{ told: BuyerLog; refused: string }> => {
    for (;;) {
      const body = order(shop, ++told.sent);
      const wasClosed = isClosed;
      const { status, text } = await requestRoundRobin(fleet, told.buyer.id + told.sent, {
        method: 'POST',
        path: '/api/orders',
        cookie: told.buyer.cookie,
        body,
      });
      if (!isSaved(status)) return { told, refused: `${status} ${text}` };
      if (wasClosed) tooLate += 1;
      told.acknowledged.push(told.sent);
    }
  };
  const all = newLogs(shop);
  const buying = all.map(buy);
  while (all.some(({ acknowledged }) => acknowledged.length === 0)) await pause(5);
  await pause(Math.random() * 200);
  const path = `/api/distributions/${shop.distributionId}`;
  const [closer] = [shop.distributor.cookie];
  const { status } = await requestRoundRobin(fleet, shop.distributionId, {
    method: 'PATCH',
    path,
    cookie: closer,
    body: { orderingOpen: false },
  });
  isClosed = true;
  const atClosing = await auditRows(fleet, shop);
  const ended = await Promise.all(buying);
  const later = (await auditRows(fleet, shop)) - atClosing;
  const judged = await verifyShop(fleet.place, shop, all);
  const refusals = new Set(ended.map(({ refused }) => refused));
  const isGood = status === 200 && later + tooLate === 0 && judged.lost + judged.torn + judged.unanswered === 0;
  const isAnswered = refusals.size === 1 && refusals.has('409 Ordering is closed');
  return isGood && isAnswered
    ? []
    : [`closing: ${later} rows and ${tooLate} saves after it, ${JSON.stringify(judged)}, ${[...refusals].join(', ')}`];
}

export async function closings(fleet: Fleet, shop: Shop, rounds: number): Promise<FleetFindings> {
  const wrong: string[] = [];
  for (let round = 1; round <= rounds; round++) wrong.push(...(await closedAmid(fleet, await nextShop(fleet.place, shop))));
  return { line: `${rounds} closings amid the saves of ${shop.buyers.length}, exact`, wrong };
}

/** Changes a price on one server. When that server has responded, all servers must return the new price. */
export async function prices(fleet: Fleet, shop: Shop, rounds: number): Promise<FleetFindings> {
  const wrong: string[] = [];
  const path = `/api/distributions/${shop.distributionId}/products`;
  for (let round = 1; round <= rounds; round++) {
    const asking = { method: 'PATCH' as const, path: `${path}/${shop.productIds[0]}`, cookie: shop.distributor.cookie };
    // These requests run while the price is being changed, so that the servers may cache the old price.
    const reading = requestFromAll(fleet, { path, cookie: shop.buyers[0]?.cookie ?? '' });
    const changed = await requestRoundRobin(fleet, round, { ...asking, body: { unit_price: 1000 + round } });
    const read = await requestFromAll(fleet, { path, cookie: shop.buyers[0]?.cookie ?? '' });
    await reading;
    const seen = read.map(({ text }) => /"unit_price":(\d+)/.exec(text)?.[1]).join(' ');
    const isRight = changed.status === 200 && read.every(({ text }) => text.includes(`"unit_price":${1000 + round},`));
    if (!isRight) wrong.push(`a price of ${1000 + round} read as ${seen}`);
  }
  return { line: `${rounds} prices changed on one and read on all`, wrong };
}
