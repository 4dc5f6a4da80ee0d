// Streams long lists in batches. No batch blocks the event loop for long, so the server can handle other requests between two batches.
import { Readable } from 'node:stream';
import { setImmediate as nextLoop } from 'node:timers/promises';

type Batches = AsyncIterable<readonly unknown[]>;

export const isBatches = (value: unknown): value is Batches => typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

const ROWS_AT_ONCE = 500;

export async function* inBatches<Row>(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) yield rows.slice(from, from + ROWS_AT_ONCE);
}

/** Returns the rows in batches if there are too many to serialize at once. */
export const longInBatches = <Row>(rows: readonly Row[]): Row[] | AsyncGenerator<Row[]> =>
  rows.length > ROWS_AT_ONCE ? inBatches(rows) : [...rows];

/** A reply with at least one long list. The other members are ordinary values. */
export type WithLists = Readonly<Record<string, unknown>>;

export const hasLists = (value: unknown): value is WithLists =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(isBatches);

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
const SLICE = 3;

/** Runs a computation that yields between short steps. Other work of the event loop can run after each SLICE milliseconds. */
export async function runInSlices<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < until);
    await ownLoop();
  }
}

/** Waits for the first batch, so that its error is thrown before the response starts. */
async function begun(batches: Batches): Promise<Batches> {
  const rows = batches[Symbol.asyncIterator]();
  const first = await rows.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => rows };
  })();
}

async function* textOf(batches: Batches, check: (rows: readonly unknown[]) => readonly unknown[]): AsyncGenerator<string> {
  let first = true;
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    const json = JSON.stringify(check(rows)).slice(1, -1);
    yield first ? `[${json}` : `,${json}`;
    first = false;
    await ownLoop();
  }
  yield first ? '[]' : ']';
}

async function* textOfLists(
  value: WithLists,
  check: (rows: readonly unknown[], name: string) => readonly unknown[],
): AsyncGenerator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    if (isBatches(member)) yield* textOf(member, (rows) => check(rows, name));
    else yield JSON.stringify(member);
    before = ',';
  }
  yield '}';
}

const asStream = (text: AsyncGenerator<string>): Readable => Readable.from(text, { objectMode: false, highWaterMark: 64 * 1024 });

/** Streams one JSON array from batches of rows. `check` validates each batch against the contract of the reply. */
export const streamOf = async (batches: Batches, check: (rows: readonly unknown[]) => readonly unknown[]): Promise<Readable> =>
  asStream(textOf(await begun(batches), check));

/** Streams one JSON object. Each long list of the object is streamed like that of `streamOf`. The other members must have been validated. */
export async function streamOfLists(
  value: WithLists,
  check: (rows: readonly unknown[], name: string) => readonly unknown[],
): Promise<Readable> {
  const [name, first] = Object.entries(value).find(([, member]) => isBatches(member)) ?? [];
  const begunFirst = name !== undefined && isBatches(first) ? { [name]: await begun(first) } : {};
  return asStream(textOfLists({ ...value, ...begunFirst }, check));
}
