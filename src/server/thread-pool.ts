// Worker threads for work that would block the event loop: one thread per concurrent task, started on demand.
import { getPriority, setPriority } from 'node:os';
import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';

export interface ThreadPool<Task, Result> {
  readonly run: (task: Task) => Promise<Result>;
}

interface PoolOptions {
  /** The name in error messages. */
  readonly name: string;
  /** The extension of the thread's file: source or built, like the file that starts the pool. */
  readonly script: URL;
  /** Milliseconds after which a running thread is terminated and its task rejected. */
  readonly maxRunTime?: number;
}

/** The task ran longer than `maxRunTime`. */
export class TaskTimeoutError extends Error {}

export function createThreadPool<Task, Result>({ name, script, maxRunTime }: PoolOptions): ThreadPool<Task, Result> {
  const idle = new Set<Worker>();
  const running = new Map<Worker, PromiseWithResolvers<Result>>();

  const startThread = (): Worker => {
    const cache = getCompileCacheDir();
    const thread = new Worker(script, {
      // Options of this process that a thread does not accept.
      execArgv: [],
      // With the compile cache a thread starts faster and needs half the memory.
      env: cache === undefined ? process.env : { NODE_COMPILE_CACHE: cache, ...process.env },
    });
    const reject = (reason: unknown): void => {
      idle.delete(thread);
      running.get(thread)?.reject(reason);
      running.delete(thread);
    };
    thread.on('message', (result: Result) => {
      // An idle thread does not keep the process alive.
      thread.unref();
      idle.add(thread);
      running.get(thread)?.resolve(result);
      running.delete(thread);
    });
    thread.on('error', reject);
    thread.on('exit', () => reject(new Error(`A thread of the pool "${name}" has ended.`)));
    return thread;
  };

  return {
    async run(task) {
      const [thread = startThread()] = idle;
      idle.delete(thread);
      const result = Promise.withResolvers<Result>();
      running.set(thread, result);
      thread.ref();
      thread.postMessage(task);
      const stop = (): void => {
        result.reject(new TaskTimeoutError(`A task of the pool "${name}" ran for more than ${maxRunTime} ms.`));
        void thread.terminate();
      };
      const timer = maxRunTime === undefined ? undefined : setTimeout(stop, maxRunTime);
      try {
        return await result.promise;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Each competing thread gets three times the processor share of this one. */
const YIELDING = 5;
const LOWEST = 19;

/** For the script of a thread: lowers its priority below everything else in the process. */
export function lowerThreadPriority(): void {
  // On other systems than Linux the priority applies to the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(LOWEST, getPriority() + YIELDING));
  } catch {
    // A sandbox may forbid changing the priority; the thread works anyway.
  }
}
