// Splits long computations and lists, so that none of them blocks the event loop for long, and the server can handle other requests.
import { setImmediate as nextLoop } from 'node:timers/promises';

const ROWS_AT_ONCE = 500;

export async function* inBatches<Row>(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) yield rows.slice(from, from + ROWS_AT_ONCE);
}

/** The maximum number of rows that are serialized at once if their texts may be long, such as the names and units of order lines. */
export const LONG_ROWS_AT_ONCE = 50;

/** Returns the rows in batches if there are too many to serialize at once: more than `most`. */
export const longInBatches = <Row>(rows: readonly Row[], most = ROWS_AT_ONCE): Row[] | AsyncGenerator<Row[]> =>
  rows.length > most ? inBatches(rows) : [...rows];

let lastLoop: Promise<unknown> = Promise.resolve();

/**
 * Waits for an iteration of the event loop in which no other caller of this function works. Each iteration therefore serializes only one
 * batch of a list or one slice of a mail, however many are serialized.
 */
export function ownLoop(): Promise<unknown> {
  lastLoop = lastLoop.then(() => nextLoop());
  return lastLoop;
}

/** Converts the rows of a long list that is in memory. The conversion does not block the event loop for long. */
export async function mapInSlices<Row, Converted>(
  rows: readonly Row[],
  convert: (slice: readonly Row[]) => readonly Converted[],
): Promise<Converted[]> {
  const converted: Converted[] = [];
  for await (const slice of inBatches(rows)) {
    converted.push(...convert(slice));
    await ownLoop();
  }
  return converted;
}

/** The approximate number of milliseconds after which a computation lets other work of the event loop run. */
export const SLICE_MS = 3;

/** Runs a computation that yields between short steps. Other work of the event loop can run after each SLICE_MS milliseconds. */
export async function runInSlices<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < until);
    await ownLoop();
  }
}
