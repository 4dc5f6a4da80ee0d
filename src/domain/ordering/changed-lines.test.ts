import { expect, test } from 'vitest';
import { changedLines } from './changed-lines.ts';

const BRISKET = 1;
const WINE = 2;
const line = (productId: number, quantity: number, originalQuantity = quantity) => ({ productId, quantity, originalQuantity });
const changed = (productId: number, quantity: number, originalQuantity = quantity) => ({
  ...line(productId, quantity, originalQuantity),
  isAudited: true,
});

test.each([
  { when: 'a customer orders for the first time', lines: [], wanted: [line(BRISKET, 2)], byStaff: false, expected: [changed(BRISKET, 2)] },
  { when: 'a customer repeats the order', lines: [line(BRISKET, 2)], wanted: [line(BRISKET, 2)], byStaff: false, expected: [] },
  {
    when: 'a customer changes one of two lines',
    lines: [line(BRISKET, 2), line(WINE, 1)],
    wanted: [line(BRISKET, 3), line(WINE, 1)],
    byStaff: false,
    expected: [changed(BRISKET, 3)],
  },
  {
    when: 'a customer leaves a line out',
    lines: [line(BRISKET, 2), line(WINE, 1)],
    wanted: [line(WINE, 1)],
    byStaff: false,
    expected: [changed(BRISKET, 0)],
  },
  { when: 'a product without a line is sent with quantity 0', lines: [], wanted: [line(WINE, 0)], byStaff: false, expected: [] },
  { when: 'staff change a line', lines: [line(BRISKET, 2)], wanted: [line(BRISKET, 5)], byStaff: true, expected: [changed(BRISKET, 5, 2)] },
  { when: 'staff remove a line', lines: [line(BRISKET, 2)], wanted: [], byStaff: true, expected: [changed(BRISKET, 0, 2)] },
  { when: 'staff add a line', lines: [], wanted: [line(WINE, 4)], byStaff: true, expected: [changed(WINE, 4)] },
  {
    when: 'a customer changes a quantity that staff entered',
    lines: [line(BRISKET, 1, 2)],
    wanted: [line(BRISKET, 3)],
    byStaff: false,
    expected: [changed(BRISKET, 3)],
  },
])(
  'changedLines returns the changed lines of an order with their original quantities when $when (contract §5)',
  ({ lines, wanted, byStaff, expected }) => {
    expect(changedLines(lines, wanted, { byStaff })).toEqual(expected);
  },
);

test('when a customer keeps the quantity that staff entered, it becomes the original quantity, and no audit row is written (contract §5)', () => {
  expect(changedLines([line(BRISKET, 1, 2)], [line(BRISKET, 1)], { byStaff: false })).toEqual([{ ...line(BRISKET, 1), isAudited: false }]);
});
