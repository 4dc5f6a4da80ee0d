import { expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import type { CustomerReportRow, ReportRow } from '../reports/contract.ts';
import type { Product } from './contract.ts';
import { isRepriced, repricedBy } from './repriced-orders.tsx';

const brisket: Product = {
  id: 7,
  distributionId: 1,
  name: 'Brisket',
  description: null,
  unit_price: cents(1899),
  unit_qty: 5,
  price: cents(9495),
  uom: 'lb',
  unit_qty_is_estimate: true,
  max_order_qty: 4,
  product_group: 'Meat',
  product_code: 100,
  total_ordered: 5,
};
const person = { email: 'rivka@mail.test', firstName: null, lastName: null };
const line = (orderId: number, quantity: number, productName = 'Brisket'): ReportRow => ({
  ...person,
  orderId,
  quantity,
  productName,
  productCategory: 'Meat',
  productCode: 100,
});
const customer = (order_id: number, orderAmount: number, balance: number): CustomerReportRow => ({
  customer_id: order_id,
  email: 'rivka@mail.test',
  first_name: null,
  last_name: null,
  order_id,
  order_quantity_count: 1,
  expected_count: 0,
  actual_count: 0,
  has_all_actuals: true,
  orderAmount: cents(orderAmount),
  balance: cents(balance),
});
const customers = [customer(1, 5000, 5000), customer(2, 5000, 4000), customer(3, 5000, 0)];

test('counts the orders of a product, and those of them with payments', () => {
  const report = [line(1, 2), line(2, 3), line(3, 9, 'Shoulder')];
  expect(repricedBy([brisket], report, customers)).toEqual({ units: 5, orders: { all: 2, withPayments: 1 } });
});

test('an order of two products counts once', () => {
  const shoulder = { ...brisket, id: 8, name: 'Shoulder', total_ordered: 4 };
  const report = [line(3, 5), line(3, 4, 'Shoulder')];
  expect(repricedBy([brisket, shoulder], report, customers)).toEqual({ units: 9, orders: { all: 1, withPayments: 1 } });
});

test('names no orders when another product cannot be told from this one', () => {
  expect(repricedBy([brisket], [line(1, 5), line(2, 1)], customers)).toEqual({ units: 5, orders: null });
});

test.each([
  [{ unit_price: cents(1900) }, true],
  [{ unit_qty: 6 }, true],
  [{ unit_qty_is_estimate: false }, true],
  [{ name: 'Brisket, whole', max_order_qty: 0, product_group: null }, false],
])('%j re-prices orders: %s', (change, expected) => {
  expect(isRepriced(brisket, { ...brisket, ...change })).toBe(expected);
  expect(isRepriced({ ...brisket, total_ordered: 0 }, { ...brisket, ...change })).toBe(false);
});
