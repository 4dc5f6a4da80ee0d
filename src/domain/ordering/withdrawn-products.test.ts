import { expect, test } from 'vitest';
import { offerProblem, shownProducts } from './withdrawn-products.ts';

const brisket = { id: 1, name: 'Brisket', max_order_qty: 0, notOffered: true };
const wine = { id: 2, name: 'Wine', max_order_qty: 6 };
const candles = { id: 3, name: 'Candles', max_order_qty: 0, notOffered: false };
const products = [brisket, wine, candles];
const order = (...quantities: [productId: number, quantity: number][]) => new Map(quantities);

test.each([
  [[{ productId: 1, quantity: 1 }], order(), 'Brisket is not offered any more.'],
  [[{ productId: 1, quantity: 3 }], order([1, 2]), 'Brisket is not offered any more.'],
  [[{ productId: 1, quantity: 2 }], order([1, 2]), null],
  [[{ productId: 1, quantity: 1 }], order([1, 2]), null],
  [[{ productId: 1, quantity: 0 }], order(), null],
  [
    [
      { productId: 2, quantity: 5 },
      { productId: 3, quantity: 1 },
    ],
    order(),
    null,
  ],
  [[{ productId: 9, quantity: 1 }], order(), null],
])('the order lines %j are refused only when they contain more of a withdrawn product than before', (lines, before, problem) => {
  expect(offerProblem(products, lines, before)).toBe(problem);
});

test('the order page shows the offered products, and each withdrawn product of the order with the ordered quantity as its maximum', () => {
  expect(shownProducts(products, order()).map(({ id }) => id)).toEqual([2, 3]);
  expect(shownProducts(products, order([1, 2], [2, 3]))).toEqual([{ ...brisket, max_order_qty: 2 }, wine, candles]);
  expect(shownProducts(products, order([1, 0])).map(({ id }) => id)).toEqual([2, 3]);
});
