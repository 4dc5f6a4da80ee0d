import { expect, test } from 'vitest';
import { cents } from './money.ts';
import { printRows, printTotals } from './print.ts';

const fixed = (orderProductId: number, product_code: number | null, name: string, quantity = 1) => ({
  orderProductId,
  product_code,
  name,
  quantity,
  originalQuantity: quantity,
  unit_price: cents(500),
  unit_qty: 6,
  unit_qty_is_estimate: false,
  uom: 'box',
  actuals: [],
});
const brisket = {
  ...fixed(4, 30, 'Brisket', 3),
  unit_price: cents(1500),
  unit_qty: 5,
  unit_qty_is_estimate: true,
  uom: 'lb',
  actuals: [
    { sortOrder: 2, actualQuantity: 4.87 },
    { sortOrder: 0, actualQuantity: 1.001 },
  ],
};
const turkey = { ...brisket, orderProductId: 5, product_code: 20, name: 'Turkey', quantity: 1, actuals: [] };
const lines = [fixed(1, null, 'Candles'), fixed(2, 10, 'Wine', 2), fixed(3, 5, 'Matzah', 0), brisket, turkey];
const fees = [
  { id: 1, name: 'Handling', type: 'flat', sort_order: 1, amount: 500 },
  { id: 2, name: 'Service', type: 'percent', sort_order: 2, amount: 300 },
] as const;

test('the printed order lists first the products with estimated quantities, one row per unit, then the other products by product code (spec §2, §9)', () => {
  expect(printRows(lines)).toEqual([
    { product_code: 20, uom: 'lb', name: 'Turkey', quantity: 0, price: 1500, extPrice: 0 },
    { product_code: 30, uom: 'lb', name: 'Brisket', quantity: 1.001, price: 1500, extPrice: 1502 },
    { product_code: 30, uom: 'lb', name: 'Brisket', quantity: 0, price: 1500, extPrice: 0 },
    { product_code: 30, uom: 'lb', name: 'Brisket', quantity: 4.87, price: 1500, extPrice: 7305 },
    { product_code: 10, name: 'Wine', quantity: 2, price: 3000, extPrice: 6000 },
    { product_code: null, name: 'Candles', quantity: 1, price: 3000, extPrice: 3000 },
  ]);
});

test('the printed order has a row "not available" for a line that staff lowered to 0, and no row for a line that the customer lowered to 0 (spec §2)', () => {
  const lowered = [
    { ...fixed(1, 10, 'Wine', 0), originalQuantity: 2 },
    { ...brisket, quantity: 0, originalQuantity: 3 },
    fixed(3, 5, 'Matzah', 0),
  ];
  expect(printRows(lowered)).toEqual([
    { product_code: 30, name: 'Brisket', quantity: 0, state: 'unavailable', price: 1500, extPrice: 0 },
    { product_code: 10, name: 'Wine', quantity: 0, state: 'unavailable', price: 3000, extPrice: 0 },
  ]);
  expect(printTotals(lowered, fees, [])).toMatchObject({ subtotal: 0, charges: [], total: 0, unweighed: 0 });
});

test('the printed order marks a unit with the weight 0 as not delivered, but not a unit that is not weighed (spec §2)', () => {
  const rows = printRows([{ ...turkey, quantity: 2, actuals: [{ sortOrder: 1, actualQuantity: 0 }] }]);
  expect(rows.map(({ quantity, state, extPrice }) => [quantity, state, extPrice])).toEqual([
    [0, undefined, 0],
    [0, 'undelivered', 0],
  ]);
});

test("the printed order lists products with the same code in the sequence of the order's lines", () => {
  expect(printRows([fixed(8, 10, 'Red'), fixed(7, 10, 'White')]).map((row) => row.name)).toEqual(['White', 'Red']);
});

test('the printed total includes only weighed units, and no balance is printed before the first payment (contract §7)', () => {
  const totals = printTotals(lines, fees, []);
  expect(totals).toMatchObject({ subtotal: 17_807, total: 18_856, payments: [], balanceDue: null, unweighed: 2 });
  expect(totals.charges.map((charge) => charge.amount)).toEqual([500, 549]);
});

test('the printed order states the balance after a payment; unweighed units count at their estimate (spec §2)', () => {
  const payments = [
    { paymentMethod: 'Cash', amount: cents(1000), feeAmount: cents(0) },
    { paymentMethod: 'Credit Card', amount: cents(2000), feeAmount: cents(40) },
  ] as const;
  expect(printTotals(lines, fees, payments)).toMatchObject({
    payments: [
      { paymentMethod: 'Cash', amount: 1000, feeAmount: 0 },
      { paymentMethod: 'Credit Card', amount: 2000, feeAmount: 40 },
    ],
    balanceDue: 31_306,
    unweighed: 2,
    // The two unweighed units cost 75.00 each at their estimate. With the fee of 3%, they raise the total from 18,856 to 34,306 cents.
    estimated: { amount: 15_450, hasFees: true },
  });
  expect(printTotals(lines, [], payments).estimated).toEqual({ amount: 15_000, hasFees: false });
});

test('the printed order has one row for all unweighed units of a very long line, so that the page does not freeze', () => {
  const row = { product_code: 30, uom: 'lb', name: 'Brisket', price: 1500 };
  expect(printRows([{ ...brisket, quantity: 1_000_000 }])).toEqual([
    { ...row, quantity: 1.001, extPrice: 1502 },
    { ...row, quantity: 4.87, extPrice: 7305 },
    { ...row, quantity: 0, extPrice: 0, unweighed: 999_998 },
  ]);
  expect(printRows([{ ...brisket, quantity: 1000 }])).toHaveLength(1000);
  const all = Array.from({ length: 1001 }, (_, sortOrder) => ({ sortOrder, actualQuantity: 1 }));
  expect(printRows([{ ...brisket, quantity: 1001, actuals: all }]).every((one) => one.unweighed === undefined && one.quantity === 1)).toBe(
    true,
  );
});

test('the printed order has no row and no fee when all quantities of the order are 0', () => {
  const nothing = [fixed(1, 1, 'Wine', 0)];
  expect(printRows(nothing)).toEqual([]);
  expect(printTotals(nothing, fees, [])).toEqual({
    subtotal: 0,
    charges: [],
    total: 0,
    payments: [],
    balanceDue: null,
    unweighed: 0,
    estimated: { amount: 0, hasFees: false },
  });
});

test('the printed order adds to each row the part of the description that distinguishes products of the same name (spec §2)', () => {
  const named = [{ ...fixed(1, 1, 'Wine', 2), nameDetail: 'Kedem' }, { ...brisket, nameDetail: 'Alle' }, fixed(2, 2, 'Honey')];
  expect(printRows(named).map((row) => row.nameDetail)).toEqual(['Alle', 'Alle', 'Alle', 'Kedem', undefined]);
});
