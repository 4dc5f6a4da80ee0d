// Reads the orders for the counter. Changed orders are found by the transaction ids of their rows (db/migrations/0026_counter_changes.sql).
import { run, runSingle, snapshot, type Db } from '../../server/database/db.ts';
import { idChunks, readAhead, requestedPage, splitLongChunks, withNextCursor, type ListSource } from '../../server/database/id-chunks.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { runInQueue } from '../../server/queues/expensive-queue.ts';
import { realEmailSql } from '../../server/mail/placeholder-email.ts';
import { createSharedReads } from '../../server/queues/shared-reads.ts';
import type { PageQuery } from '../../shared/pages.ts';
import { distributionFor, type DistributionKey } from '../distributions/queries.ts';
import { listFeesOf } from '../fees/queries.ts';
import { readNameDetails } from '../product-names/queries.ts';
import { readSlotTexts } from '../slots/queries.ts';
import type { Catalogue, CounterLine, CounterOrder, CounterPayment, CounterProduct, CounterState } from './contract.ts';
import { NAME_COLUMNS } from '../contact/queries.ts';
import { ROWS_OF_ORDER } from '../order-rows/queries.ts';

const ORDERS = `SELECT o.id, o."customerId", ${NAME_COLUMNS},
    nullif(c.phone, '') AS phone, ${realEmailSql('u')} AS email, o.note, o."slotId", o."pickedUpAt"
  FROM orders o JOIN users u ON u.id = o."customerId" LEFT JOIN contacts c ON c."userId" = u.id
  WHERE o."distributorId" = $1 AND o."distributionId" = $2 AND o.id = ANY($3::int[]) ORDER BY o.id`;
const LINES = `SELECT l."orderId", l.id AS "orderProductId", l."productId", l.quantity FROM order_products l
  WHERE l."orderId" = ANY($1::int[]) AND l.quantity > 0 ORDER BY l.id`;
// The lines are selected first. In one SELECT, PostgreSQL sometimes reads all lines and weights of the database to join them.
const WEIGHTS = `WITH l AS MATERIALIZED (SELECT id, quantity FROM order_products WHERE "orderId" = ANY($1::int[]))
  SELECT w."orderProductId", w."sortOrder", w."actualQuantity", u.role AS "byRole"
  FROM l JOIN actual_quantities w ON w."orderProductId" = l.id AND w."sortOrder" < l.quantity JOIN users u ON u.id = w."updatedBy"
  ORDER BY w."orderProductId", w."sortOrder"`;
const PAYMENTS = `SELECT p."orderId", p.id, p.amount, p."feeAmount", p."paymentMethod", p."createdAt", p."reversesId" FROM payments p
  WHERE p."distributionId" = $1 AND p."orderId" = ANY($2::int[]) ORDER BY p.id`;

type Head = Omit<CounterOrder, 'lines' | 'payments' | 'key' | 'slot'> & { readonly slotId: number | null };
type Weight = CounterLine['actuals'][number] & { readonly orderProductId: number };

/** Reads the orders with these ids from one consistent snapshot. `ids` is a list in PostgreSQL's text format for int[]. */
const readOrders = (db: Db, { distributorId, id }: DistributionKey, ids: string): Promise<CounterOrder[]> =>
  snapshot(db, async (db) => {
    const heads = await run<Head>(db, ORDERS, [distributorId, id, ids]);
    const lines = Map.groupBy(await run<Omit<CounterLine, 'actuals'> & { orderId: number }>(db, LINES, [ids]), (line) => line.orderId);
    const weights = Map.groupBy(await run<Weight>(db, WEIGHTS, [ids]), (weight) => weight.orderProductId);
    const payments = Map.groupBy(await run<CounterPayment & { orderId: number }>(db, PAYMENTS, [id, ids]), (payment) => payment.orderId);
    const slots = heads.some(({ slotId }) => slotId !== null) ? await readSlotTexts(db, { distributorId, id }) : null;
    return heads.map(({ slotId, ...head }) => ({
      ...head,
      slot: slots?.get(slotId ?? 0) ?? null,
      lines: (lines.get(head.id) ?? []).map((line) => ({ ...line, actuals: weights.get(line.orderProductId) ?? [] })),
      payments: payments.get(head.id) ?? [],
    }));
  });

const NUMBERED = `SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM orders WHERE "distributorId" = $1 AND "distributionId" = $2 AND id > $3
  ORDER BY id`;
const ORDERS_AT_ONCE = 250;

/**
 * Yields all orders in batches. Each batch is read from its own consistent snapshot, so an order may change between two batches. The client
 * got the mark for its next read before this read began, so the next read returns the changed order again.
 */
