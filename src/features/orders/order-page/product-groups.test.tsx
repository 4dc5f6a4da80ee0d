import { expect, test } from 'vitest';
import { cents } from '../../../domain/money.ts';
import type { Product } from '../../products/contract.ts';
import { orderedGroups, searchProducts, groupsOf, ofCategory, unitsIn, type ProductGroup } from './product-groups.ts';

const product = (id: number, name: string, product_group: string | null, product_code: number | null): Product => ({
  id,
  distributionId: 9,
  name,
  description: null,
  unit_price: cents(100),
  unit_qty: 1,
  price: cents(100),
  uom: null,
  unit_qty_is_estimate: false,
  max_order_qty: 0,
  total_limit: null,
  left: null,
  product_group,
  product_code,
});

const PRODUCTS = [
  product(1, 'Candles', null, null),
  product(2, 'Brisket, first cut', 'Beef', 1001),
  product(3, 'Brisket, second cut', 'Beef', 1002),
  product(4, 'Merlot', 'Wine', 1801),
];
const GROUPS = groupsOf(PRODUCTS);
const namesIn = (groups: readonly ProductGroup[]): string[] => groups.flatMap(({ products }) => products.map(({ name }) => name));

test('the product groups keep the sequence of the given products, and products without a group are in the group "Other" (spec §2)', () => {
  expect(GROUPS.map(({ name }) => name)).toEqual(['Other', 'Beef', 'Wine']);
  expect(namesIn(ofCategory(GROUPS, 'Other'))).toEqual(['Candles']);
});

test.each([
  ['BRIS', ['Brisket, first cut', 'Brisket, second cut']],
  ['cut  second', ['Brisket, second cut']],
  ['100', ['Brisket, first cut', 'Brisket, second cut']],
  ['1801', ['Merlot']],
  ['brisket 1002', ['Brisket, second cut']],
  ['801', []],
  ['lamb', []],
])('a search for "%s" matches names and codes of all categories', (search, names) => {
  expect(namesIn(searchProducts(GROUPS, search))).toEqual(names);
});

test('the list of ordered products keeps them in their groups, and counts the units of each group', () => {
  const quantities = new Map([
    [3, 2],
    [4, 5],
  ]);
  const groups = orderedGroups(GROUPS, new Set([3, 4]));
  expect(groups.map(({ name }) => name)).toEqual(['Beef', 'Wine']);
  expect(groups.map(({ products }) => unitsIn(products, quantities))).toEqual([2, 5]);
});
