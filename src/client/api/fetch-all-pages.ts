import type { Query } from '../../shared/endpoint.ts';
import { joinPages, MAX_PAGE_SIZE, nextCursor, type ListReply } from '../../shared/pages.ts';

export type ReadPage = (query: Query) => Promise<ListReply>;

/** Loads all pages of a long list and returns them as one reply, because filters, counts and CSV files need the whole list. */
export async function fetchAllPages(read: ReadPage): Promise<ListReply> {
  const pages: ListReply[] = [];
  for (let after: string | null = ''; after !== null;) {
    const page = await read({ after, limit: String(MAX_PAGE_SIZE) });
    pages.push(page);
    after = nextCursor(page);
  }
  return joinPages(pages);
}
