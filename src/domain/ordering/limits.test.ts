import { describe, expect, test } from 'vitest';
import { isScarce, limitProblems, slotProblem, unconfirmedProblems } from './limits.ts';
import { quantitiesOf } from '../order.ts';

const brisket = { id: 1, name: 'Brisket, first cut', left: 3 };
const lamb = { id: 2, name: 'Lamb', left: 0 };
const wine = { id: 3, name: 'Wine', left: null };

describe('the limit of a product (contract §12)', () => {
  test.each([
    ['all units left', { 1: 3 }, {}, []],
    ['more units than are left', { 1: 4 }, {}, ['Only 3 left of Brisket, first cut.']],
    ['a product of which no unit is left', { 2: 1 }, {}, ['None left of Lamb.']],
    ['several products that exceed their limits', { 1: 4, 2: 1, 3: 9 }, {}, ['Only 3 left of Brisket, first cut.', 'None left of Lamb.']],
    ['as many more units as are left', { 1: 5 }, { 1: 2 }, []],
    ['one more unit than is left', { 1: 6 }, { 1: 2 }, ['Only 3 left of Brisket, first cut.']],
    ['the ordered quantity when no unit is left', { 2: 7 }, { 2: 7 }, []],
    ['a lower quantity when no unit is left', { 2: 1 }, { 2: 7 }, []],
    ['any quantity of a product without a limit', { 3: 1000 }, {}, []],
  ])(
    'in an order for %s, which requests the quantities %j and had the quantities %j before, leads to these refusals: %j',
    (_, wanted, before, sentences) => {
      const lines = (quantities: object) => Object.entries(quantities).map(([id, quantity]) => ({ productId: Number(id), quantity }));
      const problems = limitProblems([brisket, lamb, wine], lines(wanted), quantitiesOf(lines(before)));
      expect(problems.map(({ sentence }) => sentence)).toEqual(sentences);
    },
  );

  test('is reported first for the product that comes first in the request, not in the catalogue', () => {
    const lines = [
      { productId: 2, quantity: 1 },
      { productId: 1, quantity: 4 },
    ];
    expect(limitProblems([brisket, lamb], lines, new Map())[0]).toEqual({ productId: 2, sentence: 'None left of Lamb.' });
  });

  test.each([
    [[], [1, 2]],
    [[1], [2]],
    [[2, 1], []],
  ])(
    'when it is exceeded for two products and the confirmation is %j, is still unconfirmed for the products %j',
    (confirmed, unconfirmed) => {
      const problems = [1, 2].map((productId) => ({ productId, sentence: '' }));
      expect(unconfirmedProblems(problems, confirmed).map(({ productId }) => productId)).toEqual(unconfirmed);
    },
  );

  test.each([
    [null, false],
    [0, true],
    [10, true],
    [11, false],
  ])('when %s units are left, isScarce returns %s; if true, customers see the number of units left', (left, expected) =>
    expect(isScarce(left)).toBe(expected),
  );
});

describe('a pick-up time (contract §16)', () => {
  const slots = [{ id: 5, capacity: 2, taken: 1 }];
  const full = [{ id: 5, capacity: 2, taken: 2 }];
  test.each([
    [
      'no pick-up time in a distribution without pick-up times',
      { slotId: null, slots: [], hasSlots: false, savedSlotId: null, isRaised: true },
      null,
    ],
    [
      'no pick-up time in a distribution with pick-up times',
      { slotId: null, slots: [], hasSlots: true, savedSlotId: null, isRaised: true },
      'Choose a pick-up time.',
    ],
    [
      'no pick-up time in an order without one that only lowers quantities',
      { slotId: null, slots: [], hasSlots: true, savedSlotId: null, isRaised: false },
      null,
    ],
    [
      'no pick-up time in an order that had one and only lowers quantities',
      { slotId: null, slots: [], hasSlots: true, savedSlotId: 5, isRaised: false },
      'Choose a pick-up time.',
    ],
    ['a pick-up time with room', { slotId: 5, slots, hasSlots: true, savedSlotId: null, isRaised: true }, null],
    ['a full pick-up time', { slotId: 5, slots: full, hasSlots: true, savedSlotId: null, isRaised: true }, 'This pick-up time is full.'],
    ['a full pick-up time that the order already has', { slotId: 5, slots: full, hasSlots: true, savedSlotId: 5, isRaised: true }, null],
    [
      'an unknown pick-up time',
      { slotId: 6, slots, hasSlots: true, savedSlotId: null, isRaised: true },
      'This pick-up time is not in this distribution.',
    ],
  ])("in a customer's order, such as %s (%j), is refused with the reason %j, where null means accepted", (_, choice, sentence) => {
    expect(slotProblem(choice, { byStaff: false })?.sentence ?? null).toBe(sentence);
  });

  test('may be omitted by staff, who may also choose a full pick-up time', () => {
    expect(slotProblem({ slotId: null, slots: [], hasSlots: true, savedSlotId: null, isRaised: true }, { byStaff: true })).toBeNull();
    expect(slotProblem({ slotId: 5, slots: full, hasSlots: true, savedSlotId: null, isRaised: true }, { byStaff: true })).toBeNull();
    expect(slotProblem({ slotId: 6, slots, hasSlots: true, savedSlotId: null, isRaised: true }, { byStaff: true })).not.toBeNull();
  });
});
