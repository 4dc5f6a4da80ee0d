import { expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import { countText, givenBackText } from './texts.ts';

const rows = (payments: number, reversals: number) =>
  Array.from({ length: payments + reversals }, (_, n) => ({ payments: { reversesId: n < payments ? null : n } }));

test.each([
  [rows(74, 2), rows(74, 2), '74 payments, 2 reversals'],
  [rows(1200, 0), rows(1200, 0), '1,200 payments'],
  [rows(1, 0), rows(1, 0), '1 payment'],
  [rows(1, 0), rows(2, 1), '1 of 2 payments, 0 of 1 reversal'],
  [rows(0, 1), rows(2, 1), '0 of 2 payments, 1 of 1 reversal'],
  [rows(1, 0), rows(2, 0), '1 of 2 payments'],
])('the text above the list counts payments and reversals separately; case %#', (shown, all, text) =>
  expect(countText(shown, all)).toBe(text),
);

test('the amount that a reversal returns to the payer includes the card fee', () => {
  expect(givenBackText(cents(50_000), cents(1250))).toBe('$512.50 is given back: $500.00 and its card fee of $12.50.');
  expect(givenBackText(cents(2000), cents(0))).toBe('$20.00 is given back.');
});
