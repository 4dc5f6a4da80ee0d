// Work that is dear to everybody else is done a few at a time.

interface Queue {
  /** What may wait in all; above it a work is refused with `refusal`. */
  readonly most: number;
  /** And of one key. */
  readonly mostOfKey?: number;
  readonly refusal: () => Error;
}

/**
 * Runs at most `atOnce` of the works given to it. Who waits is served round by the key of whom the work is for, so that a thousand
 * works of one delay another's by as many as run at once.
 */
export function turns(atOnce: number, queue?: Queue): <Result>(work: () => Promise<Result>, key?: string) => Promise<Result> {
  let running = 0;
  let inQueue = 0;
  const waiting = new Map<string, (() => void)[]>();

  const next = (): (() => void) | undefined => {
    const [first] = waiting;
    if (!first) return undefined;
    const [key, own] = first;
    const served = own.shift();
    inQueue--;
    waiting.delete(key);
    if (own.length > 0) waiting.set(key, own);
    return served;
  };
  return async (work, key = '') => {
    if (running < atOnce) running++;
    else {
      if (queue && (inQueue >= queue.most || (waiting.get(key)?.length ?? 0) >= (queue.mostOfKey ?? Infinity))) throw queue.refusal();
      inQueue++;
      await new Promise<void>((resolve) => {
        const own = waiting.get(key);
        if (own) own.push(resolve);
        else waiting.set(key, [resolve]);
      });
    }
    try {
      return await work();
    } finally {
      const resolve = next();
      if (resolve) resolve();
      else running--;
    }
  };
}

/**
 * One after the other, and round by distributor, what keeps the database busy for long: each read of a batch of a report or of printed
 * orders, and whole imports and mailings. Whoever orders meanwhile finds a processor and a connection. Nobody may wait for it in a
 * transaction: ten of those would hold every connection, and whose turn it is would find none.
 */
export const inTurn = turns(1);