export async function* counterOrders(db: Db, distribution: ListSource, query: PageQuery): AsyncGenerator<CounterOrder[]> {
  const page = requestedPage(query);
  const values = [distribution.distributorId, distribution.id, page?.after ?? 0];
  const batches = await idChunks(db, { numbered: NUMBERED, values, queue: distribution, size: ORDERS_AT_ONCE, most: page?.limit });
  yield* readAhead(splitLongChunks(db, batches, ROWS_OF_ORDER, { queue: distribution }), async (batch) => {
    const orders = await runInQueue(distribution, () => readOrders(db, distribution, batch.ids));
    return batch.endsPage ? withNextCursor(orders, (order) => order.id) : orders;
  });
}

const PRODUCTS = `SELECT id, name, product_code, unit_price, unit_qty, uom, unit_qty_is_estimate FROM products
  WHERE "distributorId" = $1 AND "distributionId" = $2 ORDER BY product_code NULLS LAST, id`;

async function readCatalogue(db: Db, distribution: DistributionKey): Promise<Catalogue> {
  const products = await run<CounterProduct>(db, PRODUCTS, [distribution.distributorId, distribution.id]);
  return { products, fees: await listFeesOf(db, distribution) };
}

/** Adds `nameDetail` to the products of the catalogue that share their name. It is the part of the description that distinguishes them. */
export async function withNameDetails(db: Db, distribution: DistributionKey, state: CounterState): Promise<CounterState> {
  if (!state.catalogue) return state;
  const details = await readNameDetails(db, distribution);
  const products = state.catalogue.products.map((product) => {
    const nameDetail = details.get(product.id);
    return nameDetail === undefined ? product : { ...product, nameDetail };
  });
  return { ...state, catalogue: { ...state.catalogue, products } };
}

// The mark of a read is the id of the oldest transaction that is still running. All older transactions have ended, so the read sees their
// rows. The next read returns every row that this transaction or a later one wrote. Rows store 32-bit transaction ids, which are compared
// by age. If a mark comes from another database or is very old, the client must read all orders again.
const NOW = `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin, $1::text::xid8 <= pg_snapshot_xmax(pg_current_snapshot())
    AND pg_snapshot_xmax(pg_current_snapshot())::text::numeric - $1::text::numeric < 1000000000 AS "isKnown",
    (SELECT NOT bool_or("userId" = $2 AND "closedAt" IS NULL) FROM tills WHERE "distributorId" = $3 AND "distributionId" = $4) IS TRUE AS "needsTill"`;
/**
 * The limits of a reply with changed orders. If more orders have changed, or if they have more rows (lines, weights and payments), the
 * client reads the changed orders in pages.
 */
const MAX_CHANGED_ORDERS = 250;
const MAX_CHANGED_ROWS = 15_000;
/** If more orders have changed, the client reads all orders again. */
const MAX_SEARCHED = 2000;
/** The SQL expression for the age of a row: the number of transactions that have begun since. Null if it is too old for a 32-bit number. */
const ageOf = (row: string): string => `CASE WHEN age(${row}.xmin) >= 0 THEN age(${row}.xmin) END`;
// `ageOf3` is the age of the transaction id 3, to which the other ages are compared.
const LAST_CHANGED = `SELECT o.id, least(${ageOf('o')}, ${ageOf('c')}, ${ageOf('s')}) AS age, age('3'::xid) AS "ageOf3"
  FROM orders o LEFT JOIN contacts c ON c."userId" = o."customerId" LEFT JOIN slots s ON s.id = o."slotId"
  WHERE o."distributorId" = $1 AND o."distributionId" = $2 ORDER BY age LIMIT ${MAX_SEARCHED} + 1`;
// Counts the recorded weights, and not the units of an order, because a customer can order a million units that nobody weighs. The statement
// stops after the first row above the limit, and LATERAL makes PostgreSQL read the orders in sequence.
const ROWS = `SELECT id, count(*)::int AS rows FROM (SELECT c.id FROM (SELECT id FROM unnest($1::int[]) id ORDER BY id) c
    LEFT JOIN LATERAL (SELECT FROM order_products l LEFT JOIN actual_quantities w ON w."orderProductId" = l.id WHERE l."orderId" = c.id
      UNION ALL SELECT FROM orders o JOIN payments p ON p."distributionId" = o."distributionId" AND p."orderId" = o.id WHERE o.id = c.id
      LIMIT ${MAX_CHANGED_ROWS} + 1) r ON true
    ORDER BY c.id LIMIT ${MAX_CHANGED_ROWS} + 1) counted GROUP BY id ORDER BY id`;

interface LastChanged {
  readonly id: number;
  readonly age: number | null;
  readonly ageOf3: number;
}

/**
 * Reads which orders of a distribution changed last. It returns one order more than the pages may contain, which shows that too many have
 * changed. Each read compares all orders of the distribution. All stations of a counter therefore share one read, whatever their marks are,
 * and the distributions of a distributor take turns.
 */
const readLastChanged = createSharedReads((db, { distributorId, id }: DistributionKey) =>
  run<LastChanged>(db, LAST_CHANGED, [distributorId, id]),
);

