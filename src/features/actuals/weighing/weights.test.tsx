import { expect, test } from 'vitest';
import { hasAllActuals, weighedSubtotal } from '../../../domain/weights/actuals.ts';
import type { Role } from '../../../domain/accounts/roles.ts';
import { cents } from '../../../domain/money.ts';
import type { ProductToWeigh } from '../contract.ts';
import {
  changedWeights,
  entryOf,
  hasConflict,
  recordedText,
  restorable,
  shownText,
  unitsOf,
  weighedLines,
  type Typed,
  type Unit,
} from './weights.ts';

const recorded = (sortOrder: number, actualQuantity: number, byRole: Role = 'agent') => ({ sortOrder, actualQuantity, byRole });
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
const unitAt = (index: number): Unit => units.find(`11-${index}`) as Unit;
/** Creates typed weights. Each `before` is the weight that is recorded now. */
const typed = (texts: Record<string, string>): Typed =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const unit = units.find(key);
      return [key, { text, before: unit ? recordedText(unit) : '' }];
    }),
  );

test('there is one field for each ordered unit, in order of position; the field of an unweighed unit is empty, not 0 (contract §6)', () => {
  expect(units.first(9).map((unit) => [unit.key, shownText(unit, undefined)])).toEqual([
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
])(
  'entryOf recognizes whether the text %j, typed into the field of an unweighed unit, is a weight, unreadable or no change',
  (text, entry) => expect(entryOf(unitAt(1), text)).toEqual(entry),
);

test('only weights that differ from the recorded ones are sent', () => {
  expect(changedWeights(units, typed({ '11-0': '4,870', '11-1': '5,1', '11-2': '' }))).toEqual({ '11-1': 5.1 });
  expect(changedWeights(units, typed({ '11-0': '4.88', '11-1': 'x', '11-9': '5' }))).toEqual({ '11-0': 4.88 });
  expect(entryOf(unitAt(2), '0.0')).toEqual({ kind: 'same' });
});

test('the total of the typed weights is computed with weighedSubtotal, as on the printed order', () => {
  const lines = weighedLines([brisket], units, typed({ '11-1': '1.001' }));
  // 15.00 × 4.87 = 73.05. 15.00 × 1.001 = 15.015, rounded half up to 15.02. The weight of 0 costs nothing.
  expect(weighedSubtotal(lines)).toBe(7305 + 1502);
  expect(hasAllActuals(lines)).toBe(true);
  expect(hasAllActuals(weighedLines([brisket], units, typed({ '11-1': 'x' })))).toBe(false);
});

test('only draft entries whose unit exists, and whose weight differs from the recorded one, are restored', () => {
  const draft = typed({ '11-0': '4.87', '11-1': '5lb', '11-2': '', '11-3': '5' });
  expect(restorable({ ...draft, x: 1 }, units)).toEqual({ '11-1': { text: '5lb', before: '' } });
  for (const other of [null, 5, 'x', [], { '11-1': 5 }, { '11-1': null }, { '11-1': '5' }, { '11-1': { text: '5' } }]) {
    expect(restorable(other, units)).toEqual({});
  }
});

test('a typed weight is marked as conflicting when another weight was recorded after the typing', () => {
  expect(hasConflict(unitAt(0), { text: '5', before: '4.5' })).toBe(true);
  expect(hasConflict(unitAt(0), { text: '5', before: '' })).toBe(true);
  expect(hasConflict(unitAt(0), { text: '5', before: '4.87' })).toBe(false);
  expect(hasConflict(unitAt(0), { text: '4.870', before: '4.5' })).toBe(false);
  expect(hasConflict({ ...unitAt(0), isUnconfirmed: true }, { text: '5', before: '4.5' })).toBe(false);
});

test('fields are created only for the visible units of an order line with a million units', () => {
  const million = unitsOf([brisket, { ...brisket, orderProductId: 12, quantityOrdered: 1_000_000, actuals: [recorded(999_999, 5)] }]);
  expect(million.count).toBe(1_000_003);
  expect(million.first(5).map((unit) => unit.key)).toEqual(['11-0', '11-1', '11-2', '12-0', '12-1']);
  const last = million.find('12-999999');
  expect([last?.recorded?.actualQuantity, last && million.positionOf(last), million.find('12-1000000'), million.find('9-0')]).toEqual([
    5,
    1_000_002,
    null,
    null,
  ]);
});
