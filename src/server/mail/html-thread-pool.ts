// Starts the thread that sanitizes the HTML of mails. Sanitizing one mail may take a second, in which the event loop serves other requests.
import { extname } from 'node:path';
import type { CheckedHtml } from './html.ts';
import { createThreadPool, TaskTimeoutError } from '../thread-pool.ts';
import { busy, tooMany } from '../errors.ts';
import { createLimiter, type JobOptions } from '../queues/limiter.ts';
import { TOO_MANY_CHECKS } from '../../shared/texts.ts';
import { MINUTE } from '../../domain/durations.ts';

const pool = createThreadPool<string, CheckedHtml>({
  name: 'mail HTML',
  script: new URL(`html-thread${extname(import.meta.filename)}`, import.meta.url),
  maxRunTime: 10_000,
});

const RETRY_AFTER_SECONDS = 10;

const sanitizeQueue = createLimiter({
  concurrency: 1,
  // While several mails of one distributor wait, they use at most half of the time.
  concurrencyPerGroup: 1,
  pausesBetweenJobs: true,
  // The HTML of each mail in this queue has up to 200,000 characters, which occupy memory.
  maxQueued: 100,
  maxQueuedPerKey: 10,
  maxWait: MINUTE,
  refusal: () => tooMany(TOO_MANY_CHECKS, RETRY_AFTER_SECONDS),
  timeoutRefusal: () => busy(TOO_MANY_CHECKS),
});

async function check(html: string): Promise<CheckedHtml> {
  try {
    return await pool.run(html);
  } catch (error) {
    if (error instanceof TaskTimeoutError) return { problem: 'too complex' };
    throw error;
  }
}

/** Checks the HTML on a thread. `job` names the distributor in whose queue the HTML waits. */
export const checkMailHtmlOnThread = (html: string, job: JobOptions): Promise<CheckedHtml> => sanitizeQueue(() => check(html), job);
