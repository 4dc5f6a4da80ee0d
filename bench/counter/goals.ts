// The goals of npm run counter that do not depend on the speed of the machine.
import { counted } from '../../src/shared/counted.ts';

const MAX_KEYS = 12;

export interface Walk {
  /** The number of key presses per family, without the digits of weights; null if the families were served by touch. */
  readonly keysPerFamily: number | null;
  /** The number of page loads since the counter was opened. */
  readonly loads: number;
}

/** Returns a sentence for each goal that was missed. */
export function missedGoals({ keysPerFamily, loads }: Walk): string[] {
  const missed: string[] = [];
  if (keysPerFamily !== null && keysPerFamily > MAX_KEYS)
    missed.push(`${keysPerFamily.toFixed(1)} key presses per family; the goal is at most ${MAX_KEYS}`);
  if (loads > 0) missed.push(`${counted(loads, 'page load')} between families; the goal is 0`);
  return missed;
}
