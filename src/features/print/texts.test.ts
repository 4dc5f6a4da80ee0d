import { expect, test } from 'vitest';
import { cents } from '../../domain/money.ts';
import { foldedText, unweighedText } from './texts.ts';

test('a text below the totals states how many units are not weighed, and how the balance counts these units (contract §7)', () => {
  const estimated = { amount: cents(4120), hasFees: false };
  expect(unweighedText(3, null)).toBe('3 units are not weighed yet and not in the total.');
  expect(unweighedText(3, estimated)).toBe(
    '3 units are not weighed yet and not in the total. The balance counts them at their estimate, $41.20.',
  );
  expect(unweighedText(1, { ...estimated, hasFees: true })).toBe(
    '1 unit is not weighed yet and not in the total. The balance counts it at its estimate, $41.20 with fees.',
  );
  expect(foldedText('Brisket', 999_998)).toBe('Brisket: 999,998 units not weighed');
});
