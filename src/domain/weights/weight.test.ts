import { expect, test } from 'vitest';
import { cents } from '../money.ts';
import { parseWeight, thousandths, weighedPrice, weightNumber, weightOf, unreadableWeightReason, weightText } from './weight.ts';

test.each([
  ['4.87', 4870, '4.87', 4.87],
  ['4,87', 4870, '4.87', 4.87],
  ['1.001', 1001, '1.001', 1.001],
  ['12', 12_000, '12', 12],
  ['100', 100_000, '100', 100],
  [' .5 ', 500, '0.5', 0.5],
  ['0', 0, '0', 0],
  ['1,234', 1234, '1.234', 1.234],
  ['99999.999', 99_999_999, '99999.999', 99_999.999],
])('parseWeight reads the text %j as a weight of %d thousandths', (text, count, shown, wire) => {
  expect(parseWeight(text)).toBe(count);
  expect(weightText(thousandths(count))).toBe(shown);
  expect(weightNumber(thousandths(count))).toBe(wire);
  expect(weightOf(wire)).toBe(count);
});

test.each([
  ['4.', 4000],
  ['4,', 4000],
  ['0.', 0],
])('parseWeight reads the text %j, which ends with a decimal point, as a weight of %d thousandths', (text, count) =>
  expect(parseWeight(text)).toBe(count),
);

test.each([
  ['5lb', 'not a number'],
  ['-5', 'negative'],
  [' - 5 ', 'negative'],
  ['-.5', 'negative'],
  ['-4,87654', 'negative'],
  ['\u22124.87', 'negative'],
  ['-100000', 'negative'],
  ['-', 'not a number'],
  ['-.', 'not a number'],
  ['-5lb', 'not a number'],
  ['5-2', 'not a number'],
  ['1,234.5', 'not a number'],
  ['.', 'not a number'],
  ['4.8765', 'decimals'],
  ['.00001', 'decimals'],
  ['100000', 'size'],
  ['100000,5', 'size'],
])('parseWeight refuses the text %j as a weight; the problem is: %s', (text, problem) => {
  expect(parseWeight(text)).toBeNull();
  expect(unreadableWeightReason(text)).toBe(problem);
});

test.each(['', '.', ',', '1.2345', '1.0000', '-1', '+1', '1e2', '1,234.5', '100000', 'two'])(
  'parseWeight refuses the text %j as a weight',
  (text) => expect(parseWeight(text)).toBeNull(),
);

test.each([1.0001, 0.1 + 0.2, -1, -0.001, 100_000, 1e306, NaN, Infinity, -Infinity, 5e-324])(
  'weightOf refuses the number %d as a weight',
  (n) => expect(weightOf(n)).toBeNull(),
);

test('a weight is unchanged after it was written as JSON and read again (contract §6)', () => {
  const lost = Array.from({ length: 100_000 }, (_, i) => (i * 1_000_003) % 100_000_000).filter((count) => weightOf(count / 1000) !== count);
  expect(lost).toEqual([]);
});

test.each([1.5, -1, 100_000_000, null, NaN])('thousandths() refuses the value %s as a weight', (n) =>
  expect(() => thousandths(n)).toThrow('not a weight'),
);

test.each([
  [1500, 1001, 1502],
  [1500, 4870, 7305],
  [999, 1500, 1499],
  [1, 499, 0],
  [1, 500, 1],
  [1500, 0, 0],
  [1_000_000_000, 99_999_999, 99_999_999_000_000],
])('at a price of %d cents per pound, a weight of %d thousandths of a pound costs %d cents (contract §7)', (unitPrice, weight, price) =>
  expect(weighedPrice(cents(unitPrice), thousandths(weight))).toBe(price),
);
