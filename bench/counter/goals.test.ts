import { expect, test } from 'vitest';
import { missedGoals } from './goals.ts';

test.each([
  [{ keysPerFamily: 11, loads: 0 }, []],
  [{ keysPerFamily: 12, loads: 0 }, []],
  [{ keysPerFamily: null, loads: 0 }, []],
  [{ keysPerFamily: 12.1, loads: 0 }, ['12.1 key presses per family; the goal is at most 12']],
  [{ keysPerFamily: 11, loads: 1 }, ['1 page load between families; the goal is 0']],
  [{ keysPerFamily: null, loads: 2 }, ['2 page loads between families; the goal is 0']],
])('for the measured values %j, missedGoals returns the missed goals %j', (walk, missed) => {
  expect(missedGoals(walk)).toEqual(missed);
});
