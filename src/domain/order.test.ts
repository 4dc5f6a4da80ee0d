import { expect, test } from 'vitest';
import { cents } from './money.ts';
import { clampQuantity, hasAnything, itemCount, lineTotal, orderProblem, orderTotals, priceOf, quantitiesOf, subtotalOf } from './order.ts';

const wine = { id: 1, name: 'Wine', unit_price: cents(1999), unit_qty: 1, max_order_qty: 3 };
const brisket = { id: 2, name: 'Brisket', unit_price: cents(1500), unit_qty: 5, max_order_qty: 0 };
const matzah = { id: 3, name: 'Matzah', unit_price: cents(0), unit_qty: 1, max_order_qty: null };
const products = [wine, brisket, matzah];

test.each([
  ['3', 0, 3],
  ['3', 2, 2],
  [' 3 ', null, 3],
  ['2.9', 5, 2],
  ['-2', 5, 0],
  ['-0.5', 5, 0],
  ['', 5, 0],
  ['three', 5, 0],
  ['3abc', 5, 0],
  ['Infinity', 5, 0],
  [7, undefined, 7],
  [NaN, 5, 0],
  ['99999999999', 0, 1_000_000],
  [2_000_000, 3_000_000, 1_000_000],
])('the typed quantity %j with a maximum of %s is limited to %d (spec §3, §5)', (input, max, quantity) =>
  expect(Object.is(clampQuantity(input, max), quantity)).toBe(true),
);

test("a product's price is unit_price times unit_qty, and a line's total is the product's price times the ordered quantity (spec §3; contract §7)", () => {
  expect(priceOf(brisket)).toBe(7500);
  expect(lineTotal(brisket, 3)).toBe(22_500);
  expect(lineTotal(brisket, 0)).toBe(0);
});

test('the subtotal of an order counts only lines with a quantity above 0', () => {
  expect(
    subtotalOf(
      products,
      new Map([
        [1, 2],
        [2, 1],
        [99, 5],
      ]),
    ),
  ).toBe(11_498);
});

test('orderTotals adds the fees, and returns both the total of the order page and the printed total (spec §9; contract §7)', () => {
  const fees = [
    { id: 1, name: 'Handling', type: 'flat', sort_order: 1, amount: 500 },
    { id: 2, name: 'Service', type: 'percent', sort_order: 2, amount: 300 },
  ] as const;
  expect(orderTotals(products, new Map([[2, 2]]), fees)).toMatchObject({ subtotal: 15_000, total: 15_950, printedTotal: 15_965 });
  expect(orderTotals(products, new Map([[3, 1]]), fees)).toMatchObject({ subtotal: 0, total: 500, printedTotal: 515 });
  expect(orderTotals(products, new Map([[2, 0]]), fees)).toEqual({ subtotal: 0, charges: [], total: 0, printedTotal: 0 });
});

test('itemCount counts the units of all lines of an order', () => {
  const quantities = quantitiesOf([
    { productId: 1, quantity: 2 },
    { productId: 2, quantity: 3 },
  ]);
  expect(itemCount(quantities)).toBe(5);
  expect(hasAnything(quantities)).toBe(true);
  expect(hasAnything(new Map([[1, 0]]))).toBe(false);
});

test.each([
  ['within the maximum', [[1, 3]], null],
  ['without a maximum', [[2, 500]], null],
  [
    'an unknown product',
    [
      [1, 1],
      [17, 1],
    ],
    'Product 17 is not in this distribution.',
  ],
  [
    'the same product twice',
    [
      [1, 1],
      [1, 1],
    ],
    'Wine is in the order twice.',
  ],
  ['half a unit', [[1, 0.5]], 'The quantity of Wine must be a whole number, 0 or more.'],
  ['less than nothing', [[1, -1]], 'The quantity of Wine must be a whole number, 0 or more.'],
  ['no number', [[1, NaN]], 'The quantity of Wine must be a whole number, 0 or more.'],
  ['above the maximum', [[1, 4]], 'Wine: at most 3 can be ordered.'],
  ['beyond every maximum', [[3, 1_000_001]], 'Matzah: at most 1000000 can be ordered.'],
  ['nothing above 0', [[1, 0]], 'Order at least one product.'],
  ['no line', [], 'Order at least one product.'],
  ['too much money', [[2, 133_334]], 'An order cannot be above $10,000,000.00.'],
] as [string, [number, number][], string | null][])(
  'for an order of this kind: %s, with the [product, quantity] pairs %j, orderProblem returns %j, where null means accepted',
  (_, pairs, problem) => {
    const lines = pairs.map(([productId, quantity]) => ({ productId, quantity }));
    expect(orderProblem(products, lines)).toBe(problem);
  },
);

test('staff may set every quantity of an order to 0', () => {
  expect(orderProblem(products, [{ productId: 1, quantity: 0 }], { mayBeEmpty: true })).toBeNull();
});
