// Reads long lists in chunks of a few hundred ids, so that a whole list need not fit into memory. No database connection is occupied
// between two chunks.
import { MAX_PAGE_SIZE, type PageQuery } from '../../shared/pages.ts';
import { run, runSingle, type Db } from './db.ts';
import { readInQueue, type ListRead } from '../queues/report-queue.ts';
import { createSharedReads } from '../queues/shared-reads.ts';

export interface ListSource extends ListRead {
  readonly id: number;
}

export interface IdChunk {
  /**
   * The sorted ids in PostgreSQL's text form of an int[]. The text is sent back to PostgreSQL unchanged, so a million ids take only a few
   * megabytes.
   */
  readonly ids: string;
  readonly count: number;
  /** Whether the chunk is the end of a full page. After a full page there may be more rows. */
  readonly endsPage: boolean;
}

/** Returns the page that the request asks for, or null for the whole list. With `after` alone, the page has the maximum size. */
export const requestedPage = ({ limit, after }: PageQuery): { readonly limit: number; readonly after?: number } | null =>
  limit === undefined && after === undefined ? null : { limit: limit ?? MAX_PAGE_SIZE, ...(after === undefined ? {} : { after }) };

/** Adds the key of the next page to the last row of a full page, because more rows may follow. */
export function withNextCursor<Row extends { readonly key?: string | undefined }>(rows: readonly Row[], idOf: (row: Row) => number): Row[] {
  return rows.map((row, index) => (index === rows.length - 1 ? { ...row, key: String(idOf(row)) } : row));
}

/** A search for the ids of a list. */
interface IdSearch {
  /** A query that returns the columns `id` and `place`. `place` is the position of the id in the list, counted from 0. */
  readonly numbered: string;
  readonly values: readonly unknown[];
  /**
   * Where the search waits in the queue of expensive reads, because it may read all rows of a long list for a short page. Null in a
   * transaction, which must not wait, and for a list that is known to be short.
   */
  readonly queue: ListRead | null;
}

interface Pages extends IdSearch {
  readonly size: number;
  /** The maximum number of ids. If it is given, `numbered` must sort its rows by `place`. */
  readonly most?: number | undefined;
}

/** Returns the ids that the query `numbered` selects, in chunks of `size`. */
export async function idChunks(db: Db, { numbered, values, queue, size, most }: Pages): Promise<IdChunk[]> {
  const part = values.length + 1;
  // PostgreSQL stops after `most` rows if an index returns them in their sequence.
  const text = `SELECT array_agg(id ORDER BY place)::text AS ids, count(*)::int AS count,
      coalesce(max(place) = $${part + 1}::int - 1, false) AS "endsPage"
    FROM (${numbered} LIMIT $${part + 1}::int) n GROUP BY place / $${part}::int ORDER BY place / $${part}::int`;
  return await readInQueue(queue, () => run<IdChunk>(db, text, [...values, size, most ?? null]));
}

/** The number of rows that a list without pages reads at once. */
const ROWS_AT_ONCE = 500;

interface WholeList extends Omit<IdSearch, 'queue'> {
  readonly queue: ListRead;
  /** A query with the same parameters for the rows that `numbered` searches, of which the list may contain only a few. */
  readonly searched: string;
}

/**
 * Sorting the ids of a long list takes as long as reading several chunks. Concurrent reads of the same list therefore share the sorted ids.
 */
const sortLongList = createSharedReads((db, search: IdSearch) => idChunks(db, { ...search, size: ROWS_AT_ONCE }));

/**
 * Yields the rows of a whole list in chunks, so that the server keeps only a few rows in memory for a client that reads slowly. If many rows
 * are searched for the list, the search for its ids and the read of each chunk wait in the queue of expensive reads.
 */
export async function* rowsInChunks<Result>(
  db: Db,
  { numbered, values, queue, searched }: WholeList,
  read: (ids: string) => Promise<Result[]>,
): AsyncGenerator<Result[]> {
  const text = `SELECT EXISTS (${searched} OFFSET ${ROWS_AT_ONCE}) AS "isLong"`;
  if (!(await runSingle<{ isLong: boolean }>(db, text, values)).isLong) {
    const chunks = await idChunks(db, { numbered, values, queue: null, size: ROWS_AT_ONCE });
    return yield* readAhead(chunks, ({ ids }) => read(ids));
  }
  // The client of one of the requests that share the search may disconnect, so the search has a signal of its own.
  const shared = { numbered, values, queue: { ...queue, signal: new AbortController().signal } };
  const chunks = await sortLongList(db, { key: `${queue.distributorId} ${numbered} ${JSON.stringify(values)}` }, shared);
  yield* readAhead(chunks, ({ ids }) => readInQueue(queue, () => read(ids)));
}

interface KeysetList<Row> {
  /** The number of rows that are read at once. */
  readonly size: number;
  /** The maximum number of rows of the list. */
  readonly most?: number;
  readonly queue: ListRead;
  /** Reads the first `count` rows after the row `last`, or the first rows of the list if `last` is undefined. */
  readonly read: (count: number, last: Row | undefined) => Promise<Row[]>;
}

/**
 * Reads a list that is usually short. The first rows are read at once, so a short list takes one statement. If the list is long, its other
 * rows are read in chunks with keyset pagination, and the read of each chunk waits in the queue of expensive reads.
 */
