// Repeats a job as long as the process runs.
import { setTimeout as pause } from 'node:timers/promises';

export interface PeriodicJob {
  /** The signal is aborted when the job is stopped. A job that takes long may then end early. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
  /** The number of milliseconds before the first run. This delay lets the server start fast. */
  readonly first: number;
  /** The number of milliseconds between the end of a run and the start of the next run. */
  readonly interval: number;
  readonly onError: (error: unknown) => void;
}

/** Starts the job. The returned function `stop` waits until a running job has ended. */
export function startPeriodicJob({ run, first, interval, onError }: PeriodicJob): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sleep = (time: number): Promise<void> => pause(time, undefined, { signal }).catch(() => undefined);
  const repeat = async (): Promise<void> => {
    for (await sleep(first); !signal.aborted; await sleep(interval)) await run(signal).catch(onError);
  };
  const repeating = repeat();
  return {
    async stop() {
      stopping.abort();
      await repeating;
    },
  };
}
