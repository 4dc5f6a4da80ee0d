// Reads the data of printed orders: of one order or of all orders of a distribution. Several small queries read from one consistent
// snapshot, and JavaScript combines their results.
import type { Actual } from '../../domain/weights/actuals.ts';
import { priceOf } from '../../domain/order.ts';
import { run, snapshot, type Db } from '../../server/database/db.ts';
import { notFound } from '../../server/errors.ts';
import type { Viewer } from '../../server/auth/session.ts';
import { idChunks, readAhead, splitLongChunks, type ListSource } from '../../server/database/id-chunks.ts';
import { LONG_ROWS_AT_ONCE, longInBatches } from '../../server/queues/event-loop.ts';
import { queuePositionOf, runInQueue } from '../../server/queues/expensive-queue.ts';
import { CONTACT_COLUMNS } from '../contact/queries.ts';
import { listFeesOf } from '../fees/queries.ts';
import { findOrganization } from '../organization/queries.ts';
import { readNameDetails } from '../product-names/queries.ts';
import { readOneOrder, ROWS_OF_ORDER } from '../order-rows/queries.ts';
import type { PrintData } from './contract.ts';

type Contact = PrintData['contact'];
interface HeadRow extends Contact {
  readonly id: number;
  readonly distributionId: number;
  readonly customerId: number;
  readonly name: string;
  readonly date: string;
  readonly rehearsal: boolean;
  readonly note: string | null;
  readonly slotLabel: string | null;
  readonly slotStartsAt: string | null;
}
type LineField = 'orderProductId' | 'productId' | 'quantity' | 'originalQuantity';
type LineRow = Pick<PrintData['products'][number], LineField> & { readonly orderId: number };
type ProductRow = Omit<PrintData['products'][number], LineField | 'price'> & { readonly id: number };
type ActualRow = Actual & { readonly orderProductId: number; readonly updatedBy: number };
type PaymentRow = PrintData['payments'][number] & { readonly orderId: number };

const HEADS = `SELECT o.id, o."distributionId", o."customerId", d.name, d.date, d.rehearsal, o.note, s.label AS "slotLabel", s."startsAt" AS "slotStartsAt", ${CONTACT_COLUMNS}
  FROM orders o JOIN distributions d ON d.id = o."distributionId" JOIN users u ON u.id = o."customerId"
    LEFT JOIN contacts c ON c."userId" = u.id LEFT JOIN slots s ON s.id = o."slotId"
  WHERE o."distributorId" = $1`;
const BY_NAME = `ORDER BY nullif(c."lastName", ''), nullif(c."firstName", ''), u.email`;
/**
 * Selects the lines to print. A line with quantity 0 is printed only if the customer has changed its quantity at some time.
 * `originalQuantity` does not show this, because it is also set when staff add a line (contract §5).
 */
const LINES = `SELECT l."orderId", l.id AS "orderProductId", l."productId", l.quantity, l."originalQuantity"
  FROM order_products l JOIN orders o ON o.id = l."orderId" AND o.id = ANY($1::int[])
  WHERE l."orderId" = ANY($1::int[]) AND (l.quantity > 0 OR l."originalQuantity" > 0
    AND (SELECT bool_or(a."updatedBy" = o."customerId") FROM order_product_audit a WHERE a."orderProductId" = l.id)) ORDER BY l.id`;
const PRODUCTS = `SELECT id, product_code, name, unit_price, unit_qty, uom, unit_qty_is_estimate, product_group FROM products
  WHERE "distributorId" = $1 AND id = ANY($2::int[])`;
// The lines are selected first. In one SELECT, PostgreSQL sometimes reads all lines and weights of the database to join them.
const ACTUALS = `WITH l AS MATERIALIZED (SELECT id, quantity FROM order_products WHERE "orderId" = ANY($1::int[]))
  SELECT w."orderProductId", w."sortOrder", w."actualQuantity", w."updatedBy"
  FROM l JOIN actual_quantities w ON w."orderProductId" = l.id AND w."sortOrder" < l.quantity ORDER BY w."orderProductId", w."sortOrder"`;
const PAYMENTS = `SELECT id, "orderId", "paymentMethod", amount, "feeAmount", "createdAt" FROM payments
  WHERE "distributionId" = $1 AND "orderId" = ANY($2::int[]) ORDER BY "createdAt", id`;

const readCommon = async (db: Db, distribution: Pick<ListSource, 'distributorId' | 'id'>) => ({
  fees: await listFeesOf(db, distribution),
  organization: await findOrganization(db, distribution.distributorId),
});

/** Reads the orders that match the SQL condition `which`. $1 is the id of the distributor. */
async function readOrders(db: Db, which: string, values: readonly [tenantId: number, ...ids: (number | string)[]]) {
  const [distributorId] = values;
  const heads = await run<HeadRow>(db, `${HEADS} AND ${which}`, values);
  const ids = heads.map((head) => head.id);
  const lines = await run<LineRow>(db, LINES, [ids]);
  const productIds = [...new Set(lines.map((line) => line.productId))];
  return {
    heads,
    lines,
    products: await run<ProductRow>(db, PRODUCTS, [distributorId, productIds]),
    actuals: await run<ActualRow>(db, ACTUALS, [ids]),
    payments: heads[0] ? await run<PaymentRow>(db, PAYMENTS, [heads[0].distributionId, ids]) : [],
  };
}

