// The threads that hash passwords: as many as are asked at once, started when they are first needed.
import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';

export interface Hashing {
  readonly password: string;
  /** To be compared with; without it a new hash is made. */
  readonly stored?: string;
  readonly cost?: Options;
}

const idle = new Set<Worker>();
const waiting = new Map<Worker, PromiseWithResolvers<unknown>>();

/** As source or as built, like this file. */
const SCRIPT = new URL(`password-thread${extname(import.meta.filename)}`, import.meta.url);

function startThread(): Worker {
  const cache = getCompileCacheDir();
  const thread = new Worker(SCRIPT, {
    // A thread refuses some of the options that this process may have.
    execArgv: [],
    // A thread that need not compile itself starts sooner, and has half the size.
    env: cache === undefined ? process.env : { NODE_COMPILE_CACHE: cache, ...process.env },
  });
  const giveUp = (reason: unknown): void => {
    idle.delete(thread);
    waiting.get(thread)?.reject(reason);
    waiting.delete(thread);
  };
  thread.on('message', (answer) => {
    // An idle one keeps no process from its end.
    thread.unref();
    idle.add(thread);
    waiting.get(thread)?.resolve(answer);
    waiting.delete(thread);
  });
  thread.on('error', giveUp);
  thread.on('exit', () => giveUp(new Error('A thread that hashes passwords has ended.')));
  return thread;
}

async function answerOf(hashing: Hashing): Promise<unknown> {
  const [thread = startThread()] = idle;
  idle.delete(thread);
  const answer = Promise.withResolvers<unknown>();
  waiting.set(thread, answer);
  thread.ref();
  thread.postMessage(hashing);
  return await answer.promise;
}

export const hashOnThread = async (password: string, cost: Options): Promise<string> => String(await answerOf({ password, cost }));

/** Rejects where `stored` is no hash. */
export const verifyOnThread = async (stored: string, password: string): Promise<boolean> => (await answerOf({ password, stored })) === true;
