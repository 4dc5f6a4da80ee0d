import { expect, test } from 'vitest';
import { hasAllActuals, weighedSubtotal } from '../../domain/actuals.ts';
import { cents } from '../../domain/money.ts';
import type { ProductToWeigh } from './contract.ts';
import { changedWeights, entryOf, restorable, shownText, unitsOf, weighedLines } from './weights.tsx';

const recorded = (sortOrder: number, actualQuantity: number) => ({
  sortOrder,
  actualQuantity,
  updatedAt: '2027-04-01T12:00:00.000Z',
  updatedBy: 'packing@test.example',
});
const brisket: ProductToWeigh = {
  orderProductId: 11,
  productId: 1,
  quantityOrdered: 3,
  productCode: 1001,
  name: 'Brisket',
  description: null,
  unit_qty: 5,
  unit_price: cents(1500),
  uom: 'lb',
  actuals: [recorded(0, 4.87), recorded(2, 0)],
};
const units = unitsOf([brisket]);
const [, second, third] = units as [unknown, (typeof units)[0], (typeof units)[0]];

test('there is a field for each ordered unit, found by its position; what is not weighed is empty and not 0 (contract §6)', () => {
  expect(units.map((unit) => [unit.key, shownText(unit, {})])).toEqual([
    ['11-0', '4.87'],
    ['11-1', ''],
    ['11-2', '0'],
  ]);
});

test.each([
  ['', { kind: 'same' }],
  ['  ', { kind: 'same' }],
  ['5', { kind: 'weight', actualQuantity: 5, isUnusual: false }],
  [' 4.5 ', { kind: 'weight', actualQuantity: 4.5, isUnusual: false }],
  ['4,5', { kind: 'weight', actualQuantity: 4.5, isUnusual: false }],
  ['.25', { kind: 'weight', actualQuantity: 0.25, isUnusual: true }],
  ['0', { kind: 'weight', actualQuantity: 0, isUnusual: true }],
  ['10.001', { kind: 'weight', actualQuantity: 10.001, isUnusual: true }],
  ['5lb', { kind: 'unreadable' }],
  ['5-2', { kind: 'unreadable' }],
  ['-5', { kind: 'unreadable' }],
  ['1,234.5', { kind: 'unreadable' }],
  ['4.8765', { kind: 'unreadable' }],
  ['100000', { kind: 'unreadable' }],
  ['1e3', { kind: 'unreadable' }],
])('%j typed into an empty field', (text, entry) => expect(entryOf(second, { '11-1': text })).toEqual(entry));

test('only what differs from what is recorded is sent', () => {
  expect(changedWeights(units, { '11-0': '4,870', '11-1': '5,1', '11-2': '' })).toEqual({ '11-1': 5.1 });
  expect(changedWeights(units, { '11-0': '4.88', '11-1': 'x', '11-9': '5' })).toEqual({ '11-0': 4.88 });
  expect(entryOf(third, { '11-2': '0.0' })).toEqual({ kind: 'same' });
});

test('what stands in the fields is added up by the rule of the printed order', () => {
  const lines = weighedLines([brisket], units, { '11-1': '1.001' });
  // 15.00 × 4.87 = 73.05, 15.00 × 1.001 = 15.015 rounded half up, and a 0.
  expect(weighedSubtotal(lines)).toBe(7305 + 1502);
  expect(hasAllActuals(lines)).toBe(true);
  expect(hasAllActuals(weighedLines([brisket], units, { '11-1': 'x' }))).toBe(false);
});

test('of a draft comes back what still differs, and nothing that is no text of a unit', () => {
  expect(restorable({ '11-0': '4.87', '11-1': '5lb', '11-2': '', '11-3': '5', x: 1 }, units)).toEqual({ '11-1': '5lb' });
  for (const draft of [null, 5, 'x', [], { '11-1': 5 }, { '11-1': null }]) expect(restorable(draft, units)).toEqual({});
});
