// Repeats a job as long as the process runs.
import { setTimeout as pause } from 'node:timers/promises';

export interface PeriodicJob {
  readonly run: () => Promise<unknown>;
  /** The number of milliseconds before the first run. This delay lets the server start fast. */
  readonly first: number;
  /** The number of milliseconds between the end of a run and the start of the next run. */
  readonly rest: number;
  readonly onError: (error: unknown) => void;
}

/** Starts the job. The returned function `stop` waits until a running job has ended. */
export function startPeriodicJob({ run, first, rest, onError }: PeriodicJob): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const sleep = (time: number): Promise<void> => pause(time, undefined, { signal: stopping.signal }).catch(() => undefined);
  const repeat = async (): Promise<void> => {
    for (await sleep(first); !stopping.signal.aborted; await sleep(rest)) await run().catch(onError);
  };
  const repeating = repeat();
  return {
    async stop() {
      stopping.abort();
      await repeating;
    },
  };
}
