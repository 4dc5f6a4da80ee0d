import { expect, test } from 'vitest';
import {
  actualsProblem,
  expectedCount,
  hasAllActuals,
  orderedAmount,
  parseUnitKey,
  replacesStaffWeights,
  unconfirmedCount,
  unitKey,
  unitsIn,
  unweighedCount,
  weighedSubtotal,
  entryBlockedReason,
  withActuals,
} from './actuals.ts';
import { cents } from '../money.ts';

const brisket = { orderProductId: 11, quantity: 2, unit_price: cents(1500), unit_qty: 5, unit_qty_is_estimate: true, actuals: [] };
const wine = { orderProductId: 12, quantity: 3, unit_price: cents(2000), unit_qty: 1, unit_qty_is_estimate: false, actuals: [] };
const weighed = (...weights: number[]) => ({
  ...brisket,
  actuals: weights.map((actualQuantity, sortOrder) => ({ sortOrder, actualQuantity })),
});
const fees = [
  { id: 1, name: 'Handling', type: 'flat', sort_order: 1, amount: 500 },
  { id: 2, name: 'Service', type: 'percent', sort_order: 2, amount: 300 },
] as const;

test("unitKey writes the name of a unit as the id of its order line, a hyphen and the unit's position", () => {
  expect(unitKey(11, 0)).toBe('11-0');
  expect(parseUnitKey('11-10')).toEqual({ orderProductId: 11, index: 10 });
});

test.each(['', '11', '11-', '-1', '11--1', '0-0', '11-01', '011-1', '11-1.5', '11-1 ', '1e1-0', '11-1234567890123456'])(
  'parseUnitKey refuses %j as the name of a unit (spec §5)',
  (key) => expect(parseUnitKey(key)).toBeNull(),
);

test('expectedCount counts one weight for each unit of a product with an estimated quantity (contract §6)', () => {
  expect(expectedCount([brisket, wine])).toBe(2);
  expect(expectedCount([wine])).toBe(0);
});

test.each([
  ['nothing to weigh', [wine], 0],
  ['no weight yet', [brisket, wine], 2],
  ['one of two', [weighed(4.87), wine], 1],
  ['both, one of them 0', [weighed(4.87, 0), wine], 0],
  ['two, of which one belongs to a unit that is gone', [{ ...weighed(4.87, 5), quantity: 1 }], 0],
  ['only the weight of a unit that is gone', [{ ...brisket, quantity: 1, actuals: [{ sortOrder: 1, actualQuantity: 5 }] }], 1],
])(
  'unweighedCount counts the units that are not weighed yet in an order with these weights: %s; case %# (contract §6)',
  (_, lines, missing) => {
    expect(unweighedCount(lines)).toBe(missing);
    expect(hasAllActuals(lines)).toBe(missing === 0);
  },
);

test("unconfirmedCount counts the customer's weights that staff have not confirmed; weights of removed units do not count (contract §6)", () => {
  const by = (...users: number[]) => ({
    ...brisket,
    actuals: users.map((updatedBy, sortOrder) => ({ sortOrder, actualQuantity: 5, updatedBy })),
  });
  expect(unconfirmedCount([by(7, 7), by(3, 7)], 7)).toBe(3);
  expect(unconfirmedCount([by(3, 3, 7)], 7)).toBe(0);
});

test('replacesStaffWeights detects that a customer sends a different weight for a unit that staff have weighed (contract §6)', () => {
  const ofStaff = new Map([['11-0', 4.87]]);
  expect(replacesStaffWeights({ '11-0': 4.87, '11-1': 5 }, ofStaff)).toBe(false);
  expect(replacesStaffWeights({ '11-0': 4.86 }, ofStaff)).toBe(true);
});

test.each([
  ['nothing weighed', [brisket, wine], 6000, 22_145],
  ['one of two', [weighed(1.001), wine], 7502, 15_967],
  ['all weighed', [weighed(1.001, 4.87), wine], 14_807, 15_766],
  ['weighed as 0', [weighed(0, 0)], 0, 515],
  ['a unit that is gone', [{ ...weighed(1.001, 4.87), quantity: 1 }], 1502, 2062],
  [
    'all quantities 0',
    [
      { ...weighed(4.87), quantity: 0 },
      { ...wine, quantity: 0 },
    ],
    0,
    0,
  ],
  ['no line', [], 0, 0],
])('the subtotal of the weighed units and the amount of an order are computed from these weights: %s', (_, lines, subtotal, amount) => {
  expect(weighedSubtotal(lines)).toBe(subtotal);
  expect(orderedAmount(lines, fees)).toBe(amount);
});

test('a weight of 1.001 at 1500 cents a pound costs 1502 cents, not 1501, without fees (contract §7)', () => {
  expect(orderedAmount([{ ...weighed(1.001), quantity: 1 }], [])).toBe(1502);
});

test.each([
  [{ '11-0': 4.87, '11-1': 0 }, null],
  [{}, null],
  [{ '11-2': 1 }, '11-2 is not a unit of this order.'],
  [{ '12-0': 1 }, '12-0 is not a unit of this order.'],
  [{ '99-0': 1 }, '99-0 is not a unit of this order.'],
  [{ nonsense: 1 }, 'nonsense is not a unit of this order.'],
  [{ '11-0': -0.5 }, 'Actual quantity must be non-negative'],
  [{ '11-0': 1.0001 }, 'Actual quantity must be at most 99,999.999 with at most three decimals.'],
  [{ '11-0': 100_000 }, 'Actual quantity must be at most 99,999.999 with at most three decimals.'],
])(
  'for the entered weights %j, actualsProblem returns the reason %j for a refusal, where null means accepted (spec §5)',
  (entered: Record<string, number>, problem) => expect(actualsProblem([brisket, wine], entered)).toBe(problem),
);

test('unitsIn reads a map from unit to weight exactly to the thousandth, and reads minus zero as 0', () => {
  expect(unitsIn({ '11-0': 1.001, '12-10': -0 })).toEqual([
    { orderProductId: 11, sortOrder: 0, actualQuantity: 1.001 },
    { orderProductId: 12, sortOrder: 10, actualQuantity: 0 },
  ]);
});

const NOT_ACCEPTING = 'This distribution is not accepting actual quantities.';
test.each([
  ['customer', true, false, null],
  [
    'customer',
    true,
    true,
    'A payment has been recorded for this order, so its weights are final here. Ask your distributor to correct them.',
  ],
  ['customer', false, true, NOT_ACCEPTING],
  ['agent', true, true, null],
  ['distributor', true, true, null],
  ['distributor', false, false, NOT_ACCEPTING],
] as const)(
  'for the role %s, with acceptActuals %s and hasPayments %s, the reason why weights cannot be recorded is: %s',
  (role, acceptActuals, hasPayments, sentence) => expect(entryBlockedReason({ acceptActuals, hasPayments }, role)).toBe(sentence),
);

test('withActuals assigns each recorded weight to its own order line', () => {
  const lines = [{ orderProductId: 11 }, { orderProductId: 12 }];
  const actual = { orderProductId: 11, sortOrder: 1, actualQuantity: 4.87 };
  expect(withActuals(lines, [actual, { ...actual, orderProductId: 99 }])).toEqual([
    { orderProductId: 11, actuals: [actual] },
    { orderProductId: 12, actuals: [] },
  ]);
});
