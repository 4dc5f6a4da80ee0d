import { expect, test } from 'vitest';
import { minutesToFinish } from './projected-finish.ts';

test.each([
  // The three complete steps before the current one last 30 minutes. In them 60 units were done, which is 2 units per minute.
  [100, { done: [20, 20, 20, 0], runningFor: 0 }, 50],
  // The last step has lasted five minutes, so 70 units were done in 35 minutes.
  [100, { done: [20, 20, 20, 10], runningFor: 5 }, 50],
  // Work that was done more than half an hour ago does not count.
  [100, { done: [500, 500, 20, 20, 20, 0], runningFor: 0 }, 50],
  // The work began ten minutes ago, so 15 units were done in 10 minutes.
  [30, { done: [0, 0, 15, 0], runningFor: 0 }, 20],
  [30, { done: [15], runningFor: 5 }, 10],
  [30, { done: [15], runningFor: 0 }, 2],
  [1, { done: [0, 0, 0, 3], runningFor: 9 }, 3],
  [0, { done: [], runningFor: 0 }, 0],
  [-1, { done: [1], runningFor: 3 }, 0],
  [5, { done: [], runningFor: 0 }, null],
  [5, { done: [9, 0, 0, 0, 0], runningFor: 4 }, null],
])(
  'with %d units left and the units done per ten minutes as in %j, the estimated time to finish is %s minutes (contract §14)',
  (left, pace, minutes) => expect(minutesToFinish(left, pace)).toBe(minutes),
);
