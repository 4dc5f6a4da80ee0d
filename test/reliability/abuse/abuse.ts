// Sends each of the floods in floods.ts to two servers with a mail worker. Meanwhile, it measures the 95th percentile of the time that
// other customers' saves take.
import { run } from '../../../src/server/database/db.ts';
import { fillOrders } from '../load/crowd.ts';
import { isLittleSlower } from '../load/paced-saves.ts';
import type { Outcome, Setting } from '../reliability-test.ts';
import { openTestDatabase, type TestDatabase } from '../setup/databases.ts';
import { startProduct, startWorker } from '../setup/product.ts';
import { createShop, withDb, type Shop } from '../setup/orders-and-customers.ts';
import { measureFlood } from './flood.ts';
import { FLOODS } from './floods.ts';

const SERVERS = 2;
const OTHER_ORDERS = 2000;
const LINES = 12;

/** Adds two changes of every line of every order to the audit trail, so that a search in the audit trail is expensive. */
const fillAudit = (place: TestDatabase, shop: Shop): Promise<unknown> =>
  withDb(place, (db) =>
    run(
      db,
      `INSERT INTO order_product_audit ("orderProductId", quantity, "updatedBy")
        SELECT l.id, n, o."customerId" FROM orders o JOIN order_products l ON l."orderId" = o.id, generate_series(1, 2) n WHERE o."distributionId" = $1`,
      [shop.distributionId],
    ),
  );

export async function abuse({ on, runs, tell }: Setting): Promise<Outcome> {
  const place = await openTestDatabase(on);
  // Only the flood from an IPv6 /56 sends the header of a proxy. All other floods and all customers have the same IP address.
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => startProduct(place, { TRUST_PROXY: '1' })));
  const worker = await startWorker(place);
  const { buyers, ...rest } = await createShop(place, 11, LINES);
  const [attacker, ...others] = buyers;
  if (!attacker) throw new Error('The shop has no customers.');
  const shop = { ...rest, buyers: others };
  const flooder = await createShop(place, 1);
  await fillOrders(place, shop, OTHER_ORDERS);
  await fillAudit(place, shop);
  const lines: string[] = [];
  let holds = true;
  try {
    for (const { name, parallel, requests } of FLOODS) {
      const flood = { parallel, requests: await requests({ shop, attacker, flooder, place }), seconds: runs(10) };
      const { quietMs, floodedMs, failures, report } = await measureFlood(servers, shop, flood);
      const isGood = failures === 0 && isLittleSlower(floodedMs, quietMs);
      holds &&= isGood;
      const line = `${name} (${parallel} at once): p95 ${floodedMs} ms, quiet ${quietMs} ms${failures === 0 ? '' : `, ${failures} saves failed`}${isGood ? '' : ' - TOO LONG'}`;
      tell(`${line}; responses ${JSON.stringify(report.statuses)}`);
      lines.push(line);
    }
  } finally {
    await Promise.all([...servers, worker].map((process) => process.stop()));
    await place.close();
  }
  return { line: lines.join('; '), holds };
}
