import { expect, test } from 'vitest';
import { roughWeightText, purchaseItems, purchaseGroups, weightSumNumber, weightSumText, type ListedProduct } from './purchase-list.ts';

const brisket = {
  id: 1,
  product_group: 'Beef',
  unit_qty: 5,
  uom: 'lb',
  unit_qty_is_estimate: true,
  total_ordered: 3,
} satisfies ListedProduct;
const ribs = { id: 2, product_group: 'Beef', unit_qty: 3, uom: 'lb', unit_qty_is_estimate: true, total_ordered: 2 } satisfies ListedProduct;
const salami = {
  id: 3,
  product_group: 'Beef',
  unit_qty: 2,
  uom: 'kg',
  unit_qty_is_estimate: true,
  total_ordered: 1,
} satisfies ListedProduct;
const matzah = {
  id: 4,
  product_group: null,
  unit_qty: 12,
  uom: 'each',
  unit_qty_is_estimate: false,
  total_ordered: 40,
} satisfies ListedProduct;
const wine = {
  id: 5,
  product_group: 'Wine',
  unit_qty: 1,
  uom: null,
  unit_qty_is_estimate: false,
  total_ordered: 0,
} satisfies ListedProduct;
const all = [brisket, ribs, salami, matzah, wine];

test('the purchase list omits products that nobody ordered, and shows no weight for products that are not sold by weight', () => {
  const rows = purchaseItems(all, []);
  expect(rows.map((row) => row.product.id)).toEqual([1, 2, 3, 4]);
  expect(rows.at(-1)).toEqual({ product: matzah, units: 40, weighedUnits: 0, weight: null });
});

test('the purchase list counts a weighed unit at its weight and other units at their estimate', () => {
  const lines = [
    { productId: 1, quantity: 2, actuals: [{ sortOrder: 0, actualQuantity: 4.87 }] },
    // The first weight counts as 0. The second weight does not count, because its unit is no longer ordered.
    {
      productId: 1,
      quantity: 1,
      actuals: [
        { sortOrder: 0, actualQuantity: 0 },
        { sortOrder: 1, actualQuantity: 9 },
      ],
    },
  ];
  expect(purchaseItems([brisket], lines)).toEqual([
    { product: brisket, units: 3, weighedUnits: 2, weight: { uom: 'lb', estimated: 15_000, weighed: 4870, unweighed: 5000 } },
  ]);
});

test('the purchase list adds up the units of a product group, and the weights of the group per unit of measure (contract §9)', () => {
  expect(purchaseGroups(purchaseItems(all, []))).toEqual([
    {
      group: 'Beef',
      products: 3,
      units: 6,
      weights: [
        { uom: 'lb', estimated: 21_000, weighed: 0, unweighed: 21_000 },
        { uom: 'kg', estimated: 2000, weighed: 0, unweighed: 2000 },
      ],
    },
    { group: null, products: 1, units: 40, weights: [] },
  ]);
});

test('a sum of weights above the largest integer that JavaScript can represent exactly becomes that integer', () => {
  const [row] = purchaseItems([{ ...brisket, unit_qty: 1_000_000, total_ordered: 1_000_000_000 }], []);
  expect(row?.weight?.estimated).toBe(Number.MAX_SAFE_INTEGER);
});

test.each([
  [0, '0', '0'],
  [870, '0.87', '0.87'],
  [1_234_567, '1,234.567', '1234.567'],
  [12_000_000, '12,000', '12000'],
  [1_234_567_500, '1,234,567.5', '1234567.5'],
])('a sum of weights of %i thousandths is formatted as %s on screens and as %s in files', (thousandths, text, number) => {
  expect(weightSumText(thousandths)).toBe(text);
  expect(weightSumNumber(thousandths)).toBe(number);
});

test.each([
  [947_653, '947.65'],
  [947_655, '947.66'],
  [1_999_995, '2,000'],
  [4, '0'],
  [Number.MAX_SAFE_INTEGER, '9,007,199,254,740.99'],
])('a sum of weights of %i thousandths is formatted as %s in a chart', (thousandths, text) => {
  expect(roughWeightText(thousandths)).toBe(text);
});
