import { describe, expect, test } from 'vitest';
import { isScarce, limitProblem, slotProblem } from './limits.ts';
import { quantitiesOf } from '../order.ts';

const brisket = { id: 1, name: 'Brisket, first cut', left: 3 };
const lamb = { id: 2, name: 'Lamb', left: 0 };
const wine = { id: 3, name: 'Wine', left: null };

describe('the units left of a limited product (contract §12)', () => {
  test.each([
    ['all of it', { 1: 3 }, {}, null],
    ['more than is left', { 1: 4 }, {}, 'Only 3 left of Brisket, first cut.'],
    ['more of what is exhausted', { 2: 1 }, {}, 'None left of Lamb.'],
    ['the first that does not fit is named', { 1: 4, 2: 1, 3: 9 }, {}, 'Only 3 left of Brisket, first cut.'],
    ['as many more as are left', { 1: 5 }, { 1: 2 }, null],
    ['one more than are left', { 1: 6 }, { 1: 2 }, 'Only 3 left of Brisket, first cut.'],
    ['the same where none are left', { 2: 7 }, { 2: 7 }, null],
    ['less where none are left', { 2: 1 }, { 2: 7 }, null],
    ['any quantity without a limit', { 3: 1000 }, {}, null],
  ])('%s: judges an order of %j after an order of %j', (_, wanted, before, problem) => {
    const lines = (quantities: object) => Object.entries(quantities).map(([id, quantity]) => ({ productId: Number(id), quantity }));
    expect(limitProblem([brisket, lamb, wine], lines(wanted), quantitiesOf(lines(before)))).toBe(problem);
  });

  test('names products in the sequence of the request, not of the catalogue', () => {
    const lines = [
      { productId: 2, quantity: 1 },
      { productId: 1, quantity: 4 },
    ];
    expect(limitProblem([brisket, lamb], lines, new Map())).toBe('None left of Lamb.');
  });

  test.each([
    [null, false],
    [0, true],
    [10, true],
    [11, false],
  ])('%s units left are shown to customers as %s', (left, expected) => expect(isScarce(left)).toBe(expected));
});

describe('a pick-up time (contract §16)', () => {
  const slots = [{ id: 5, capacity: 2, taken: 1 }];
  const full = [{ id: 5, capacity: 2, taken: 2 }];
  test.each([
    ['none where there are none', { slotId: null, slots: [], hasSlots: false, savedSlotId: null }, null],
    ['none where there are some', { slotId: null, slots: [], hasSlots: true, savedSlotId: null }, 'Choose a pick-up time.'],
    ['one with room', { slotId: 5, slots, hasSlots: true, savedSlotId: null }, null],
    ['a full one', { slotId: 5, slots: full, hasSlots: true, savedSlotId: null }, 'This pick-up time is full.'],
    ['a full one that the order has already', { slotId: 5, slots: full, hasSlots: true, savedSlotId: 5 }, null],
    ['an unknown one', { slotId: 6, slots, hasSlots: true, savedSlotId: null }, 'This pick-up time is not in this distribution.'],
  ])('%s, for an order of a customer', (_, choice, sentence) => {
    expect(slotProblem(choice, { byStaff: false })?.sentence ?? null).toBe(sentence);
  });

  test('may be omitted or overbooked by staff', () => {
    expect(slotProblem({ slotId: null, slots: [], hasSlots: true, savedSlotId: null }, { byStaff: true })).toBeNull();
    expect(slotProblem({ slotId: 5, slots: full, hasSlots: true, savedSlotId: null }, { byStaff: true })).toBeNull();
    expect(slotProblem({ slotId: 6, slots, hasSlots: true, savedSlotId: null }, { byStaff: true })).not.toBeNull();
  });
});
