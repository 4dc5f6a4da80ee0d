import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('counted() writes a number with its noun in the singular or plural', () => {
  expect([counted(1, 'product'), counted(0, 'product'), counted(999, 'product'), counted(1000, 'product')]).toEqual([
    '1 product',
    '0 products',
    '999 products',
    '1,000 products',
  ]);
  expect(counted(2, 'person', 'people')).toBe('2 people');
});