export async function rowsByKeyset<Row>({ size, most = Infinity, queue, read }: KeysetList<Row>): Promise<Row[] | AsyncGenerator<Row[]>> {
  const first = await read(Math.min(size, most), undefined);
  if (first.length < size || size >= most) return first;
  return (async function* () {
    let left = most - first.length;
    // Each chunk is read before the previous one is sent. An error of the second chunk is therefore thrown before the response starts.
    for (let chunk = first; chunk.length > 0;) {
      const [count, last] = [Math.min(size, left), chunk.at(-1)];
      const next = chunk.length < size || left === 0 ? [] : await readInQueue(queue, () => read(count, last));
      yield chunk;
      left -= next.length;
      chunk = next;
    }
  })();
}

interface CountedChunk extends IdChunk {
  /** The number of rows that are read for the ids. */
  readonly rows: number;
}

/** A chunk is split if its ids together have more rows than this, for example if its orders have unusually many lines. */
const MAX_ROWS = 10_000;

/**
 * Returns the ids that the query `numbered` selects, in chunks. Many rows may be read for one id, so a chunk has only as many ids as
 * MAX_ROWS allows. `rowsOf` is an SQL expression for the number of rows that are read for the id `c.id`.
 */
export async function chunksOfFewRows(db: Db, { numbered, values, queue }: IdSearch, rowsOf: string): Promise<CountedChunk[]> {
  const text = `SELECT array_agg(id ORDER BY place)::text AS ids, count(*)::int AS count, false AS "endsPage", sum(rows)::float8 AS rows
    FROM (SELECT id, place, rows, div(sum(1 + rows) OVER (ORDER BY place), ${MAX_ROWS}) AS part
      FROM (SELECT c.id, c.place, ${rowsOf} AS rows FROM (${numbered}) c) counted) parts
    GROUP BY part ORDER BY part`;
  return await readInQueue(queue, () => run<CountedChunk>(db, text, values));
}

/**
 * Splits chunks whose ids have many rows together, because reading all these rows at once would block the event loop and fill the memory.
 * `rowsOf` is an SQL expression for the number of rows of the id `c.id`. `values` are its parameters $3 and higher. Counting the rows of a
 * chunk waits in `queue`.
 */
export async function* splitLongChunks(
  db: Db,
  chunks: Iterable<IdChunk>,
  rowsOf: string,
  { values = [], queue }: { values?: readonly unknown[]; queue: ListRead },
): AsyncGenerator<IdChunk> {
  const text = `SELECT array_agg(id ORDER BY place)::text AS ids, count(*)::int AS count, $2 AND max(place) = cardinality($1::int[]) AS "endsPage"
    FROM (SELECT id, place, div(sum(rows) OVER (ORDER BY place), ${MAX_ROWS}) AS part
      FROM (SELECT c.id, c.place, ${rowsOf} AS rows FROM unnest($1::int[]) WITH ORDINALITY c (id, place)) counted) parts
    GROUP BY part ORDER BY part`;
  for (const { ids, endsPage } of chunks) yield* await readInQueue(queue, () => run<IdChunk>(db, text, [ids, endsPage, ...values]));
}

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

interface OrdersToRead extends ListRead {
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
export const queueForOrders = async (db: Db, orders: OrdersToRead): Promise<ListRead | null> =>
  (await areLongOrders(db, orders)) ? orders : null;

interface OrderToRead extends OrdersToRead {
  /** Given by a route whose reply contains the names of the products: the reply of a long order then counts as open. */
  readonly openReply?: () => Promise<unknown>;
}

/** Reads one order. The read of an order with many lines or weights waits in the queue of expensive reads. */
export async function readOneOrder<Read>(db: Db, { openReply, ...orders }: OrderToRead, read: () => Promise<Read>): Promise<Read> {
  const queue = await queueForOrders(db, orders);
  if (queue) await openReply?.();
  return await readInQueue(queue, read);
}

/** Yields the result of `read` for each chunk, in the sequence of the chunks. The next chunk is read while the previous one is sent. */
export async function* readAhead<Part, Read>(
  parts: Iterable<Part> | AsyncIterable<Part>,
  read: (part: Part) => Promise<Read>,
): AsyncGenerator<Read> {
  const left = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  const begin = async (): Promise<{ readonly rows: Read } | null> => {
    const next = left.next();
    const { done, value } = next instanceof Promise ? await next : next;
    return done === true ? null : { rows: await read(value) };
  };
  const beginAhead = (): Promise<{ readonly rows: Read } | null> => {
    const reading = begin();
    // The error of this read is thrown when the caller awaits the result. Until then, the error must not count as an unhandled rejection.
    reading.catch(() => undefined);
    return reading;
  };
  for (let next = beginAhead(); ;) {
    const chunk = await next;
    if (!chunk) return;
    next = beginAhead();
    yield chunk.rows;
  }
}

/** Returns the first `most` lines, and also the remaining lines of the last of these orders, so that no order is split between pages. */
export function wholeOrders<Line extends { readonly orderId: number }>(lines: readonly Line[], most: number): readonly Line[] {
  const last = lines[most - 1];
  if (!last) return lines;
  const end = lines.findIndex(({ orderId }, index) => index >= most && orderId !== last.orderId);
  return end === -1 ? lines : lines.slice(0, end);
}
