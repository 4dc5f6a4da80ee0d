import { expect, test } from 'vitest';
import {
  basisPoints,
  cents,
  dollars,
  MAX_CENTS,
  minus,
  parseDollars,
  parsePercent,
  parseSigned,
  parseWhole,
  percentOf,
  percentText,
  plainDollars,
  plainPercent,
  sum,
  times,
} from './money.ts';

test.each([0.1, NaN, Infinity, 2 ** 53])(
  'the number %d is refused as an amount in cents and as a rate in basis points (spec §9; contract §2)',
  (n) => {
    expect(() => cents(n)).toThrow('not whole cents');
    expect(() => basisPoints(n)).toThrow('not whole basis points');
  },
);

test('an amount of money is never negative zero', () => {
  expect(Object.is(cents(-0), 0)).toBe(true);
  expect(dollars(times(cents(-5), 0))).toBe('$0.00');
});

test.each([
  [0, '$0.00', '0.00'],
  [5, '$0.05', '0.05'],
  [29, '$0.29', '0.29'],
  [99_999, '$999.99', '999.99'],
  [123_450, '$1,234.50', '1234.50'],
  [-310, '-$3.10', '-3.10'],
  [-100_000, '-$1,000.00', '-1000.00'],
  [1_000_000_000, '$10,000,000.00', '10000000.00'],
  [9_007_199_254_740_991, '$90,071,992,547,409.91', '90071992547409.91'],
])('%d cents are formatted as %s on screens and as %s in files (spec §9)', (amount, shown, plain) => {
  expect(dollars(cents(amount))).toBe(shown);
  expect(plainDollars(cents(amount))).toBe(plain);
});

test.each([
  ['0.29', 29],
  ['.29', 29],
  ['12', 1200],
  ['12.5', 1250],
  ['12.50', 1250],
  ['12.5000', 1250],
  ['0.500', 50],
  ['1234.500', 123_450],
  ['007', 700],
  [' 1234.50 ', 123_450],
  ['$1,234.50', 123_450],
  ['$ 12', 1200],
  ['1,234', 123_400],
  ['1,234,567.8', 123_456_780],
  ['12,50', 1250],
  ['12,5', 1250],
  ['1.234,56', 123_456],
  ['1.234.567', 123_456_700],
  ['1 234.50', 123_450],
  ['1\u00a0234,50', 123_450],
  ['10,000,000.00', 1_000_000_000],
])('parseDollars reads the text %j as %d cents', (text, amount) => expect(parseDollars(text)).toBe(amount));

test.each([
  '',
  ' ',
  '$',
  '.',
  ',',
  '12.',
  '-1',
  '+1',
  '($3)',
  '1e3',
  '0x10',
  'NaN',
  'twelve',
  '12.345',
  '12.001',
  '1.234',
  '12.000',
  '1,23,4',
  '1234,567',
  '0,234',
  '0,500',
  '1,234,56',
  '1.234.56',
  '12,345.678',
  '1.234,567',
  '1.2.3',
  '1 23',
  '12 34',
  '1 234,567',
  '$$1',
  '1$',
  '10000000.01',
  '99999999999999999999',
  '١٢',
])('parseDollars refuses the text %j as an amount of money', (text) => expect(parseDollars(text)).toBeNull());

test.each([
  [150, 100, 2],
  [149, 100, 1],
  [50, 100, 1],
  [49, 100, 0],
  [-50, 100, 0],
  [-51, 100, -1],
  [-150, 100, -1],
  [0, 300, 0],
  [12_345, 0, 0],
  [1_000_000_000, 10_000, 1_000_000_000],
  [9_007_199_254_740_991, 9_999, 9_006_298_534_815_517],
  [9_007_199_254_740_991, 10_000, 9_007_199_254_740_991],
])('of %d cents, a share of %d basis points is %d cents (spec §9)', (amount, rate, part) =>
  expect(percentOf(cents(amount), basisPoints(rate))).toBe(part),
);

test('a sum of money above the largest integer that JavaScript can represent exactly becomes that integer', () => {
  expect(times(MAX_CENTS, 1_000_000_000)).toBe(9_007_199_254_740_991);
  expect(sum([times(MAX_CENTS, 1_000_000_000), MAX_CENTS])).toBe(9_007_199_254_740_991);
  expect(minus(cents(-9_007_199_254_740_991), MAX_CENTS)).toBe(-9_007_199_254_740_991);
  expect(percentOf(cents(9_007_199_254_740_991), basisPoints(20_000))).toBe(9_007_199_254_740_991);
});

test.each([
  ['3%', 300, '3%', '3'],
  ['2.5%', 250, '2.5%', '2.5'],
  ['2,25 %', 225, '2.25%', '2.25'],
  [' 10 ', 1000, '10%', '10'],
  ['0', 0, '0%', '0'],
  ['.05', 5, '0.05%', '0.05'],
])('parsePercent reads the text %j as %d basis points (spec §9)', (text, rate, shown, plain) => {
  expect(parsePercent(text)).toBe(rate);
  expect(percentText(basisPoints(rate))).toBe(shown);
  expect(plainPercent(basisPoints(rate))).toBe(plain);
});

test.each(['', '%', '-3%', '2.555%', '3%%', '10000.01'])('parsePercent refuses the text %j as a percentage', (text) =>
  expect(parsePercent(text)).toBeNull(),
);

test.each([
  ['5', 500],
  ['-5', -500],
  [' \u22125.50 ', -550],
  ['- $5', -500],
  ['$-5', -500],
  ['-0', 0],
  ['+5', null],
  ['--5', null],
  ['5-', null],
  ['-', null],
])('parseSigned reads the text %j as %s cents, which may be negative', (text, expected) =>
  expect(parseSigned(text, parseDollars)).toBe(expected),
);

test.each([
  ['-3%', -300],
  ['$3%', null],
])('parseSigned reads the text %j as %s basis points, which may be negative', (text, expected) =>
  expect(parseSigned(text, parsePercent)).toBe(expected),
);

test.each([
  ['5', 5],
  ['5.0', 5],
  ['5,00', 5],
  ['1,000', 1000],
  ['12,345,678', 12_345_678],
  ['1.000', null],
  ['2.5', null],
  ['-3', null],
  ['1,00,0', null],
  ['', null],
  ['9'.repeat(30), Number.MAX_SAFE_INTEGER],
])('parseWhole reads the text %j as the whole number %s', (text, expected) => {
  expect(parseWhole(text)).toBe(expected);
});
