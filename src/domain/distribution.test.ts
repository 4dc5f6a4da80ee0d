import { expect, test } from 'vitest';
import {
  acceptsOrders,
  flagProblem,
  isOnOffer,
  orderingBlockedReason,
  printingBlockedReason,
  weighingBlockedReason,
} from './distribution.ts';

test.each([
  [true, true, null, null],
  [true, false, 'Ordering is closed', 'Ordering is closed'],
  [false, true, 'This distribution is not published at the moment', null],
  [false, false, 'Ordering is closed', 'Ordering is closed'],
])(
  'with published %s and ordering open %s, refuses ordering with %s and printing with %s (spec §2, §4)',
  (published, orderingOpen, order, print) => {
    expect(acceptsOrders({ published, orderingOpen })).toBe(order === null);
    expect(orderingBlockedReason({ published, orderingOpen })).toBe(order);
    expect(printingBlockedReason({ orderingOpen })).toBe(print);
  },
);

test('allows weights only while the distribution accepts them (spec §4)', () => {
  expect(weighingBlockedReason({ acceptActuals: true })).toBeNull();
  expect(weighingBlockedReason({ acceptActuals: false })).toBe('This distribution is not accepting actual quantities.');
});

test('lets ordering close and never open again', () => {
  const open = { published: true, orderingOpen: true, acceptActuals: false };
  const closed = { ...open, orderingOpen: false };
  expect(flagProblem({ orderingOpen: false }, open)).toBeNull();
  expect(flagProblem({ orderingOpen: true }, open)).toBeNull();
  expect(flagProblem({ orderingOpen: false }, closed)).toBeNull();
  expect(flagProblem({ published: false, acceptActuals: true }, closed)).toBeNull();
  expect(flagProblem({ orderingOpen: true }, closed)).toBe('Ordering is closed and cannot be opened again.');
});

test('offers a published distribution until the customer has an order in it (spec §2)', () => {
  expect(isOnOffer({ published: true }, false)).toBe(true);
  expect(isOnOffer({ published: true }, true)).toBe(false);
  expect(isOnOffer({ published: false }, false)).toBe(false);
});
