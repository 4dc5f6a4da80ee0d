// Streams long lists in batches. No batch blocks the event loop for long, so the server can handle other requests between two batches.
import { Readable } from 'node:stream';
import { ownLoop, SLICE_MS } from '../queues/event-loop.ts';

type Batches = AsyncIterable<readonly unknown[]>;

export const isBatches = (value: unknown): value is Batches => typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** A reply with at least one long list. The other members are ordinary values. */
export type WithLists = Readonly<Record<string, unknown>>;

export const hasLists = (value: unknown): value is WithLists =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(isBatches);

/** Validates a value, or a part of a reply, against the contract of the reply. */
type Check = (value: unknown) => unknown;

/** A row may be a whole order, so few rows are serialized before the time is checked again. */
const ROWS_IN_SLICE = 10;

/** Yields the JSON of a list. Each batch of rows is validated and serialized in slices. `before` is the beginning of the first piece. */
async function* textOfList(batches: Batches, check: Check, before: string): AsyncGenerator<string> {
  let [pending, comma] = [`${before}[`, ''];
  for await (const rows of batches) {
    let until = performance.now() + SLICE_MS;
    for (let from = 0; from < rows.length; from += ROWS_IN_SLICE) {
      const slice = rows.slice(from, from + ROWS_IN_SLICE);
      const isNested = slice.some(hasLists);
      if (!isNested) pending += comma + JSON.stringify(check(slice)).slice(1, -1);
      for (const row of isNested ? slice : []) {
        yield* textOf(row, (one) => (check([one]) as unknown[])[0], pending + comma);
        [pending, comma] = ['', ','];
      }
      comma = ',';
      if (from + ROWS_IN_SLICE < rows.length && performance.now() < until) continue;
      yield pending;
      pending = '';
      await ownLoop();
      until = performance.now() + SLICE_MS;
    }
  }
  yield `${pending}]`;
}

/** Yields the JSON of an object with long lists. Each slice of a list is validated as part of an object in which the other lists are empty. */
async function* textOfObject(value: WithLists, check: Check, before: string): AsyncGenerator<string> {
  const empty = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, isBatches(member) ? [] : member]));
  let [pending, comma] = [`${before}{`, ''];
  for (const [name, member] of Object.entries(check(empty) as WithLists)) {
    if (member === undefined) continue;
    pending += `${comma}${JSON.stringify(name)}:`;
    comma = ',';
    const list = value[name];
    if (isBatches(list)) {
      yield* textOfList(list, (rows) => (check({ ...empty, [name]: rows }) as WithLists)[name], pending);
      pending = '';
    } else pending += JSON.stringify(member);
  }
  yield `${pending}}`;
}

async function* textOf(value: unknown, check: Check, before = ''): AsyncGenerator<string> {
  if (isBatches(value)) yield* textOfList(value, check, before);
  else if (hasLists(value)) yield* textOfObject(value, check, before);
  else yield before + JSON.stringify(check(value));
}

/**
 * Streams the JSON of batches of rows, or of an object with long lists. A row can be such an object, too. The first slice is
 * validated before this function returns, so that an error in it is thrown before the response starts.
 */
export async function streamOf(value: Batches | WithLists, check: Check): Promise<Readable> {
  const text = textOf(value, check);
  const first = await text.next();
  const whole = async function* (): AsyncGenerator<string> {
    if (first.done !== true) yield first.value;
    yield* text;
  };
  return Readable.from(whole(), { objectMode: false, highWaterMark: 64 * 1024 });
}
