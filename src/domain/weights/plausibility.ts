// Decides which weights are plausible for a product. A weight is compared with the weights recorded for the product in this distribution
// (contract §14) or, while too few are recorded, with the estimate (contract §6). All computations use whole numbers, so that the server,
// the counter and the weighing page get the same result.
import { MAX_WEIGHT, thousandths, weightNumber, weightOf, type Thousandths } from './weight.ts';

/** If fewer weights of a product are recorded, a new weight is compared with the estimate instead. */
export const ENOUGH_WEIGHTS = 8;
const MAX_DEVIATIONS = 4;
const LEAST_PERCENT = 15;

/** The smallest and the largest weight that the user need not confirm. */
export interface UsualWeights {
  readonly from: number;
  readonly to: number;
}

/** Returns twice the median. The median itself may be halfway between two whole numbers. */
function doubledMedian(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0);
}

const ascending = (a: number, b: number): number => a - b;

/**
 * Returns the usual weights of a product, or null when too few weights are recorded. A weight of 0 means that the unit was not delivered,
 * so the weight is ignored.
 */
export function usualWeights(recorded: readonly Thousandths[]): UsualWeights | null {
  const weights = recorded.filter((weight) => weight > 0).toSorted(ascending);
  if (weights.length < ENOUGH_WEIGHTS) return null;
  // `median` and `deviation` are in quarters of a thousandth, so that both are whole numbers: each can be halfway between two values.
  const median = 2 * doubledMedian(weights);
  const deviation = doubledMedian(weights.map((weight) => Math.abs(4 * weight - median)).toSorted(ascending)) / 2;
  const most = Math.max(MAX_DEVIATIONS * deviation, Math.ceil((LEAST_PERCENT * median) / 100) - 1);
  const from = Math.max(1, Math.ceil((median - most) / 4));
  const to = Math.min(Math.floor((median + most) / 4), thousandths(weightOf(MAX_WEIGHT)));
  return { from: weightNumber(thousandths(from)), to: weightNumber(thousandths(to)) };
}

/**
 * Whether a weight is below half or above double the estimate. The screen then asks the user once, and marks the weight for staff. The
 * server never refuses a weight for this reason (contract §6).
 */
export const isUnusual = (actualQuantity: number, unit_qty: number): boolean =>
  actualQuantity * 2 < unit_qty || actualQuantity > unit_qty * 2;

/**
 * Whether a weight is at least ten times or at most a tenth of the estimate, as after typing the decimal point at the wrong place. A weight
 * of 0 is not far off; it means that the unit was not delivered.
 */
export const isFarOff = (actualQuantity: number, unit_qty: number): boolean =>
  actualQuantity > 0 && (actualQuantity * 10 <= unit_qty || actualQuantity >= unit_qty * 10);

interface Weighed {
  readonly unit_qty: number;
  readonly usual?: UsualWeights | null | undefined;
}

/** Whether the user has to confirm the weight. A weight of 0 (not delivered) must always be confirmed. */
export const isImplausible = (actualQuantity: number, { unit_qty, usual }: Weighed): boolean =>
  usual ? actualQuantity < usual.from || actualQuantity > usual.to : isUnusual(actualQuantity, unit_qty);

export function usualByProduct(
  recorded: readonly { readonly productId: number; readonly actualQuantity: number }[],
): ReadonlyMap<number, UsualWeights> {
  const byProduct = Map.groupBy(recorded, (weight) => weight.productId);
  return new Map(
    [...byProduct].flatMap(([productId, weights]) => {
      const usual = usualWeights(weights.map(({ actualQuantity }) => thousandths(weightOf(actualQuantity))));
      return usual ? [[productId, usual]] : [];
    }),
  );
}
