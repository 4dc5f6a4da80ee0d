import { expect, test } from 'vitest';
import { orderedAmount } from './weights/actuals.ts';
import { cents } from './money.ts';
import { statementOf } from './order-statement.ts';

const wine = {
  orderProductId: 1,
  name: 'Wine',
  product_code: 10,
  quantity: 2,
  originalQuantity: 2,
  unit_price: cents(500),
  unit_qty: 6,
  unit_qty_is_estimate: false,
  actuals: [],
};
const brisket = {
  ...wine,
  orderProductId: 2,
  name: 'Brisket',
  product_code: 30,
  quantity: 3,
  unit_price: cents(1500),
  unit_qty: 5,
  unit_qty_is_estimate: true,
  actuals: [
    { sortOrder: 2, actualQuantity: 4.87 },
    { sortOrder: 0, actualQuantity: 1.001 },
  ],
};
const lamb = { ...brisket, orderProductId: 3, name: 'Lamb', quantity: 0, originalQuantity: 1 };
const fees = [
  { id: 1, name: 'Handling', type: 'flat', sort_order: 1, amount: 500 },
  { id: 2, name: 'Service', type: 'percent', sort_order: 2, amount: 300 },
] as const;

test("the order statement lists the weights of each line, counts unweighed units at their estimate, and ends with the order's amount and balance (contract §7)", () => {
  const lines = [wine, lamb, brisket];
  const statement = statementOf(lines, fees, [{ amount: cents(1000) }]);
  expect(
    statement.lines.map(({ line, recorded, unweighed, amount }) => [
      line.name,
      recorded.map((unit) => unit.actualQuantity),
      unweighed,
      amount,
    ]),
  ).toEqual([
    // 1.001 lb cost 15.02, 4.87 lb cost 73.05, and the third unit costs 75.00 at its estimate.
    ['Brisket', [1.001, 4.87], 1, 16_307],
    ['Lamb', [], 0, 0],
    ['Wine', [], 0, 6000],
  ]);
  // The subtotal of 223.07 plus the first fee of 5.00 is 228.07. The second fee of 3% on this sum is 6.84.
  expect(statement).toMatchObject({ subtotal: 22_307, total: 23_491, balance: 22_491 });
  expect(statement.charges.map((charge) => charge.amount)).toEqual([500, 684]);
  expect(statement.total).toBe(orderedAmount(lines, fees));
});

test('the order statement charges no fees when all quantities of an order are 0 (contract §5)', () => {
  expect(statementOf([lamb], fees, [])).toMatchObject({ subtotal: 0, charges: [], total: 0, balance: 0 });
});
