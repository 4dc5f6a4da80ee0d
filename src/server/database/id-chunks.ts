// A list that is too long for the memory is read by its ids, a few hundred at a time; nothing is held in the database in between.
import { MAX_PAGE_SIZE, type PageQuery } from '../../shared/pages.ts';
import { run, type Db } from './db.ts';
import type { ListRead } from '../http/limiter.ts';

/** A distribution, whose list is read for a request. */
export interface ListSource extends ListRead {
  readonly id: number;
}

export interface IdChunk {
  /** The ids in their order as PostgreSQL writes an int[]; it goes back there as it is, so that a million take a few megabytes. */
  readonly ids: string;
  readonly count: number;
}

/** null for the whole list. Where only the row that a part stands behind is named, it is as long as a part may be. */
export const requestedPage = ({ limit, after }: PageQuery): { readonly limit: number; readonly after?: number } | null =>
  limit === undefined && after === undefined ? null : { limit: limit ?? MAX_PAGE_SIZE, ...(after === undefined ? {} : { after }) };

/** The part behind which others may stand: the last one where there are as many as were asked for. */
export const lastFullChunk = (parts: readonly IdChunk[], most: number | undefined): IdChunk | undefined =>
  parts.reduce((sum, { count }) => sum + count, 0) === most ? parts.at(-1) : undefined;

/** The rows that a part ends with where others may stand behind them: the last one carries the key to go on from. */
export function withNextCursor<Row extends { readonly key?: string | undefined }>(rows: readonly Row[], idOf: (row: Row) => number): Row[] {
  return rows.map((row, index) => (index === rows.length - 1 ? { ...row, key: String(idOf(row)) } : row));
}

/** What `numbered` selects, `id` and its `place` from 0, in parts of `size`; of `most` only the first ones. */
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

/** What `read` makes of each part, in their order: the next one is read while the last one goes out. */
export async function* readAhead<Part, Read>(parts: Iterable<Part>, read: (part: Part) => Promise<Read>): AsyncGenerator<Read> {
  const left = parts[Symbol.iterator]();
  const begin = (): Promise<Read> | undefined => {
    const { done, value } = left.next();
    if (done === true) return undefined;
    const reading = read(value);
    // Its failure is told when its turn comes; nobody may be left to wait for it.
    reading.catch(() => undefined);
    return reading;
  };
  for (let next = begin(); next !== undefined;) {
    const rows: Read = await next;
    next = begin();
    yield rows;
  }
}

/** A part of `most` lines with the rest of its last order: no order is ever torn. */
export function wholeOrders<Line extends { readonly orderId: number }>(lines: readonly Line[], most: number): readonly Line[] {
  const last = lines[most - 1];
  if (!last) return lines;
  const end = lines.findIndex(({ orderId }, index) => index >= most && orderId !== last.orderId);
  return end === -1 ? lines : lines.slice(0, end);
}
