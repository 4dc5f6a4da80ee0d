import { expect, test } from 'vitest';
import type { ReportRow } from '../contract.ts';
import { listsByCustomer, listsByProduct } from './packing-lists.ts';

const line = (productName: string, productCategory: string | null, productCode: number): ReportRow => ({
  email: 'rivka@mail.test',
  firstName: 'Rivka',
  lastName: 'Abramov',
  orderId: 5,
  productName,
  productCategory,
  productCode,
  quantity: 1,
});
const ROWS = [
  line('Candles', null, 1),
  line('Apples', 'Fruit', 2),
  line('Syrah', 'Wine', 4),
  line('Merlot', 'Wine', 3),
  line('Brisket', 'Beef', 5),
  line('Cheddar', 'Cheese', 6),
];

test.each([
  [
    ['Wine', 'Cheese'],
    ['Merlot', 'Syrah', 'Cheddar', 'Brisket', 'Apples', 'Candles'],
  ],
  [null, ['Candles', 'Apples', 'Merlot', 'Syrah', 'Brisket', 'Cheddar']],
])('the report page sorts packing lists by the group order, or by product code when no order is set (contract §4)', (order, names) => {
  expect(listsByCustomer(ROWS, order)[0]?.lines.map((row) => row.productName)).toEqual(names);
  expect(listsByProduct(ROWS, order).map(({ head }) => head.productName)).toEqual(names);
});
