// Long lists go out in batches: no batch holds the event loop for long, and others are served between two of them.
import { Readable } from 'node:stream';
import { setImmediate as nextLoop } from 'node:timers/promises';

export const isBatches = (value: unknown): value is AsyncIterable<readonly unknown[]> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

let lastLoop: Promise<unknown> = Promise.resolve();

/** A turn of the event loop that no other stream has: however many are under way, one batch is made between two looks at the others. */
function ownLoop(): Promise<unknown> {
  lastLoop = lastLoop.then(() => nextLoop());
  return lastLoop;
}

/** One JSON array out of batches of rows; `check` is the reply's contract. */
export function streamOf(batches: AsyncIterable<readonly unknown[]>, check: (rows: readonly unknown[]) => unknown[]): Readable {
  async function* text(): AsyncGenerator<string> {
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
  return Readable.from(text(), { objectMode: false, highWaterMark: 64 * 1024 });
}
