// Work that is dear to everybody else is done a few at a time.

/**
 * Runs at most `atOnce` of the works given to it. Who waits is served round by the key of whom the work is for, so that a thousand
 * works of one delay another's by as many as run at once.
 */
export function turns(atOnce: number): <Result>(work: () => Promise<Result>, key?: string) => Promise<Result> {
  let running = 0;
  const waiting = new Map<string, (() => void)[]>();

  const next = (): (() => void) | undefined => {
    const [first] = waiting;
    if (!first) return undefined;
    const [key, queue] = first;
    const served = queue.shift();
    waiting.delete(key);
    if (queue.length > 0) waiting.set(key, queue);
    return served;
  };
  return async (work, key = '') => {
    if (running < atOnce) running++;
    else
      await new Promise<void>((resolve) => {
        const queue = waiting.get(key);
        if (queue) queue.push(resolve);
        else waiting.set(key, [resolve]);
      });
    try {
      return await work();
    } finally {
      const resolve = next();
      if (resolve) resolve();
      else running--;
    }
  };
}
