import { expect, test } from 'vitest';
import { type Fee, feeRulesDiffer, feesInSequence, feesOnSubtotal, feeLabel, feeText, totalWith } from './fees.ts';
import { cents } from './money.ts';

const handling: Fee = { id: 1, name: 'Handling', type: 'flat', sort_order: 1, amount: 500 };
const service: Fee = { id: 2, name: 'Service', type: 'percent', sort_order: 2, amount: 300 };
const card: Fee = { id: 3, name: 'Card', type: 'percent', sort_order: 2, amount: 250 };
const all = [card, service, handling];

const shown = (charges: ReturnType<typeof feesOnSubtotal>) => charges.map(({ fee, amount }) => [fee.name, amount]);

test('the order page charges every fee on the subtotal (spec §9; contract §7)', () => {
  const charges = feesOnSubtotal(all, cents(10_000));
  expect(shown(charges)).toEqual([
    ['Handling', 500],
    ['Service', 300],
    ['Card', 250],
  ]);
  expect(totalWith(cents(10_000), charges)).toBe(11_050);
});

test('the printed order charges each fee on the running total, by sort_order and then id (spec §9; contract §7)', () => {
  const charges = feesInSequence(all, cents(10_000));
  expect(shown(charges)).toEqual([
    ['Handling', 500],
    ['Service', 315],
    ['Card', 270],
  ]);
  expect(totalWith(cents(10_000), charges)).toBe(11_085);
});

test.each([0, 1, 499, 10_000])(
  'on a subtotal of %d cents, a flat fee costs its own amount on the order page and in print (spec §9; contract §7)',
  (subtotal) => {
    for (const charged of [feesOnSubtotal, feesInSequence])
      expect(shown(charged([handling], cents(subtotal)))).toEqual([['Handling', 500]]);
  },
);

test.each([
  ['no fee', [], false],
  ['one percent fee', [service], false],
  ['a percent fee and then a flat one', [service, { ...handling, sort_order: 3 }], false],
  ['a flat fee and then a percent one', [handling, service], true],
  ['two percent fees', [service, card], true],
])('with %s, feeRulesDiffer, which compares the order page with the printed order, returns %s (contract §7)', (_, fees, differ) =>
  expect(feeRulesDiffer(fees, cents(10_000))).toBe(differ),
);

test('feeRulesDiffer returns false for a small subtotal, on which order page and print agree, and true for a large one', () => {
  expect(feeRulesDiffer([service, card], cents(100))).toBe(false);
});

test("feesInSequence does not reorder the caller's list of fees", () => {
  const fees = [card, handling];
  feesInSequence(fees, cents(100));
  expect(fees).toEqual([card, handling]);
});

test('a fee is shown as a percentage or in dollars (spec §3, §9)', () => {
  expect([service, card, handling].map(feeText)).toEqual(['3%', '2.5%', '$5.00']);
  expect([service, card, handling].map(feeLabel)).toEqual(['Service (3%)', 'Card (2.5%)', 'Handling']);
});
