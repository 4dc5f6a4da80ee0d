import type { Cents } from '../../domain/money.ts';
import { runSingle, type Db } from '../../server/database/db.ts';
import type { ListSource } from '../../server/database/id-chunks.ts';
import { mapInSlices } from '../../server/queues/event-loop.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import type { Row } from '../../server/database/schema.ts';
import { accountsIn, readInBatches } from '../payments/queries.ts';
import type { Progress } from './contract.ts';
import { OF_DISTRIBUTION } from '../distributions/queries.ts';

const STEP = `interval '10 minutes'`;

// One statement computes all numbers as one JSON document, because every screen on a wall requests them every 3 seconds. The statement does
// not compute who has paid: amounts of money are computed only in src/domain (see countPaid). PostgreSQL knows little about the sizes of
// the intermediate results, so the statement joins none of the long ones with each other.
const PROGRESS = `WITH placed AS MATERIALIZED (SELECT o.id, o."customerId", o.xmin::text AS version, o."pickedUpAt" IS NOT NULL AS "isPickedUp" FROM orders o
    WHERE ${OF_DISTRIBUTION} AND EXISTS (SELECT FROM order_products l WHERE l."distributorId" = $1 AND l."distributionId" = $2 AND l."orderId" = o.id AND l.quantity > 0)),
  lines AS MATERIALIZED (SELECT l.id, l."orderId", l."productId", l.quantity FROM order_products l JOIN products p ON p.id = l."productId"
    WHERE l."distributorId" = $1 AND l."distributionId" = $2 AND l.quantity > 0 AND p.unit_qty_is_estimate),
  weights AS MATERIALIZED (SELECT l.*, w."updatedAt" AS at, w."updatedBy" AS "userId" FROM lines l LEFT JOIN actual_quantities w
    ON w."orderProductId" = l.id AND w."sortOrder" < l.quantity),
  by_line AS MATERIALIZED (SELECT "orderId", "productId", quantity AS units, count(at)::int AS weighed FROM weights GROUP BY id, 1, 2, 3),
  by_order AS MATERIALIZED (SELECT "orderId", sum(units) AS units, sum(weighed) AS weighed FROM by_line GROUP BY 1),
  unweighed_products AS MATERIALIZED (SELECT "productId", sum(units - weighed) AS units FROM by_line WHERE weighed < units GROUP BY 1),
  made AS MATERIALIZED (SELECT y."orderId", y."createdAt" AS at, y."createdBy" AS "userId" FROM payments y WHERE y.${OF_DISTRIBUTION}
    AND y."reversesId" IS NULL AND NOT EXISTS (SELECT FROM payments r WHERE r."reversesId" = y.id)),
  work AS MATERIALIZED (SELECT at, "userId", 'weighed' AS kind FROM weights WHERE at IS NOT NULL UNION ALL SELECT at, "userId", 'paid' FROM made
    UNION ALL SELECT "pickedUpAt", "pickedUpBy", 'pickedUp' FROM orders WHERE ${OF_DISTRIBUTION} AND "pickedUpAt" IS NOT NULL),
  steps AS (SELECT generate_series(date_bin(${STEP}, now(), 'epoch') - 11 * ${STEP}, date_bin(${STEP}, now(), 'epoch'), ${STEP}) AS "startsAt"),
  binned AS (SELECT date_bin(${STEP}, at, 'epoch') AS "startsAt", kind, count(*)::int AS done FROM work WHERE at >= now() - interval '2 hours' GROUP BY 1, 2)
  SELECT json_build_object(
    'orders', (SELECT count(*) FROM placed), 'pickedUp', (SELECT count(*) FROM placed WHERE "isPickedUp"),
    'weighed', (SELECT count(*) FROM placed) - (SELECT count(*) FROM by_order WHERE weighed < units),
    'units', (SELECT coalesce(sum(units), 0) FROM by_order), 'weighedUnits', (SELECT coalesce(sum(weighed), 0) FROM by_order),
    'helpers', (SELECT coalesce(json_agg(h ORDER BY h.weighed + h.paid + h."pickedUp" DESC, h.by), '[]') FROM (SELECT u.email AS by,
        count(*) FILTER (WHERE kind = 'weighed')::int AS weighed, count(*) FILTER (WHERE kind = 'paid')::int AS paid,
        count(*) FILTER (WHERE kind = 'pickedUp')::int AS "pickedUp" FROM work JOIN users u ON u.id = work."userId" AND u.role <> 'customer' GROUP BY u.email) h),
    'steps', (SELECT json_agg(s ORDER BY s."startsAt") FROM (SELECT steps."startsAt",
        coalesce(sum(done) FILTER (WHERE kind = 'weighed'), 0) AS weighed, coalesce(sum(done) FILTER (WHERE kind = 'paid'), 0) AS paid,
        coalesce(sum(done) FILTER (WHERE kind = 'pickedUp'), 0) AS "pickedUp" FROM steps LEFT JOIN binned USING ("startsAt") GROUP BY 1) s),
    'unweighed', (SELECT coalesce(json_agg(n), '[]') FROM (SELECT "productId", p.name, p.product_code AS "productCode", units
        FROM unweighed_products u JOIN products p ON p.id = u."productId" ORDER BY units DESC, p.name LIMIT 30) n),
    'unweighedProducts', (SELECT count(*) FROM unweighed_products), 'now', now()) AS progress,
  (SELECT "catalogueVersion" FROM distributions WHERE "distributorId" = $1 AND id = $2) AS "catalogueVersion",
  (SELECT coalesce(string_agg("customerId" || ':' || version, ' '), '') FROM placed
    WHERE id NOT IN (SELECT "orderId" FROM by_order WHERE weighed < units)) AS "weighedOrders"`;

