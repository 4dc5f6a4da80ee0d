import { expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import { clearedText, clearingText, freeText, repricedText, unitsText } from './texts.ts';

const sold = { unit_price: cents(1699), unit_qty: 5, uom: 'lb', unit_qty_is_estimate: true };

test.each([
  [sold, 'about 5 lb × $16.99'],
  [{ ...sold, unit_qty_is_estimate: false }, '5 lb × $16.99'],
  [{ ...sold, unit_qty: 1 }, 'about 1 lb × $16.99'],
  [{ ...sold, unit_qty: 1, unit_qty_is_estimate: false }, 'per lb'],
  [{ ...sold, unit_qty: 12, uom: null, unit_qty_is_estimate: false }, '12 × $16.99'],
  [{ ...sold, unit_qty: 1, uom: null, unit_qty_is_estimate: false }, ''],
])('what a price is made of: %j', (product, text) => {
  expect(unitsText(product)).toBe(text);
});

test('a new price names the units, the orders and those with payments', () => {
  expect(repricedText('Brisket', { units: 59, orders: { all: 37, withPayments: 12 } })).toBe(
    '59 units of Brisket are ordered, in 37 orders, 12 of them with payments. The amounts and balances of those orders change too.',
  );
  expect(repricedText('Brisket', { units: 1, orders: { all: 1, withPayments: 0 } })).toBe(
    '1 unit of Brisket is ordered, in 1 order, none of them with payments. The amounts and balances of those orders change too.',
  );
  expect(repricedText('2 products', { units: 9, orders: null })).toBe(
    '9 units of 2 products are ordered. The amounts and balances of those orders change too, also where payments were made.',
  );
});

test('clearing names the units and the orders, before and after', () => {
  expect(clearingText('Brisket', { units: 59, orders: { all: 37, withPayments: 0 } })).toBe(
    'Every ordered quantity of Brisket becomes 0: 59 units in 37 orders, none of them with payments. Recorded weights of them are dropped. This cannot be undone.',
  );
  expect(clearingText('Brisket', { units: 1, orders: null })).toContain('becomes 0: 1 unit. Recorded');
  expect(clearedText('Brisket', { units: 59, orders: 37 })).toBe('Cleared 59 units of Brisket from 37 orders.');
  expect(clearedText('Brisket', { units: 0, orders: 0 })).toBe('This product has no ordered units.');
});

test('products without a price are named by their lines, the first five', () => {
  expect(freeText([7])).toBe('1 new product without a unit price will cost $0.00 (line 7).');
  expect(freeText([2, 3, 4, 5, 6, 9])).toBe('6 new products without a unit price will cost $0.00 (lines 2, 3, 4, 5, 6, …).');
});
