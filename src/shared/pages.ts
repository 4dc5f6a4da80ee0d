// A long list may be read in parts: `limit` rows at most, `after` the key that the last row of the part before carries. A key is an id:
// unlike a place by name it stays what it is while the parts are read.
import * as z from 'zod/mini';
import { LARGEST_INT } from './fields.ts';
import { NO_KEY, notPartSize } from './texts.ts';

/** `limit` of a query: text there, a number here. */
export const pageSize = (most: number) =>
  z.pipe(
    z.string(notPartSize(most)).check(z.regex(/^\d{1,4}$/, notPartSize(most)), z.describe(notPartSize(most))),
    z.pipe(z.transform(Number), z.number().check(z.gte(1, notPartSize(most)), z.lte(most, notPartSize(most)))),
  );

/** What a screen asks for at a time, and the most that anybody may. */
export const MAX_PAGE_SIZE = 5000;

/** `after` of a query. */
const rowKey = z.pipe(
  z.string(NO_KEY).check(z.regex(/^\d{1,10}$/, NO_KEY)),
  z.pipe(z.transform(Number), z.number().check(z.lte(LARGEST_INT, NO_KEY))),
);

/** Without either the reply is the whole list. */
export const PageQuery = z.object({ limit: z.optional(pageSize(MAX_PAGE_SIZE)), after: z.optional(rowKey) });
export type PageQuery = z.output<typeof PageQuery>;

/** Of the last row of a part that may have others behind it. */
export const NextCursor = z.optional(z.string());

export type ListReply = readonly unknown[] | Readonly<Record<string, readonly unknown[]>>;

/** The rows of a part that are counted: of a reply of several lists the first one's. */
export const countedRows = (reply: ListReply): readonly unknown[] => (isList(reply) ? reply : (Object.values(reply)[0] ?? []));

/** The key to go on from; null behind the last part. */
export const nextCursor = (reply: ListReply): string | null => (countedRows(reply).at(-1) as { key?: string } | undefined)?.key ?? null;

const isList = (reply: ListReply): reply is readonly unknown[] => Array.isArray(reply);

/** One reply out of its parts, as if it had been read at once. */
export function joinPages(parts: readonly ListReply[]): ListReply {
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  if (!first || isList(first)) return parts.flatMap(countedRows);
  const lists = parts as readonly Readonly<Record<string, readonly unknown[]>>[];
  return Object.fromEntries(Object.keys(first).map((name) => [name, lists.flatMap((part) => part[name] ?? [])]));
}
