// Reads lists that do not fit in memory by their ids, a few hundred at a time, and occupies no database connection in between.
import { MAX_PAGE_SIZE, type PageQuery } from '../../shared/pages.ts';
import { run, type Db } from './db.ts';
import type { ListRead } from '../http/limiter.ts';

/** A distribution whose list is read for a request. */
export interface ListSource extends ListRead {
  readonly id: number;
}

export interface IdChunk {
  /** The sorted ids in PostgreSQL's text form of an int[], which are sent back unchanged: a million ids take a few megabytes. */
  readonly ids: string;
  readonly count: number;
}

/** The requested page; null for the whole list. With `after` alone the page has the maximum size. */
export const requestedPage = ({ limit, after }: PageQuery): { readonly limit: number; readonly after?: number } | null =>
  limit === undefined && after === undefined ? null : { limit: limit ?? MAX_PAGE_SIZE, ...(after === undefined ? {} : { after }) };

/** The last chunk of a full page, after which more rows may follow. */
export const lastFullChunk = (parts: readonly IdChunk[], most: number | undefined): IdChunk | undefined =>
  parts.reduce((sum, { count }) => sum + count, 0) === most ? parts.at(-1) : undefined;

/** The rows of the last chunk of a page after which more rows may follow: the last row gets the key of the next page. */
export function withNextCursor<Row extends { readonly key?: string | undefined }>(rows: readonly Row[], idOf: (row: Row) => number): Row[] {
  return rows.map((row, index) => (index === rows.length - 1 ? { ...row, key: String(idOf(row)) } : row));
}

/** The ids that `numbered` selects (`id` and its `place` from 0) in chunks of `size`; `most` limits their number. */
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

/** The results of `read` for each chunk, in order: the next chunk is read while the previous one is sent. */
export async function* readAhead<Part, Read>(parts: Iterable<Part>, read: (part: Part) => Promise<Read>): AsyncGenerator<Read> {
  const left = parts[Symbol.iterator]();
  const begin = (): Promise<Read> | undefined => {
    const { done, value } = left.next();
    if (done === true) return undefined;
    const reading = read(value);
    // The error is thrown when this result is awaited; until then it must not be an unhandled rejection.
    reading.catch(() => undefined);
    return reading;
  };
  for (let next = begin(); next !== undefined;) {
    const rows: Read = await next;
    next = begin();
    yield rows;
  }
}

/** A page of `most` lines plus the rest of its last order, so that no order is split. */
export function wholeOrders<Line extends { readonly orderId: number }>(lines: readonly Line[], most: number): readonly Line[] {
  const last = lines[most - 1];
  if (!last) return lines;
  const end = lines.findIndex(({ orderId }, index) => index >= most && orderId !== last.orderId);
  return end === -1 ? lines : lines.slice(0, end);
}