/** The data that all orders of a distribution have in common. */
type Common = Awaited<ReturnType<typeof readCommon>> & { readonly details: ReadonlyMap<number, string> };
type Read = Awaited<ReturnType<typeof readOrders>>;
function printer({ lines, products, actuals, payments }: Read, { details, fees, organization }: Common) {
  const productById = new Map(products.map((product) => [product.id, product]));
  const linesByOrder = Map.groupBy(lines, (line) => line.orderId);
  const actualsByLine = Map.groupBy(actuals, (actual) => actual.orderProductId);
  const paymentsByOrder = Map.groupBy(payments, (payment) => payment.orderId);
  return ({ id, distributionId, customerId, name, date, rehearsal, note, slotLabel, slotStartsAt, ...contact }: HeadRow) => {
    const ordered = linesByOrder.get(id) ?? [];
    const recorded = ordered.flatMap(({ orderProductId, productId }) =>
      (actualsByLine.get(orderProductId) ?? []).map(({ updatedBy, ...actual }) => ({ updatedBy, actual: { ...actual, productId } })),
    );
    const printed = ordered.flatMap((line) => {
      const product = productById.get(line.productId);
      if (!product) return [];
      const nameDetail = details.get(product.id);
      return [{ ...product, ...(nameDetail && { nameDetail }), ...line, price: priceOf(product) }];
    });
    return {
      order: {
        id,
        distributionId,
        customerId,
        ...(note !== null && { note }),
        ...(slotLabel !== null && slotStartsAt !== null && { slot: { label: slotLabel, startsAt: slotStartsAt } }),
      },
      products: longInBatches(printed, LONG_ROWS_AT_ONCE),
      contact,
      distribution: { id: distributionId, name, date, ...(rehearsal && { rehearsal }) },
      actuals: longInBatches(
        recorded.map(({ actual }) => actual),
        LONG_ROWS_AT_ONCE,
      ),
      unconfirmed_count: recorded.filter(
        ({ updatedBy, actual }) => updatedBy === customerId && productById.get(actual.productId)?.unit_qty_is_estimate,
      ).length,
      fees,
      payments: paymentsByOrder.get(id) ?? [],
      organization,
    };
  };
}

const findOne = (db: Db, which: string, values: readonly [number, ...number[]]) =>
  snapshot(db, async (db) => {
    const read = await readOrders(db, which, values);
    const [head] = read.heads;
    if (!head) throw notFound('Order');
    const distribution = { distributorId: values[0], id: head.distributionId };
    return { read, head, distribution, common: await readCommon(db, distribution) };
  });

async function onePrint(db: Db, { read, head, distribution, common }: Awaited<ReturnType<typeof findOne>>) {
  return printer(read, { ...common, details: await readNameDetails(db, distribution) })(head);
}

interface Reader {
  readonly signal: AbortSignal;
  readonly openReply: () => Promise<unknown>;
}

/** Returns the print data of an order. Throws 'not found' if the distributor has no order with this id. */
export async function printOf(db: Db, viewer: Viewer, orderId: number, { signal, openReply }: Reader) {
  const asked = { ...queuePositionOf(viewer, signal), openReply, order: orderId };
  return await onePrint(db, await readOneOrder(db, asked, () => findOne(db, 'o.id = $2', [viewer.tenantId, orderId])));
}

/** Returns the print data of the viewer's own order in the distribution. Throws 'not found' if there is none. */
export async function ownPrintOf(db: Db, viewer: Viewer, distributionId: number, { signal, openReply }: Reader) {
  const { tenantId, userId } = viewer;
  const asked = { ...queuePositionOf(viewer, signal), openReply, order: { customerId: userId, distributionId } };
  const which = 'o."customerId" = $2 AND o."distributionId" = $3';
  return await onePrint(db, await readOneOrder(db, asked, () => findOne(db, which, [tenantId, userId, distributionId])));
}

const BATCH = 50;
const NUMBERED = `SELECT o.id, row_number() OVER (${BY_NAME}) - 1 AS place
  FROM orders o JOIN users u ON u.id = o."customerId" LEFT JOIN contacts c ON c."userId" = u.id
  WHERE o."distributorId" = $1 AND o."distributionId" = $2 AND ($3::int[] IS NULL OR o.id = ANY($3))
    AND EXISTS (SELECT 1 FROM order_products l WHERE l."orderId" = o.id AND l.quantity > 0)`;
const OF_BATCH = `o."distributionId" = $2 AND o.id = ANY($3::int[]) ${BY_NAME}`;

/** Reading a printed line takes about twice as long as reading a line without the texts of its product. */
const ROWS_OF_PRINT = `2 * (${ROWS_OF_ORDER})`;

/**
 * Yields the print data of the orders with the ids `orderIds`, or of all orders of the distribution, in batches. Orders without quantities
 * are omitted. The next batch is read while the current one is sent. Each batch is one consistent snapshot. The data that all orders have
 * in common is read once.
 */
export async function* listPrints(db: Db, distribution: ListSource, orderIds: readonly number[] | null = null) {
  const key = [distribution.distributorId, distribution.id] as const;
  const chunks = await idChunks(db, { numbered: NUMBERED, values: [...key, orderIds], queue: distribution, size: BATCH });
  const details = await readNameDetails(db, distribution);
  const common = { ...(await runInQueue(distribution, () => snapshot(db, (db) => readCommon(db, distribution)))), details };
  const split = splitLongChunks(db, chunks, ROWS_OF_PRINT, { queue: distribution });
  const batches = readAhead(split, ({ ids }) =>
    runInQueue(distribution, () => snapshot(db, (db) => readOrders(db, OF_BATCH, [...key, ids]))),
  );
  for await (const read of batches) yield read.heads.map(printer(read, common));
}
