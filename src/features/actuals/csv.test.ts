import { expect, test } from 'vitest';
import { writeCsv } from '../../shared/csv/write-csv.ts';
import { ACTUALS_CSV, stateOf, unitLines, placeText } from './csv.ts';

const line = {
  orderId: 7,
  orderProductId: 11,
  productId: 1,
  quantity: 3,
  productCode: 1001,
  productName: 'Brisket',
  unit_qty: 5,
  uom: 'lb',
  email: 'rivka@test.example',
  firstName: 'Rivka',
  lastName: null,
};
const updatedAt = new Date(2027, 3, 1, 12).toISOString();
const byAgent = { by: 'scale@test.example', byRole: 'agent' as const };
const report = {
  reportData: [line, { ...line, orderProductId: 12, productCode: null, quantity: 1, uom: null, unit_qty: 1 }],
  actualsData: [
    { orderProductId: 12, sortOrder: 0, actualQuantity: 0, updatedAt, ...byAgent },
    { orderProductId: 11, sortOrder: 2, actualQuantity: 4.87, updatedAt, ...byAgent },
  ],
};

test('the actuals file has one line per ordered unit, with the weight of the unit at that position (spec §3)', () => {
  const rows = unitLines(report);
  expect(rows.map((row) => [`${row.index}/${row.quantity}`, row.recorded?.actualQuantity, stateOf(row)])).toEqual([
    ['1/3', undefined, 'notWeighed'],
    ['2/3', undefined, 'notWeighed'],
    ['3/3', 4.87, 'weighed'],
    ['1/1', 0, 'notDelivered'],
  ]);
});

test('the actuals file sorts orders by customer, and keeps the sequence of the lines within an order', () => {
  const abel = { ...line, orderId: 8, lastName: 'Abel', quantity: 1 };
  const reportData = [...report.reportData, { ...abel, orderProductId: 22 }, { ...abel, orderProductId: 21 }];
  expect(unitLines({ reportData, actualsData: [] }).map((row) => row.orderProductId)).toEqual([22, 21, 11, 11, 11, 12]);
});

test('the actuals file lists the weighed units of a very long order line one by one, and combines the unweighed ones into one row', () => {
  const rows = unitLines({ ...report, reportData: [{ ...line, quantity: 1_000_000 }] });
  expect(rows.map((row) => [placeText(row), row.recorded?.actualQuantity, row.unweighed])).toEqual([
    ['3/1000000', 4.87, 0],
    ['999,999 units', undefined, 999_999],
  ]);
  expect(writeCsv(ACTUALS_CSV, rows)).toContain('1001,Brisket,,1000000,5,,lb,"999,999 units not weighed",,');
});

test('the actuals file contains weights as plain numbers, and an empty cell where no weight is recorded', () => {
  const [header, ...rows] = writeCsv(ACTUALS_CSV, unitLines(report)).slice(1).trim().split('\r\n');
  expect(header).toBe(
    'Email,First name,Last name,Order,Code,Product,Unit,Units,Estimate,Weight,Unit of measure,State,Recorded,Recorded by',
  );
  expect(rows).toEqual([
    'rivka@test.example,Rivka,,7,1001,Brisket,1,3,5,,lb,Not weighed,,',
    'rivka@test.example,Rivka,,7,1001,Brisket,2,3,5,,lb,Not weighed,,',
    `rivka@test.example,Rivka,,7,1001,Brisket,3,3,5,4.87,lb,Weighed,2027-04-01 12:00,scale@test.example (agent)`,
    `rivka@test.example,Rivka,,7,,Brisket,1,1,1,0,,Unusual: not delivered,2027-04-01 12:00,scale@test.example (agent)`,
  ]);
});
