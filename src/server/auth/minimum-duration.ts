import { setTimeout as pause } from 'node:timers/promises';

const MINIMUM_MS = 100;

/**
 * Delays the result of `work` until at least MINIMUM_MS milliseconds have passed. The work usually takes less, so the response time does not
 * reveal whether an account exists (reliability R29).
 */
export async function withMinimumDuration<Result>(work: Promise<Result>): Promise<Result> {
  const [result] = await Promise.all([work, pause(MINIMUM_MS)]);
  return result;
}
