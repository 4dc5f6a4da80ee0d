// Projects when all orders will be done, using the pace of the last half hour (contract §14; the rule is our choice).

/** The amount of finished work in each period of ten minutes, oldest first. The last period is not over yet. */
export interface Throughput {
  readonly done: readonly number[];
  /** Minutes since the last period of `done` began. */
  readonly runningFor: number;
}

const STEP_MINUTES = 10;
/**
 * The pace is computed from the last three complete periods of ten minutes and the current one. Half an hour is long enough to average out
 * the break of one person, and short enough to react to changes.
 */
const STEPS_THAT_COUNT = 3;

/** Returns the minutes until the remaining work is done: 0 when nothing is left, null when nothing was done in the last half hour. */
export function minutesToFinish(left: number, { done, runningFor }: Throughput): number | null {
  if (left <= 0) return 0;
  const recent = done.slice(-STEPS_THAT_COUNT - 1);
  const finished = recent.reduce((sofar, count) => sofar + count, 0);
  // Periods before the first finished work do not count, because the work had not begun.
  const began = recent.findIndex((count) => count > 0);
  if (finished === 0 || began === -1) return null;
  const minutes = Math.max(1, (recent.length - 1 - began) * STEP_MINUTES + Math.min(STEP_MINUTES, Math.max(0, runningFor)));
  return Math.ceil((left * minutes) / finished);
}
