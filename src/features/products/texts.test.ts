import { expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import { clearingText } from '../catalogue/texts.ts';
import { clearedText, termsText, unitsText } from './texts.ts';
import { freeText, soldOtherwiseText } from './import/texts.ts';

const sold = { unit_price: cents(1699), unit_qty: 5, uom: 'lb', unit_qty_is_estimate: true };

test.each([
  [sold, 'about 5 lb × $16.99'],
  [{ ...sold, unit_qty_is_estimate: false }, '5 lb × $16.99'],
  [{ ...sold, unit_qty: 1 }, 'about 1 lb × $16.99'],
  [{ ...sold, unit_qty: 1, unit_qty_is_estimate: false }, 'per lb'],
  [{ ...sold, unit_qty: 1, uom: 'each', unit_qty_is_estimate: false }, 'each'],
  [{ ...sold, unit_qty: 12, uom: null, unit_qty_is_estimate: false }, '12 × $16.99'],
  [{ ...sold, unit_qty: 1, uom: null, unit_qty_is_estimate: false }, ''],
])('unitsText explains how the price of the product %j is computed', (product, text) => {
  expect(unitsText(product)).toBe(text);
});

test('the texts about clearing a product state the numbers of units and orders, before the clearing and after it', () => {
  expect(clearingText('Brisket', { units: 59, orders: { count: 37 }, paid: { count: 0 } })).toBe(
    'Every ordered quantity of Brisket becomes 0: 59 units in 37 orders, none of them paid yet. Recorded weights of them are dropped. This cannot be undone.',
  );
  expect(clearingText('Brisket', { units: 1, orders: { count: 1 }, paid: { count: 1 } })).toContain(
    'becomes 0: 1 unit in 1 order, with a payment. Recorded',
  );
  expect(clearedText('Brisket', { units: 59, orders: 37 })).toBe('Cleared 59 units of Brisket from 37 orders.');
});

test('freeText names the lines of the first five products without a price when a file has such products', () => {
  expect(freeText([7])).toBe('1 new product without a unit price will cost $0.00 (line 7).');
  expect(freeText([2, 3, 4, 5, 6, 9])).toBe('6 new products without a unit price will cost $0.00 (lines 2, 3, 4, 5, 6, …).');
});

test.each([
  [{ ...sold, unit_qty: 3, product_code: 1001, max_order_qty: 4 }, 'code 1001 · about 3 lb × $16.99 = $50.97 · max 4'],
  [{ ...sold, unit_qty: 12, unit_qty_is_estimate: false, product_code: null, max_order_qty: 0 }, '12 lb × $16.99 = $203.88'],
  [{ ...sold, unit_qty: 1, unit_qty_is_estimate: false, product_code: 0, max_order_qty: 0 }, 'code 0 · $16.99 per lb'],
  [{ ...sold, unit_qty: 1, uom: null, unit_qty_is_estimate: false, product_code: null, max_order_qty: 1 }, '$16.99 · max 1'],
])("termsText describes a product's code, price and maximum quantity in one line: case %#", (product, text) => {
  expect(termsText(product)).toBe(text);
});

test('soldOtherwiseText counts the products that would change between a fixed price and a price by weight, and names the first five lines with these products', () => {
  expect(soldOtherwiseText({ fixed: [3], byWeight: [] })).toBe('1 product sold by weight will have a fixed price (line 3).');
  expect(soldOtherwiseText({ fixed: [2, 3, 5, 6, 8, 9], byWeight: [4] })).toBe(
    '6 products sold by weight will have a fixed price (lines 2, 3, 5, 6, 8, …). 1 product with a fixed price will be sold by weight (line 4).',
  );
});
