// Who gets how many units where less of a product came than was ordered (contract §16).
import { nothingShort } from '../texts.ts';

export const SHARING_RULES = ['proportional', 'first'] as const;
export type SharingRule = (typeof SHARING_RULES)[number];

const total = (ordered: readonly number[]): number => ordered.reduce((sum, quantity) => sum + quantity, 0);

/** The reason why nothing is to be shared out, or null. */
export const sharingProblem = (ordered: readonly number[], units: number): string | null =>
  units < total(ordered) ? null : nothingShort(total(ordered));

/**
 * Shares `units` out to the ordered quantities, which are in the order of their first placing. The shares add up to `units`, or to what
 * is ordered where that is less, and none is above its quantity. 'first' serves one after the other. 'proportional' gives each the same
 * part, rounded down, and what is left to the largest remainders; of equal ones the first comes first.
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
  // Products of two quantities may be beyond the exact integers.
  const [have, all] = [BigInt(units), BigInt(sum)];
  const shares = ordered.map((quantity) => Number((BigInt(quantity) * have) / all));
  const remainders = ordered.map((quantity, place) => ({ place, remainder: (BigInt(quantity) * have) % all }));
  const largest = remainders.toSorted((a, b) => (a.remainder === b.remainder ? a.place - b.place : a.remainder > b.remainder ? -1 : 1));
  for (const { place } of largest.slice(0, units - total(shares))) shares[place] = (shares[place] ?? 0) + 1;
  return shares;
}
