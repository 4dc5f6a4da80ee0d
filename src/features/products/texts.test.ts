import { expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import { repricedText, unitsText } from './texts.ts';

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
