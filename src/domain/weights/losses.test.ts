import { describe, expect, test } from 'vitest';
import { cents } from '../money.ts';
import { areSameLosses, lossesOf, lowersQuantity } from './losses.ts';

const priced = { unit_price: cents(1000), unit_qty: 2 };
const products = [
  { ...priced, id: 1, unit_qty_is_estimate: true },
  { ...priced, id: 2, unit_qty_is_estimate: false },
];
const actuals = [2.5, 1.5].map((actualQuantity, sortOrder) => ({ sortOrder, actualQuantity }));
const lines = [{ orderProductId: 7, productId: 1, quantity: 3, actuals }];
const weight = (sortOrder: number, actualQuantity: number) => ({ orderProductId: 7, sortOrder, actualQuantity });
const losses = (paid: number, ...quantities: [number, number][]) =>
  lossesOf({ lines, products, fees: [], paid: cents(paid) }, new Map(quantities));

describe('what an order of 3 units, of which 2 are weighed, loses (contract §6, §7)', () => {
  test.each([
    ['with 2 units: nothing', losses(4000, [1, 2]), [], 0],
    ['with 1 unit: the weight of the second one', losses(2500, [1, 1]), [weight(1, 1.5)], 0],
    ['with 1 unit, after the payment of 2', losses(4000, [1, 1]), [weight(1, 1.5)], 1500],
    ['without units: all weights and the whole payment', losses(4000), [weight(0, 2.5), weight(1, 1.5)], 4000],
    ['with 1 unit of another product instead', losses(4000, [2, 1]), [weight(0, 2.5), weight(1, 1.5)], 2000],
  ])('%s', (_, found, weights, refund) => expect(found).toEqual({ weights, refund }));

  test('does not contain the weight of a unit that the order did not have before', () => {
    const line = { orderProductId: 7, productId: 1, quantity: 1, actuals };
    expect(lossesOf({ lines: [line], products, fees: [], paid: cents(0) }, new Map())).toEqual({ weights: [weight(0, 2.5)], refund: 0 });
  });
});

test.each([
  [losses(4000, [1, 1]), true],
  [losses(4500, [1, 1]), false],
  [losses(4000, [1, 2]), false],
  [{ weights: [weight(1, 1.6)], refund: cents(1500) }, false],
  [{ weights: [weight(0, 1.5)], refund: cents(1500) }, false],
  [{ weights: [weight(1, 1.5), weight(2, 1)], refund: cents(1500) }, false],
])('the weight 1.5 of the second unit and a refund of $15.00 are the same losses as %j: %s', (other, isSame) => {
  expect(areSameLosses(losses(4000, [1, 1]), other)).toBe(isSame);
});

test('a quantity is lowered when a line has fewer units or is left out', () => {
  const lowers = (...quantities: [number, number][]) => lowersQuantity(lines, new Map(quantities));
  expect([lowers([1, 2]), lowers([2, 5]), lowers([1, 3]), lowers([1, 4], [2, 1])]).toEqual([true, true, false, false]);
});
