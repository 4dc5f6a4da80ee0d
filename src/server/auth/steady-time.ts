import { setTimeout as pause } from 'node:timers/promises';

const STEADY = 100;

/** Takes at least STEADY milliseconds, which the work usually stays below: the time reveals nobody's account (reliability R29). */
export async function inSteadyTime<Result>(work: Promise<Result>): Promise<Result> {
  const [result] = await Promise.all([work, pause(STEADY)]);
  return result;
}
