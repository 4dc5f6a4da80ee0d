// When the day's work will be done, projected from its recent pace (contract §14, our choice of the rule).

/** Steps of ten minutes, oldest first, the last one still running. */
export interface Pace {
  readonly done: readonly number[];
  /** Minutes of the running step that have passed. */
  readonly runningFor: number;
}

export const STEP_MINUTES = 10;
/** The pace counts over the last half hour: long enough for a break of one helper, short enough to follow the crowd. */
const STEPS_THAT_COUNT = 3;

/** Minutes until the rest is done; 0 when nothing is left, null while nothing was done lately. */
export function minutesToFinish(left: number, { done, runningFor }: Pace): number | null {
  if (left <= 0) return 0;
  const recent = done.slice(-STEPS_THAT_COUNT - 1);
  const finished = recent.reduce((sofar, count) => sofar + count, 0);
  // Leading steps without work do not slow the pace: the day began in between.
  const began = recent.findIndex((count) => count > 0);
  if (finished === 0 || began === -1) return null;
  const minutes = Math.max(1, (recent.length - 1 - began) * STEP_MINUTES + Math.min(STEP_MINUTES, Math.max(0, runningFor)));
  return Math.ceil((left * minutes) / finished);
}
