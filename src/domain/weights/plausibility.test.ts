import { describe, expect, test } from 'vitest';
import { thousandths, weightOf } from './weight.ts';
import { isFarOff, isImplausible, isUnusual, usualByProduct, usualWeights } from './plausibility.ts';

const recorded = (weights: readonly number[]) => weights.map((weight) => thousandths(weightOf(weight)));
const usual = (weights: readonly number[]) => usualWeights(recorded(weights));
const same = (weight: number, count = 8) => Array.from({ length: count }, () => weight);

describe('the usual weights of a product (contract §14)', () => {
  test('are known once 8 weights are recorded; units that were not delivered do not count (contract §14)', () => {
    expect(usual(same(4, 7))).toBeNull();
    expect(usual([...same(4, 7), 0, 0, 0])).toBeNull();
    expect(usual([...same(4, 8), 0])).not.toBeNull();
  });

  test.each([
    // The median deviation is 0, so the limits are 15 % below and above the median: 3.4 and 4.6.
    [same(4), { from: 3.401, to: 4.599 }],
    // The median is 4.5 and the median deviation is 0.5.
    [[3, 4, 4, 4, 5, 5, 6, 9], { from: 2.5, to: 6.5 }],
    // The median is 10.5. The deviations are 0.5, 1.5, 2.5 and 3.5, each twice: their median is 2, and four times 2 is more than 15%.
    [[7, 8, 9, 10, 11, 12, 13, 14], { from: 2.5, to: 18.5 }],
    // The lower limit is never below 0, however much the weights differ.
    [[1, 1, 1, 5, 5, 9, 9, 9], { from: 0.001, to: 21 }],
    // With an odd number of weights, the median is the middle one.
    [[4, 4, 4, 4, 5, 6, 6, 6, 6], { from: 1, to: 9 }],
    [same(99_999.999), { from: 85_000, to: 99_999.999 }],
    [same(0.001), { from: 0.001, to: 0.001 }],
  ])('are computed from the recorded weights %j', (weights, range) => expect(usual(weights)).toEqual(range));

  test('exclude exactly the weights that a direct calculation finds more than 4 median deviations and at least 15% from the median (contract §14)', () => {
    let state = 7;
    const random = (most: number) => (state = (state * 48_271) % 2_147_483_647) % most;
    const middle = (values: readonly number[]) => {
      const sorted = values.toSorted((a, b) => a - b);
      const half = sorted.length / 2;
      return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
    };
    for (let round = 0; round < 300; round++) {
      const weights = Array.from({ length: 8 + random(6) }, () => 1 + random(round % 2 === 0 ? 40 : 9000));
      const median = middle(weights);
      const deviation = middle(weights.map((weight) => Math.abs(weight - median)));
      const range = usualWeights(weights.map(thousandths));
      for (const weight of [...weights, ...Array.from({ length: 30 }, () => 1 + random(20_000))]) {
        const far = Math.abs(weight - median);
        const isAsked = far > 4 * deviation && far * 100 >= 15 * median;
        expect(isImplausible(weight / 1000, { unit_qty: 1, usual: range }), `${weight} of ${weights.join()}`).toBe(isAsked);
      }
    }
  });
});

test.each([
  [2.4, null, true],
  [2.5, null, false],
  [10, null, false],
  [10.001, null, true],
  [2.5, { from: 4, to: 6 }, true],
  [4, { from: 4, to: 6 }, false],
  [6, { from: 4, to: 6 }, false],
  [6.001, { from: 4, to: 6 }, true],
  // The limits come from the recorded weights instead of the estimate of 5.
  [12, { from: 11, to: 13 }, false],
  [0, { from: 0.001, to: 13 }, true],
])('for the weight %j, the estimate 5 and the usual weights %j, isImplausible returns %s (contract §6, §14)', (weight, range, isAsked) => {
  expect(isImplausible(weight, { unit_qty: 5, usual: range })).toBe(isAsked);
});

test('a range of usual weights is returned for a product with enough recorded weights, and none for other products (contract §14)', () => {
  const weights = [...same(4).map((actualQuantity) => ({ productId: 1, actualQuantity })), { productId: 2, actualQuantity: 9 }];
  expect([...usualByProduct(weights)]).toEqual([[1, { from: 3.401, to: 4.599 }]]);
});

test.each([
  [2.5, 5, false],
  [2.499, 5, true],
  [10, 5, false],
  [10.001, 5, true],
  [0, 1, true],
])('for a weight of %d and an estimate of %d, isUnusual returns %s (contract §6)', (actual, estimate, unusual) =>
  expect(isUnusual(actual, estimate)).toBe(unusual),
);

test.each([
  [49.999, 5, false],
  [50, 5, true],
  [0.5, 5, true],
  [0.501, 5, false],
  [0, 5, false],
])('for a weight of %d and an estimate of %d, isFarOff, which detects a misplaced decimal point, returns %s', (actual, estimate, farOff) =>
  expect(isFarOff(actual, estimate)).toBe(farOff),
);
