import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, nearest } from '../../../test/data/exact.ts';
import { ENOUGH_WEIGHED, estimateError, meanWeight, proposedEstimate, weightSpread, type WeightSums } from './estimates.ts';
import { cents, MAX_CENTS } from '../money.ts';

const sumsOf = (weights: readonly number[]): WeightSums => ({
  weighed: weights.length,
  sum: add(weights.map(BigInt)),
  squares: add(weights.map((weight) => BigInt(weight) ** 2n)),
});
const product = { unit_price: cents(1500) };
const proposed = (weights: readonly number[]) => proposedEstimate(product, sumsOf(weights));

describe('the proposed estimate', () => {
  test.each([
    ['rounds 4.5 up', [4000, 5000, 4500, 4400, 4600], 5],
    ['rounds 4.4998 down', [4499, 4500, 4500, 4500, 4500], 4],
    ['keeps a whole mean', [3000, 3000, 3000, 3000, 3000], 3],
    ['is at least 1', [100, 100, 100, 100, 100], 1],
    ['needs five weights', [3000, 3000, 3000, 3000], null],
    ['needs a weight', [], null],
  ])('follows this rule: it %s (contract §13)', (_, weights, expected) => {
    expect(proposed(weights)).toBe(expected);
  });

  test('is the exact mean of random weights, rounded half up (contract §13)', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: ENOUGH_WEIGHED, maxLength: 40 }), (weights) => {
        const exact = nearest(add(weights.map(BigInt)), 1000n * BigInt(weights.length));
        expect(proposed(weights)).toBe(exact < 1n ? 1 : Number(exact));
        expect(meanWeight(sumsOf(weights))).toBe(Number(nearest(add(weights.map(BigInt)), BigInt(weights.length))));
      }),
    );
  });

  test("is null when it would raise the product's price above the largest amount (contract §4, §13)", () => {
    const weights = sumsOf([90_000_000, 90_000_000, 90_000_000, 90_000_000, 90_000_000]);
    expect(proposedEstimate({ unit_price: cents(11_111) }, weights)).toBe(90_000);
    expect(proposedEstimate({ unit_price: MAX_CENTS }, weights)).toBeNull();
  });
});

test('the spread of recorded weights is the standard deviation of the sample (contract §13)', () => {
  expect(weightSpread(sumsOf([2000, 4000, 4000, 4000, 5000, 5000, 7000, 9000]))).toBe(2138);
  expect(weightSpread(sumsOf([5000, 5000]))).toBe(0);
  expect([weightSpread(sumsOf([5000])), weightSpread(sumsOf([])), meanWeight(sumsOf([]))]).toEqual([null, null, null]);
});

test('the spread of weights does not change when every weight grows by the same amount (contract §13)', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9_999_999 }), { minLength: 2, maxLength: 30 }), fc.nat(90_000_000), (weights, more) => {
      expect(weightSpread(sumsOf(weights.map((weight) => weight + more)))).toBe(weightSpread(sumsOf(weights)));
    }),
  );
});

test.each([
  [5, 4000, 25],
  [4, 5000, -20],
  [5, 5000, 0],
  [5, null, null],
  [5, 0, null],
])('an estimate of %d for weights with a mean of %s thousandths is off by %s percent (contract §13)', (estimate, mean, error) => {
  expect(estimateError(estimate, mean)).toBe(error);
});
