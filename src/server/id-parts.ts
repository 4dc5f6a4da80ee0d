// A list that is too long for the memory is read by its ids, a few hundred at a time; nothing is held in the database in between.
import { run, type Db } from './db.ts';

export interface IdPart {
  /** The ids in their order as PostgreSQL writes an int[]; it goes back there as it is, so that a million take a few megabytes. */
  readonly ids: string;
  readonly count: number;
  readonly last: number;
}

export const countIn = (parts: readonly IdPart[]): number => parts.reduce((sum, { count }) => sum + count, 0);

/** What `numbered` selects, `id` and its `place` from 0, in parts of `size`; of `most` only the first ones. */
export async function idParts(
  db: Db,
  numbered: string,
  values: readonly unknown[],
  { size, most }: { size: number; most?: number | undefined },
): Promise<IdPart[]> {
  const part = values.length + 1;
  const text = `SELECT array_agg(id ORDER BY place)::text AS ids, count(*)::int AS count, (array_agg(id ORDER BY place DESC))[1] AS last
    FROM (${numbered}) n WHERE $${part + 1}::int IS NULL OR place < $${part + 1} GROUP BY place / $${part}::int ORDER BY place / $${part}::int`;
  return await run<IdPart>(db, text, [...values, size, most ?? null]);
}

/** A part of `most` lines with the rest of its last order: no order is ever torn. */
export function wholeOrders<Line extends { readonly orderId: number }>(lines: readonly Line[], most: number): readonly Line[] {
  const last = lines[most - 1];
  if (!last) return lines;
  const end = lines.findIndex(({ orderId }, index) => index >= most && orderId !== last.orderId);
  return end === -1 ? lines : lines.slice(0, end);
}