type ListedDistribution = ListSource & Pick<Row<'distributions'>, 'catalogueVersion'>;
/**
 * The id of the customer and the version of the order, for example '17:4711'. Splitting one text into 100,000 of these blocks the event loop for
 * a few milliseconds only. Parsing them as JSON would take ten times as long.
 */
type WeighedOrder = string;
const customerOf = (order: WeighedOrder): number => Number.parseInt(order, 10);
interface Counted {
  readonly version: string;
  readonly isPaid: boolean;
}

interface CountedOrders {
  readonly distributorId: number;
  /** By the id of the customer. */
  readonly orders: ReadonlyMap<number, Counted>;
}

/** Caches, for each distribution and customer, whether the order was paid at the last refresh. */
const countedBefore = new WeakMap<Db, Map<number, CountedOrders>>();
const MAX_DISTRIBUTIONS = 100;
/** A distributor with many distributions must not remove those of other distributors from the cache. */
const MAX_OF_DISTRIBUTOR = 10;

/**
 * Returns how many of the fully weighed orders have nothing left to pay. Computing every balance at each refresh would cost more than all
 * other numbers. The result is therefore cached for each version of an order. Every weight and payment changes the version of its order
 * (0026_counter_changes.sql), and every price or fee changes the version of the catalogue. A distribution may have 100,000 orders, so other
 * requests get turns in between.
 */
async function countPaid(db: Db, distribution: ListedDistribution, weighed: readonly WeighedOrder[]): Promise<number> {
  const byDistribution = countedBefore.get(db) ?? new Map<number, CountedOrders>();
  const { distributorId, id } = distribution;
  const before = byDistribution.get(id)?.orders;
  const versionOf = (order: WeighedOrder): string => `${order}.${distribution.catalogueVersion}`;
  const changed = await mapInSlices(weighed, (slice) =>
    slice.filter((order) => before?.get(customerOf(order))?.version !== versionOf(order)).map(customerOf),
  );
  const balances = new Map<number, Cents>();
  if (changed.length > 0) {
    for await (const reading of readInBatches(db, distribution, changed))
      for (const { customerId, balance } of accountsIn(reading)) balances.set(customerId, balance);
  }
  const orders = new Map<number, Counted>();
  const paid = await mapInSlices(weighed, (slice) =>
    slice.filter((order) => {
      const customerId = customerOf(order);
      const balance = balances.get(customerId);
      const isPaid = balance === undefined ? before?.get(customerId)?.isPaid === true : balance <= 0;
      orders.set(customerId, { version: versionOf(order), isPaid });
      return isPaid;
    }),
  );
  // A Map iterates over its entries in the sequence in which they were added. Deleting and adding this entry again moves it to the end. The
  // first entries are therefore the distributions that were read longest ago.
  byDistribution.delete(id);
  byDistribution.set(id, { distributorId, orders });
  const ofDistributor = [...byDistribution].filter(([, cached]) => cached.distributorId === distributorId);
  for (const [oldest] of ofDistributor.slice(0, -MAX_OF_DISTRIBUTOR)) byDistribution.delete(oldest);
  for (const oldest of [...byDistribution.keys()].slice(0, -MAX_DISTRIBUTIONS)) byDistribution.delete(oldest);
  countedBefore.set(db, byDistribution);
  return paid.length;
}

export async function findProgress(db: Db, distribution: ListSource): Promise<Progress> {
  type Counts = { readonly progress: Omit<Progress, 'paid'>; readonly catalogueVersion: number; readonly weighedOrders: string };
  const { progress, catalogueVersion, weighedOrders } = await runInQueue(distribution, () =>
    runSingle<Counts>(db, PROGRESS, [distribution.distributorId, distribution.id]),
  );
  return { ...progress, paid: await countPaid(db, { ...distribution, catalogueVersion }, weighedOrders.match(/\S+/g) ?? []) };
}
