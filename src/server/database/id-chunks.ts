// Reads long lists in chunks of a few hundred ids, so that a whole list need not fit into memory. No database connection is occupied
// between two chunks.
import { MAX_PAGE_SIZE, type PageQuery } from '../../shared/pages.ts';
import { run, runSingle, type Db } from './db.ts';
import { runInQueue, type QueuePosition } from '../queues/expensive-queue.ts';
import { createSharedReads } from '../queues/shared-reads.ts';

export interface ListSource extends QueuePosition {
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
  readonly queue: QueuePosition | null;
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
  return await runInQueue(queue, () => run<IdChunk>(db, text, [...values, size, most ?? null]));
}

/** The number of rows that a list without pages reads at once. */
const ROWS_AT_ONCE = 500;

interface WholeList extends Omit<IdSearch, 'queue'> {
  readonly queue: QueuePosition;
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
  yield* readAhead(chunks, ({ ids }) => runInQueue(queue, () => read(ids)));
}

interface KeysetList<Row> {
  /** The number of rows that are read at once. */
  readonly size: number;
  /** The maximum number of rows of the list. */
  readonly most?: number;
  readonly queue: QueuePosition;
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
      const next = chunk.length < size || left === 0 ? [] : await runInQueue(queue, () => read(count, last));
      yield chunk;
      left -= next.length;
      chunk = next;
    }
  })();
}

interface CountedChunk extends Pick<IdChunk, 'ids'> {
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
  const text = `SELECT array_agg(id ORDER BY place)::text AS ids, sum(rows)::float8 AS rows
    FROM (SELECT id, place, rows, div(sum(1 + rows) OVER (ORDER BY place), ${MAX_ROWS}) AS part
      FROM (SELECT c.id, c.place, ${rowsOf} AS rows FROM (${numbered}) c) counted) parts
    GROUP BY part ORDER BY part`;
  return await runInQueue(queue, () => run<CountedChunk>(db, text, values));
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
  { values = [], queue }: { values?: readonly unknown[]; queue: QueuePosition },
): AsyncGenerator<IdChunk> {
  const text = `SELECT array_agg(id ORDER BY place)::text AS ids, count(*)::int AS count, $2 AND max(place) = cardinality($1::int[]) AS "endsPage"
    FROM (SELECT id, place, div(sum(rows) OVER (ORDER BY place), ${MAX_ROWS}) AS part
      FROM (SELECT c.id, c.place, ${rowsOf} AS rows FROM unnest($1::int[]) WITH ORDINALITY c (id, place)) counted) parts
    GROUP BY part ORDER BY part`;
  for (const { ids, endsPage } of chunks) yield* await runInQueue(queue, () => run<IdChunk>(db, text, [ids, endsPage, ...values]));
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
