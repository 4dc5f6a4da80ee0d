import type { Query } from '../../shared/endpoint.ts';
import { joined, keyAfter, LARGEST_PART, rowsIn, type Lists } from '../../shared/pages.ts';
import { keyedStore } from '../storage/keyed-store.ts';

/** How many rows of a list, by the path of its read, are there while further parts are awaited. */
export const rowsSoFar = keyedStore<string, number>();

/** The reading of each path that was begun last: what one that was given up still tells is nobody's progress any more. */
const lastBegun = new Map<string, symbol>();

export type ReadPart = (query: Query) => Promise<Lists>;

/** Every part of a long list, one after the other, as one reply: filters, counts and files are right only of the whole. */
export async function readInParts(path: string, read: ReadPart): Promise<Lists> {
  const parts: Lists[] = [];
  let rows = 0;
  const reading = Symbol(path);
  lastBegun.set(path, reading);
  const tell = (count: number | null): void => {
    if (lastBegun.get(path) === reading) rowsSoFar.set(path, count);
  };
  tell(null);
  try {
    for (let after: string | null = ''; after !== null;) {
      const part: Lists = await read({ after, limit: String(LARGEST_PART) });
      parts.push(part);
      rows += rowsIn(part).length;
      after = keyAfter(part);
      if (after !== null) tell(rows);
    }
    return joined(parts);
  } finally {
    tell(null);
  }
}
