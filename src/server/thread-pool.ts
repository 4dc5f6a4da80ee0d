// Runs tasks on worker threads, because these tasks would block the event loop of the main thread. Each concurrent task has its own thread.
// The pool starts a thread when no thread is idle.
import { getPriority, setPriority } from 'node:os';
import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';

export interface ThreadPool<Task, Result> {
  readonly run: (task: Task) => Promise<Result>;
}

interface PoolOptions {
  readonly name: string;
  /**
   * The URL of the script that each thread runs. Its file has the same extension as the file that creates the pool: `.ts` in the source,
   * `.js` in the build.
   */
  readonly script: URL;
  /** A task that runs for more than this many milliseconds is rejected, and its thread is terminated. */
  readonly maxRunTime?: number;
}

/** A task is rejected with this error if it runs for longer than `maxRunTime`. */
export class TaskTimeoutError extends Error {}

export function createThreadPool<Task, Result>({ name, script, maxRunTime }: PoolOptions): ThreadPool<Task, Result> {
  const idle = new Set<Worker>();
  const running = new Map<Worker, PromiseWithResolvers<Result>>();

  const startThread = (): Worker => {
    const cache = getCompileCacheDir();
    const thread = new Worker(script, {
      // The threads do not inherit the command line options of this process, because a thread does not accept all of them.
      execArgv: [],
      // The threads use the compile cache of this process. With it, a thread starts faster and needs half as much memory.
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

/**
 * The number by which the nice value of a thread is raised. A thread of normal priority then gets three times as much processor time as a
 * thread with the raised value.
 */
const YIELDING = 5;
const LOWEST = 19;

/** Lowers the priority of the calling thread below that of the other threads of the process. The script of a thread calls this function. */
export function lowerThreadPriority(): void {
  // On systems other than Linux, setPriority would change the priority of the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(LOWEST, getPriority() + YIELDING));
  } catch {
    // A sandbox may forbid changing the priority. The thread then works at normal priority.
  }
}
