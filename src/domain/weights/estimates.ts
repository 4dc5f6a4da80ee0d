// Compares the estimates of a distribution with the recorded weights, so that a copy of the distribution can have better estimates
// (contract §13). Weights are whole thousandths of the unit of measure. A unit recorded as 0 was not delivered, so it says nothing about
// the estimate (our choice, docs/decisions/019-last-year-again.md).
import { MAX_CENTS } from '../money.ts';
import { priceOf, type Priced } from '../order.ts';

/** When at least this many units of a product are weighed, their mean weight is proposed as the new estimate. */
export const ENOUGH_WEIGHED = 5;

export interface WeightSums {
  readonly weighed: number;
  /** The sum of the weights, in thousandths. */
  readonly sum: bigint;
  /** The sum of the squared weights, in millionths. */
  readonly squares: bigint;
}

/** Divides non-negative integers and rounds half up. */
const rounded = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);

/** Returns the mean weight in thousandths, rounded half up; null while nothing is weighed. */
export const meanWeight = ({ weighed, sum }: WeightSums): number | null => (weighed === 0 ? null : Number(rounded(sum, BigInt(weighed))));

/** Returns the standard deviation of the weights in thousandths, rounded; null when fewer than two units are weighed. */
export function weightSpread({ weighed, sum, squares }: WeightSums): number | null {
  if (weighed < 2) return null;
  const count = BigInt(weighed);
  return Math.round(Math.sqrt(Number(count * squares - sum * sum) / (weighed * (weighed - 1))));
}

/**
 * Returns the mean rounded half up to a whole estimate of at least 1. Returns null if too few units are weighed, or if the price at that
 * estimate would be too large.
 */
export function proposedEstimate(product: Pick<Priced, 'unit_price'>, { weighed, sum }: WeightSums): number | null {
  if (weighed < ENOUGH_WEIGHED) return null;
  const whole = Number(rounded(sum, 1000n * BigInt(weighed)));
  const unit_qty = Math.max(whole, 1);
  return priceOf({ unit_price: product.unit_price, unit_qty }) > MAX_CENTS ? null : unit_qty;
}

/** Returns how far the estimate is from the mean, in percent of the mean, rounded half away from 0; null while nothing is weighed. */
export function estimateError(estimate: number, mean: number | null): number | null {
  if (mean === null || mean === 0) return null;
  const percent = ((estimate * 1000 - mean) * 100) / mean;
  return Math.sign(percent) * Math.round(Math.abs(percent)) || 0;
}
