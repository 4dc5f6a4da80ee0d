import { expect, test } from 'vitest';
import { median, percentile, short } from './figures.ts';

test('the median is the middle value or, for an even number of values, the mean of the two middle ones', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 2, 9])).toBe(3);
});

test('a percentile is one of the measured values (nearest-rank method)', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile([7], 0.95)).toBe(7);
});

test('a figure is rounded to three significant digits, and a missing figure is shown as "-"', () => {
  expect([0.123456, 12.345, 1234.5, null].map(short)).toEqual(['0.123', '12.3', '1235', '-']);
});
