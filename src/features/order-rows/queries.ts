// Estimates how many rows are read for orders, so that reads of orders with many rows are split, or wait in the queue of expensive reads.
import { runSingle, type Db } from '../../server/database/db.ts';
import { runInQueue, type QueuePosition } from '../../server/queues/expensive-queue.ts';

/**
 * The SQL aggregate that estimates the rows of the order lines `l`: the number of lines, or half the number of units if that is more. Each
 * unit may have a weight, and reading a weight takes about half as long as reading a line.
 */
export const ROWS_OF_LINES = 'greatest(count(*), coalesce(sum(l.quantity), 0) / 2)';
/** The SQL expression for the rows of the order `c.id`, which are its lines with their weights, and its payments. */
export const ROWS_OF_ORDER = `(SELECT ${ROWS_OF_LINES} FROM order_products l WHERE l."orderId" = c.id)
  + (SELECT count(*) FROM orders o JOIN payments p ON p."distributionId" = o."distributionId" AND p."orderId" = o.id WHERE o.id = c.id)`;

/** One order takes long to read if it has more lines or weights than this, because some replies contain the name of each product. */
const MAX_ROWS_OF_SHORT_ORDER = 250;
/** A customer's own orders take long to read if they have more lines or weights than this together. Their replies contain no names. */
const MAX_ROWS_OF_OWN_ORDERS = 500;
const LINES = `SELECT l.quantity FROM orders o JOIN order_products l ON l."orderId" = o.id WHERE o."distributorId" = $1`;
// The statements stop after the first line above the limit, so they are fast even if the orders have many lines.
const areLongSql = (which: string, most: number): string =>
  `SELECT ${ROWS_OF_LINES} > ${most} AS "areLong" FROM (${LINES} AND ${which} LIMIT ${most} + 1) l`;
const IS_LONG_BY_ID = areLongSql('o.id = $2', MAX_ROWS_OF_SHORT_ORDER);
const IS_LONG_BY_CUSTOMER = areLongSql('o."customerId" = $2 AND o."distributionId" = $3', MAX_ROWS_OF_SHORT_ORDER);
const ARE_LONG_BY_CUSTOMER = areLongSql('o."customerId" = $2', MAX_ROWS_OF_OWN_ORDERS);

interface AreLong {
  readonly areLong: boolean;
}

interface OrdersToRead extends QueuePosition {
  /** The id of one order; or a customer, whose orders in one distribution (with `distributionId`) or in all distributions are read. */
  readonly order: number | { readonly customerId: number; readonly distributionId?: number };
}

async function areLongOrders(db: Db, { distributorId, order }: OrdersToRead): Promise<boolean> {
  if (typeof order === 'number') return (await runSingle<AreLong>(db, IS_LONG_BY_ID, [distributorId, order])).areLong;
  const { customerId, distributionId } = order;
  if (distributionId === undefined) return (await runSingle<AreLong>(db, ARE_LONG_BY_CUSTOMER, [distributorId, customerId])).areLong;
  return (await runSingle<AreLong>(db, IS_LONG_BY_CUSTOMER, [distributorId, customerId, distributionId])).areLong;
}

/** Returns where the reads of these orders must wait in the queue of expensive reads; null if the orders have few lines and weights. */
export const queueForOrders = async (db: Db, orders: OrdersToRead): Promise<QueuePosition | null> =>
  (await areLongOrders(db, orders)) ? orders : null;

interface OrderToRead extends OrdersToRead {
  /** Given by a route whose reply contains the names of the products: the reply of a long order then counts as open. */
  readonly openReply?: () => Promise<unknown>;
}

/** Reads one order. The read of an order with many lines or weights waits in the queue of expensive reads. */
export async function readOneOrder<Read>(db: Db, { openReply, ...orders }: OrderToRead, read: () => Promise<Read>): Promise<Read> {
  const queue = await queueForOrders(db, orders);
  if (queue) await openReply?.();
  return await runInQueue(queue, read);
}

/** Returns the first `most` lines, and also the remaining lines of the last of these orders, so that no order is split between pages. */
export function wholeOrders<Line extends { readonly orderId: number }>(lines: readonly Line[], most: number): readonly Line[] {
  const last = lines[most - 1];
  if (!last) return lines;
  const end = lines.findIndex(({ orderId }, index) => index >= most && orderId !== last.orderId);
  return end === -1 ? lines : lines.slice(0, end);
}
