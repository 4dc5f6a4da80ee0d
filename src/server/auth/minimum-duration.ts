import { setTimeout as pause } from 'node:timers/promises';

const MINIMUM_MS = 100;

/** Takes at least STEADY milliseconds, which the work usually stays below: the time reveals nobody's account (reliability R29). */
export async function withMinimumDuration<Result>(work: Promise<Result>): Promise<Result> {
  const [result] = await Promise.all([work, pause(MINIMUM_MS)]);
  return result;
}
