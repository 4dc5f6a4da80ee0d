import { expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import { feeChangeText, namesText, repricedText, termsChangeText } from './texts.ts';

const BRISKET = { unit_price: cents(1699), unit_qty: 5, unit_qty_is_estimate: false };

test.each([
  [{ unit_price: cents(1799) }, 'Unit price $16.99 → $17.99'],
  [{ unit_qty: 6 }, 'Unit quantity 5 → 6'],
  [{ unit_qty_is_estimate: true }, 'Sold by the unit → by weight'],
  [
    { unit_price: cents(0), unit_qty: 1, unit_qty_is_estimate: true },
    'Unit price $16.99 → $0.00; unit quantity 5 → 1; sold by the unit → by weight',
  ],
])("termsChangeText describes the change of a product's price, unit quantity or estimate flag to %j as: %s", (change, text) => {
  expect(termsChangeText(BRISKET, { ...BRISKET, ...change })).toBe(text);
});

test('feeChangeText describes a fee as added, deleted or changed', () => {
  const [percent, flat] = [
    { name: 'Hall', sort_order: 0, type: 'percent', amount: 250 } as const,
    { name: 'Hall', sort_order: 0, type: 'flat', amount: 500 } as const,
  ];
  expect(feeChangeText(null, percent)).toBe('Fee added: 2.5%');
  expect(feeChangeText(flat, null)).toBe('Fee deleted: $5.00');
  expect(feeChangeText(flat, percent)).toBe('$5.00 → 2.5%');
});

test.each([
  [0, 0, 'No order is placed yet.'],
  [1, 0, 'This re-prices 1 order, not paid yet.'],
  [1, 1, 'This re-prices 1 order, with a payment.'],
  [37, 0, 'This re-prices 37 orders, none of them paid yet.'],
  [37, 1, 'This re-prices 37 orders, 1 of them with a payment.'],
  [1370, 1200, 'This re-prices 1,370 orders, 1,200 of them with payments.'],
])('repricedText describes %d orders, of which %d have payments, as: %s', (orders, paid, text) => {
  expect(repricedText({ orders: { count: orders }, paid: { count: paid } })).toBe(text);
});

test('namesText names the first customers (by e-mail address if the name is missing), and states how many more there are', () => {
  const customers = [
    { firstName: 'Rivka', lastName: 'Abramov', email: 'rivka@mail.test' },
    { firstName: null, lastName: null, email: 'dina@mail.test' },
  ];
  expect(namesText({ count: 2, customers })).toBe('Abramov, Rivka; dina@mail.test');
  expect(namesText({ count: 1202, customers })).toBe('Abramov, Rivka; dina@mail.test; and 1,200 more');
});
