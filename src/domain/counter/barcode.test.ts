import { expect, test } from 'vitest';
import { codeAtEnd, isWeightBarcode, orderCode, parseOrderCode, parseWeightBarcode } from './barcode.ts';

test.each([
  ['2012345004870', 12_345, 4870],
  ['2900101001501', 101, 1500],
  ['2000000000008', 0, 0],
  ['2199999999995', 99_999, 999_990],
  [' 2012345004870\n', 12_345, 4870],
])(
  'parseWeightBarcode reads the barcode %j as the product code %d with a weight of %d thousandths (contract §14)',
  (text, productCode, weight) => {
    expect(parseWeightBarcode(text)).toEqual({ productCode, weight });
  },
);

test.each([
  '2012345004873',
  '2012345004827',
  '4006381333931',
  // The check digits of these two codes are right, but their prefixes are not 20 to 29.
  '3012345004879',
  '1912345004874',
  '201234500487',
  '20123450048720',
  '2012345,04872',
  '20a2345004872',
  '4.87',
  '',
])('parseWeightBarcode does not read the text %j as a weight barcode (contract §14)', (text) =>
  expect(parseWeightBarcode(text)).toBeNull(),
);

test('parseWeightBarcode accepts a barcode only if its last digit is the correct check digit (contract §14)', () => {
  const accepted = Array.from({ length: 10 }, (_, digit) => `201234500487${digit}`).filter((code) => parseWeightBarcode(code) !== null);
  expect(accepted).toEqual(['2012345004870']);
});

test('isWeightBarcode recognizes that a barcode with a wrong check digit is meant to be a weight barcode', () => {
  expect(['2012345004873', '2012345004870', '4.87', '4006381333931'].map(isWeightBarcode)).toEqual([true, true, false, false]);
});

test.each([
  ['FD1:12', 12],
  ['fd1:2147483647', 2_147_483_647],
  [' FD1:7\r', 7],
])('parseOrderCode reads the scanned text %j as the order %d (contract §14)', (text, orderId) =>
  expect(parseOrderCode(text)).toBe(orderId),
);

test.each(['FD1:', 'FD1:0', 'FD1:-1', 'FD1:1.5', 'FD2:12', '12', 'FD1:12 FD1:13', 'FD1:12345678901'])(
  'parseOrderCode does not read the scanned text %j as an order (contract §14)',
  (text) => expect(parseOrderCode(text)).toBeNull(),
);

test.each([
  ['50FD1:57', 'FD1:57'],
  ['502012345004870', '2012345004870'],
  ['fd1:7', 'fd1:7'],
  ['50', ''],
  ['FD1:57 ', ''],
  ['4006381333931', ''],
])('in the characters %j, which arrive in one burst, codeAtEnd finds the scanned code %j (contract §14)', (keys, code) =>
  expect(codeAtEnd(keys)).toBe(code),
);

test("parseOrderCode reads the code that is printed on an order's sheet as the order's number (contract §14)", () =>
  expect(parseOrderCode(orderCode(40_123))).toBe(40_123));
