import { expect, test } from 'vitest';
import {
  clockProblem,
  flagProblem,
  isOnOffer,
  isOrderingOpen,
  orderingBlockedReason,
  printingBlockedReason,
  weighingBlockedReason,
} from './distribution.ts';

const NO_CLOCK = { opensAt: null, closesAt: null };
const NOON = '2027-04-01T12:00:00.000Z';
const MORNING = '2027-04-01T08:00:00.000Z';
const EVENING = '2027-04-01T20:00:00.000Z';

test.each([
  [true, true, null, null],
  [true, false, 'Ordering is closed', 'Ordering is closed'],
  [false, true, 'This distribution is not published at the moment', null],
  [false, false, 'Ordering is closed', 'Ordering is closed'],
])(
  'when published is %s and orderingOpen is %s, the reason why customers cannot order is %s, and the reason why they cannot print is %s (spec §2, §4)',
  (published, orderingOpen, order, print) => {
    expect(orderingBlockedReason({ published, orderingOpen, ...NO_CLOCK }, NOON)).toBe(order);
    expect(printingBlockedReason({ orderingOpen })).toBe(print);
  },
);

test('weights can be recorded only while the distribution accepts actual quantities (spec §4)', () => {
  expect(weighingBlockedReason({ acceptActuals: true })).toBeNull();
  expect(weighingBlockedReason({ acceptActuals: false })).toBe('This distribution is not accepting actual quantities.');
});

test('ordering can be closed, and can never be opened again', () => {
  const open = { published: true, orderingOpen: true, acceptActuals: false };
  const closed = { ...open, orderingOpen: false };
  expect(flagProblem({ orderingOpen: false }, open)).toBeNull();
  expect(flagProblem({ orderingOpen: true }, open)).toBeNull();
  expect(flagProblem({ orderingOpen: false }, closed)).toBeNull();
  expect(flagProblem({ published: false, acceptActuals: true }, closed)).toBeNull();
  expect(flagProblem({ orderingOpen: true }, closed)).toBe('Ordering is closed and cannot be opened again.');
});

test('a published distribution is available to a customer until the customer has ordered in it (spec §2)', () => {
  expect(isOnOffer({ published: true }, false)).toBe(true);
  expect(isOnOffer({ published: true }, true)).toBe(false);
  expect(isOnOffer({ published: false }, false)).toBe(false);
});

const CLOSED = 'Ordering is closed';
const EARLY = 'Ordering has not opened yet';
test.each([
  [{ opensAt: null, closesAt: EVENING }, NOON, null],
  [{ opensAt: null, closesAt: EVENING }, '2027-04-01T19:59:59.999Z', null],
  [{ opensAt: null, closesAt: EVENING }, EVENING, CLOSED],
  [{ opensAt: null, closesAt: '2027-04-01T16:00:00-04:00' }, EVENING, CLOSED],
  [{ opensAt: EVENING, closesAt: null }, NOON, EARLY],
  [{ opensAt: EVENING, closesAt: null }, EVENING, null],
  [{ opensAt: MORNING, closesAt: EVENING }, NOON, null],
  [{ opensAt: NOON, closesAt: EVENING }, MORNING, EARLY],
])(
  'with the opening and closing times %o, at the time %s, the reason why customers cannot order is %s (contract §11)',
  (clock, now, reason) => {
    expect(orderingBlockedReason({ published: true, orderingOpen: true, ...clock }, now)).toBe(reason);
    expect(isOrderingOpen({ orderingOpen: true, ...clock }, now)).toBe(reason !== CLOSED);
    expect(orderingBlockedReason({ published: true, orderingOpen: false, ...clock }, now)).toBe(CLOSED);
  },
);

test('when a distribution is unpublished and has not opened yet, the reason why customers cannot order is that it is not published', () => {
  const distribution = { published: false, orderingOpen: true, opensAt: EVENING, closesAt: null };
  expect(orderingBlockedReason(distribution, NOON)).toBe('This distribution is not published at the moment');
});

const open = { orderingOpen: true, ...NO_CLOCK };
const PAST = { status: 400, text: 'Ordering must close in the future.' };
const IN_ORDER = { status: 400, text: 'Ordering must close after it opens.' };
const FINAL = { status: 409, text: 'Ordering is closed, so the time when it closes cannot be changed.' };
test.each([
  [{ closesAt: EVENING }, open, null],
  [{ closesAt: NOON }, open, PAST],
  [{ closesAt: MORNING }, open, PAST],
  [{ opensAt: MORNING, closesAt: EVENING }, open, null],
  [{ opensAt: EVENING, closesAt: EVENING }, open, IN_ORDER],
  [{ opensAt: EVENING }, { ...open, closesAt: EVENING }, IN_ORDER],
  [{ opensAt: EVENING, closesAt: null }, { ...open, closesAt: EVENING }, null],
  [{ closesAt: '2027-04-02T20:00:00.000Z' }, { ...open, closesAt: EVENING }, null],
  [{ closesAt: '2027-04-02T20:00:00.000Z' }, { ...open, closesAt: MORNING }, FINAL],
  [{ closesAt: null }, { ...open, closesAt: MORNING }, FINAL],
  [{ closesAt: MORNING }, { ...open, closesAt: MORNING }, null],
  [{ closesAt: EVENING }, { ...open, orderingOpen: false }, FINAL],
  [{ opensAt: EVENING }, { ...open, orderingOpen: false }, null],
  [{}, { ...open, orderingOpen: false, closesAt: MORNING }, null],
])(
  'the new opening and closing times %o for the distribution %o are refused with the reason %j, where null means accepted (contract §11)',
  (change, current, problem) => {
    expect(clockProblem(change, current, NOON)).toEqual(problem);
  },
);
