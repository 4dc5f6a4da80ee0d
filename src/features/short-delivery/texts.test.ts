import { expect, test } from 'vitest';
import { lostText, lowersText } from './texts.ts';

const NONE = { paid: 0, weighed: 0, pickedUp: 0 };

test.each([
  [{ orders: 2, ...NONE }, 'This lowers 2 orders.'],
  [
    { orders: 33, paid: 10, weighed: 12, pickedUp: 1 },
    'This lowers 33 orders, 10 of them with payments, 12 of them with recorded weights of this product, 1 of them picked up.',
  ],
  [{ orders: 1200, ...NONE, paid: 1 }, 'This lowers 1,200 orders, 1 of them with a payment.'],
  [
    { orders: 1, paid: 1, weighed: 1, pickedUp: 1 },
    'This lowers 1 order, with a payment, with recorded weights of this product, picked up.',
  ],
])('the preview of a short delivery that lowers %j says so, and nothing about what does not occur', (lowered, text) => {
  expect(lowersText(lowered)).toBe(text);
});

test('the preview of a short delivery says that weights are dropped only if some are', () => {
  expect(lostText({ losingWeights: 0 })).toBe('This cannot be undone.');
  expect(lostText({ losingWeights: 1 })).toBe('Recorded weights of units that fall away are dropped. This cannot be undone.');
});
