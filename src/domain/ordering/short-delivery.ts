// Divides the delivered units of a product among the orders when fewer units were delivered than ordered, and counts the orders that get less
// (contract §16).
import { nothingShort } from '../texts.ts';

export const SHARING_RULES = ['proportional', 'first'] as const;
export type SharingRule = (typeof SHARING_RULES)[number];

const total = (ordered: readonly number[]): number => ordered.reduce((sum, quantity) => sum + quantity, 0);

/** Returns the reason why nothing needs to be divided, or null when fewer units were delivered than ordered. */
export const sharingProblem = (ordered: readonly number[], units: number): string | null =>
  units < total(ordered) ? null : nothingShort(total(ordered));

/**
 * Divides `units` among the ordered quantities, which are sorted by the time of ordering. No share is above its quantity. The shares add up
 * to `units`, or to the sum of the quantities if that is less. The rule 'first' serves the lines one after the other. The rule
 * 'proportional' gives each line the same fraction, rounded down, and one more unit to the lines with the largest remainders until all
 * units are given. Of equal remainders, the earlier line gets the unit.
 */
export function sharesOf(ordered: readonly number[], units: number, rule: SharingRule): number[] {
  const sum = total(ordered);
  if (units >= sum) return [...ordered];
  if (rule === 'first') {
    let left = units;
    return ordered.map((quantity) => {
      const share = Math.min(quantity, left);
      left -= share;
      return share;
    });
  }
  // The computation uses BigInt, because the product of two quantities can exceed Number.MAX_SAFE_INTEGER.
  const [have, all] = [BigInt(units), BigInt(sum)];
  const shares = ordered.map((quantity) => Number((BigInt(quantity) * have) / all));
  const remainders = ordered.map((quantity, index) => ({ index, remainder: (BigInt(quantity) * have) % all }));
  const largest = remainders.toSorted((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of largest.slice(0, units - total(shares))) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

export interface SharedOrder {
  readonly ordered: number;
  readonly gets: number;
  readonly hasPayments: boolean;
  readonly isPickedUp: boolean;
  /** The index of the last unit with a recorded weight, starting with 0. Null if no unit has one. */
  readonly lastWeighed: number | null;
}

/** Counts the orders that get less than was ordered. `losingWeights` counts those that lose units with recorded weights. */
export function countLowered(orders: readonly SharedOrder[]) {
  const lowered = { orders: 0, paid: 0, weighed: 0, losingWeights: 0, pickedUp: 0 };
  for (const { ordered, gets, hasPayments, lastWeighed, isPickedUp } of orders) {
    if (gets >= ordered) continue;
    lowered.orders++;
    if (hasPayments) lowered.paid++;
    if (lastWeighed !== null) lowered.weighed++;
    if (lastWeighed !== null && lastWeighed >= gets) lowered.losingWeights++;
    if (isPickedUp) lowered.pickedUp++;
  }
  return lowered;
}
