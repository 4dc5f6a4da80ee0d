import { setTimeout as pause } from 'node:timers/promises';

const MINIMUM_MS = 100;

/**
 * Takes at least STEADY milliseconds, longer than the work usually needs, so that the time does not reveal whether an account exists
 * (reliability R29).
 */
export async function withMinimumDuration<Result>(work: Promise<Result>): Promise<Result> {
  const [result] = await Promise.all([work, pause(MINIMUM_MS)]);
  return result;
}
