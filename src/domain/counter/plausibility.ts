// Which weights are plausible for a product, from the weights that this distribution has recorded of it (contract §14); before there are
// enough of them, from the estimate (contract §6). Whole numbers only, so that server, counter and weighing page agree.
import { isUnusual } from '../actuals.ts';
import { MAX_WEIGHT, thousandths, weightNumber, weightOf, type Thousandths } from '../weight.ts';

const ENOUGH_WEIGHTS = 8;
const MOST_DEVIATIONS = 4;
const LEAST_PERCENT = 15;

/** The lightest and the heaviest weight that are not asked about, as actual quantities. */
export interface UsualWeights {
  readonly from: number;
  readonly to: number;
}

/** Twice the median, so that it is whole for an even count. */
function doubledMedian(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0);
}

const ascending = (a: number, b: number): number => a - b;

/** Null where too few are recorded. A weight of 0 says that the unit was not delivered, and does not count. */
export function usualWeights(recorded: readonly Thousandths[]): UsualWeights | null {
  const weights = recorded.filter((weight) => weight > 0).toSorted(ascending);
  if (weights.length < ENOUGH_WEIGHTS) return null;
  // In quarters of a thousandth, because the median of deviations from a median may need them.
  const median = 2 * doubledMedian(weights);
  const deviation = doubledMedian(weights.map((weight) => Math.abs(4 * weight - median)).toSorted(ascending)) / 2;
  const most = Math.max(MOST_DEVIATIONS * deviation, Math.ceil((LEAST_PERCENT * median) / 100) - 1);
  const from = Math.max(1, Math.ceil((median - most) / 4));
  const to = Math.min(Math.floor((median + most) / 4), thousandths(weightOf(MAX_WEIGHT)));
  return { from: weightNumber(thousandths(from)), to: weightNumber(thousandths(to)) };
}

interface Weighed {
  readonly unit_qty: number;
  readonly usual?: UsualWeights | null | undefined;
}

/** Whether the screen asks about the weight once. 0, not delivered, is always asked about. */
export const isImplausible = (actualQuantity: number, { unit_qty, usual }: Weighed): boolean =>
  usual ? actualQuantity < usual.from || actualQuantity > usual.to : isUnusual(actualQuantity, unit_qty);

/** The usual weights of each product. */
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
