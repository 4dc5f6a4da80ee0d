// Reads long lists in chunks of a few hundred ids, so that a whole list need not fit into memory. No database connection is occupied
// between two chunks.
import { MAX_PAGE_SIZE, type PageQuery } from '../../shared/pages.ts';
import { run, type Db } from './db.ts';
import type { ListRead } from '../http/limiter.ts';

/** Contains the id of the distribution whose list a request reads. */
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
}

/** Returns the page that the request asks for, or null for the whole list. With `after` alone, the page has the maximum size. */
export const requestedPage = ({ limit, after }: PageQuery): { readonly limit: number; readonly after?: number } | null =>
  limit === undefined && after === undefined ? null : { limit: limit ?? MAX_PAGE_SIZE, ...(after === undefined ? {} : { after }) };

/** Returns the last chunk if the page is full, otherwise undefined. After a full page there may be more rows. */
export const lastFullChunk = (parts: readonly IdChunk[], most: number | undefined): IdChunk | undefined =>
  parts.reduce((sum, { count }) => sum + count, 0) === most ? parts.at(-1) : undefined;

/** Adds the key of the next page to the last row of a full page, because more rows may follow. */
export function withNextCursor<Row extends { readonly key?: string | undefined }>(rows: readonly Row[], idOf: (row: Row) => number): Row[] {
  return rows.map((row, index) => (index === rows.length - 1 ? { ...row, key: String(idOf(row)) } : row));
}

/**
 * Returns the ids that the query `numbered` selects, in chunks of `size`. The query returns the columns `id` and `place`. `place` is the
 * position of the id in the list, counted from 0. `most` limits the number of ids.
 */
export async function idChunks(
  db: Db,
  numbered: string,
  values: readonly unknown[],
  { size, most }: { size: number; most?: number | undefined },
): Promise<IdChunk[]> {
  const part = values.length + 1;
  const text = `SELECT array_agg(id ORDER BY place)::text AS ids, count(*)::int AS count
    FROM (${numbered}) n WHERE $${part + 1}::int IS NULL OR place < $${part + 1} GROUP BY place / $${part}::int ORDER BY place / $${part}::int`;
  return await run<IdChunk>(db, text, [...values, size, most ?? null]);
}

/** Yields the result of `read` for each chunk, in the sequence of the chunks. The next chunk is read while the previous one is sent. */
export async function* readAhead<Part, Read>(parts: Iterable<Part>, read: (part: Part) => Promise<Read>): AsyncGenerator<Read> {
  const left = parts[Symbol.iterator]();
  const begin = (): Promise<Read> | undefined => {
    const { done, value } = left.next();
    if (done === true) return undefined;
    const reading = read(value);
    // The error of this read is thrown when the caller awaits the result. Until then, the error must not count as an unhandled rejection.
    reading.catch(() => undefined);
    return reading;
  };
  for (let next = begin(); next !== undefined;) {
    const rows: Read = await next;
    next = begin();
    yield rows;
  }
}

/** Returns the first `most` lines, and also the remaining lines of the last of these orders, so that no order is split between pages. */
export function wholeOrders<Line extends { readonly orderId: number }>(lines: readonly Line[], most: number): readonly Line[] {
  const last = lines[most - 1];
  if (!last) return lines;
  const end = lines.findIndex(({ orderId }, index) => index >= most && orderId !== last.orderId);
  return end === -1 ? lines : lines.slice(0, end);
}
