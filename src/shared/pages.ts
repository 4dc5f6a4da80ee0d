// Clients read a long list in pages of at most `limit` rows. The parameter `after` is the key of the last row on the previous page. This
// key is an id, because an id does not change while a client reads the pages. The position of a row in a list sorted by name may change.
import * as z from 'zod/mini';
import { MAX_INT } from './fields.ts';
import { NO_KEY, notPartSize } from './texts.ts';

export const pageSize = (most: number) =>
  z.pipe(
    z.string(notPartSize(most)).check(z.regex(/^\d{1,4}$/, notPartSize(most)), z.describe(notPartSize(most))),
    z.pipe(z.transform(Number), z.number().check(z.gte(1, notPartSize(most)), z.lte(most, notPartSize(most)))),
  );

/** The page size that screens request. It is also the maximum for any client. */
export const MAX_PAGE_SIZE = 5000;

/** The schema of the `after` parameter. */
const rowKey = z.pipe(
  z.string(NO_KEY).check(z.regex(/^\d{1,10}$/, NO_KEY)),
  z.pipe(z.transform(Number), z.number().check(z.lte(MAX_INT, NO_KEY))),
);

/** The query parameters of a call that returns a long list. Without these parameters, the reply contains the whole list. */
export const PageQuery = z.object({ limit: z.optional(pageSize(MAX_PAGE_SIZE)), after: z.optional(rowKey) });
export type PageQuery = z.output<typeof PageQuery>;

/** The key of the last row of a page. The row contains it only if more rows may follow on another page. */
export const NextCursor = z.optional(z.string());

export type ListReply = readonly unknown[] | Readonly<Record<string, readonly unknown[]>>;

/** Returns the rows that count toward the page size. If a reply consists of several lists, only the rows of the first list count. */
const countedRows = (reply: ListReply): readonly unknown[] => (isList(reply) ? reply : (Object.values(reply)[0] ?? []));

/** Returns the value of `after` for the next page, or null after the last page. */
export const nextCursor = (reply: ListReply): string | null => (countedRows(reply).at(-1) as { key?: string } | undefined)?.key ?? null;

const isList = (reply: ListReply): reply is readonly unknown[] => Array.isArray(reply);

/** Joins pages into one reply that looks as if the list had been read at once. */
export function joinPages(parts: readonly ListReply[]): ListReply {
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  if (!first || isList(first)) return parts.flatMap(countedRows);
  const lists = parts as readonly Readonly<Record<string, readonly unknown[]>>[];
  return Object.fromEntries(Object.keys(first).map((name) => [name, lists.flatMap((part) => part[name] ?? [])]));
}