/** Returns the ids of the orders that changed since the mark `xmin` in ascending sequence, or null if they are too many. */
async function changedSince(db: Db, { distributorId, id }: DistributionKey, xmin: string): Promise<number[] | null> {
  const mark = Number(BigInt.asUintN(32, BigInt(xmin)));
  const last = await readLastChanged(db, { key: String(id), group: String(distributorId) }, { distributorId, id });
  // An age has 32 bits, so the age of the mark is computed with 32 bits too.
  const changed = last.filter(({ age, ageOf3 }) => age !== null && age <= ((ageOf3 + 3 - mark) | 0));
  return changed.length > MAX_SEARCHED ? null : changed.map((order) => order.id).toSorted((a, b) => a - b);
}

/** Returns the first of these orders that fit into a reply with at most `limit` orders, and the number of their rows. */
async function firstThatFit(db: Db, changed: readonly number[], limit: number): Promise<{ ids: number[]; rows: number }> {
  const first = changed.slice(0, Math.min(limit, MAX_CHANGED_ORDERS));
  const counted = first.length === 0 ? [] : await run<{ id: number; rows: number }>(db, ROWS, [first]);
  const rows = counted.reduce((sum, order) => sum + order.rows, 0);
  // If there are too many rows, the last order that was counted does not fit. If it is the only one, it is a page of its own.
  return { ids: (rows > MAX_CHANGED_ROWS && counted.length > 1 ? counted.slice(0, -1) : counted).map(({ id }) => id), rows };
}

interface Now {
  readonly xmin: string;
  readonly isKnown: boolean | null;
  readonly needsTill: boolean;
}

/** If the changed orders have more rows than this, reading them takes long. The read then waits in the queue of expensive reads. */
const MAX_ROWS_WITHOUT_QUEUE = 1000;

interface Changes extends Now {
  /** The ids of the changed orders in PostgreSQL's text format for int[]; null if the client must read all orders again. */
  readonly ids: string | null;
  /** Whether more orders have changed, which the client reads with the next page. */
  readonly hasMore: boolean;
  /** The version of the catalogue that the client has, or null. */
  readonly version: string | null;
  readonly areLong: boolean;
}

interface ChangesQuery extends PageQuery {
  readonly since?: string | undefined;
}

/**
 * Finds the orders that changed since the mark of an earlier read, and the mark for the next read. Pages are sorted by the ids of the
 * orders, which never change. So an order that changed before the first page was read is in one of the pages, even if it changes again
 * meanwhile. Changes that are made while the pages are read are found by the next read, which begins with the mark of the first page.
 */
export async function findChanges(
  db: Db,
  { userId }: Pick<Viewer, 'userId'>,
  distribution: DistributionKey,
  query: ChangesQuery,
): Promise<Changes> {
  const [seen = null, version = null] = query.since?.split('.') ?? [];
  const now = await runSingle<Now>(db, NOW, [seen, userId, distribution.distributorId, distribution.id]);
  const changed = now.isKnown === true && seen !== null ? await changedSince(db, distribution, seen) : null;
  const none = { ...now, ids: null, hasMore: false, version: changed && version, areLong: false };
  if (!changed) return none;
  const page = requestedPage(query);
  const left = changed.filter((id) => id > (page?.after ?? 0));
  const { ids, rows } = await firstThatFit(db, left, page?.limit ?? MAX_CHANGED_ORDERS);
  const hasMore = ids.length < left.length;
  // A client that does not ask for pages reads all orders again.
  return hasMore && !page ? none : { ...none, ids: `{${ids.join()}}`, hasMore, areLong: rows > MAX_ROWS_WITHOUT_QUEUE };
}

/**
 * Reads the state of the counter and the changed orders in one consistent snapshot, after `changes` was read. If an order changes after that,
 * the next read returns it. The products do not have `nameDetail`, which `withNameDetails` adds.
 */
export const counterState = (db: Db, viewer: Viewer, id: number, { ids, hasMore, version, ...now }: Changes): Promise<CounterState> =>
  snapshot(db, async (db) => {
    const distribution = await distributionFor(db, viewer, id);
    const { name, date, acceptActuals, rehearsal, catalogueVersion } = distribution;
    const catalogue = acceptActuals && version !== String(catalogueVersion) ? await readCatalogue(db, distribution) : null;
    const changed = acceptActuals && ids !== null ? await readOrders(db, distribution, ids) : null;
    return {
      distribution: { id, name, date, acceptActuals, rehearsal },
      viewer: {
        id: viewer.userId,
        mayTakePayments: viewer.role === 'distributor' || viewer.mayTakePayments,
        needsTill: now.needsTill,
      },
      mark: `${now.xmin}.${catalogueVersion}`,
      catalogue,
      changed: changed && hasMore ? withNextCursor(changed, (order) => order.id) : changed,
    };
  });
