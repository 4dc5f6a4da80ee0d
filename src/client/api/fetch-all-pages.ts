import type { Query } from '../../shared/endpoint.ts';
import { joinPages, nextCursor, MAX_PAGE_SIZE, countedRows, type ListReply } from '../../shared/pages.ts';
import { createKeyedStore } from '../storage/keyed-store.ts';

/** The number of rows loaded so far, by the path of the read, while further pages are loading. */
export const rowsSoFar = createKeyedStore<string, number>();

/** The latest read of each path; the progress of an abandoned read is ignored. */
const lastBegun = new Map<string, symbol>();

export type ReadPage = (query: Query) => Promise<ListReply>;

/** Loads all pages of a long list as one reply: filters, counts and files need the whole list. */
export async function fetchAllPages(path: string, read: ReadPage): Promise<ListReply> {
  const pages: ListReply[] = [];
  let rows = 0;
  const reading = Symbol(path);
  lastBegun.set(path, reading);
  const tell = (count: number | null): void => {
    if (lastBegun.get(path) === reading) rowsSoFar.set(path, count);
  };
  tell(null);
  try {
    for (let after: string | null = ''; after !== null;) {
      const page: ListReply = await read({ after, limit: String(MAX_PAGE_SIZE) });
      pages.push(page);
      rows += countedRows(page).length;
      after = nextCursor(page);
      if (after !== null) tell(rows);
    }
    return joinPages(pages);
  } finally {
    tell(null);
  }
}
