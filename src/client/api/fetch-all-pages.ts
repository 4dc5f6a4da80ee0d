import type { Query } from '../../shared/endpoint.ts';
import { joinPages, nextCursor, MAX_PAGE_SIZE, countedRows, type ListReply } from '../../shared/pages.ts';
import { createKeyedStore } from '../storage/keyed-store.ts';

/** How many rows of a list, by the path of its read, are there while further parts are awaited. */
export const rowsSoFar = createKeyedStore<string, number>();

/** The reading of each path that was begun last: what one that was given up still tells is nobody's progress any more. */
const lastBegun = new Map<string, symbol>();

export type ReadPage = (query: Query) => Promise<ListReply>;

/** Every part of a long list, one after the other, as one reply: filters, counts and files are right only of the whole. */
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
