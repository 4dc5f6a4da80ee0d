import { expect, test } from 'vitest';
import { cents } from '../../../domain/money.ts';
import { changesBetween, joined, mergeInto, restorable, withChanges } from './order-changes.ts';

const BRISKET = 1;
const WINE = 2;
const MATZAH = 3;

const offered = (id: number, max_order_qty = 0) => ({ id, name: `Product ${id}`, unit_price: cents(100), unit_qty: 1, max_order_qty });

test('changesBetween lists the products whose quantity differs between two orders; a missing product counts as 0 (spec §4)', () => {
  const loaded = new Map([
    [BRISKET, 2],
    [WINE, 1],
  ]);
  const typed = new Map([
    [BRISKET, 2],
    [WINE, 0],
    [MATZAH, 4],
  ]);
  expect(changesBetween(loaded, typed)).toEqual([
    { productId: WINE, from: 1, to: 0 },
    { productId: MATZAH, from: 0, to: 4 },
  ]);
  expect(changesBetween(loaded, new Map([...loaded, [MATZAH, 0]]))).toEqual([]);
});

test('withChanges applies the old or the new values of a list of changes to an order', () => {
  const loaded = new Map([[BRISKET, 2]]);
  const changes = [{ productId: BRISKET, from: 1, to: 5 }];
  expect(withChanges(loaded, changes).get(BRISKET)).toBe(5);
  expect(withChanges(loaded, changes, 'from').get(BRISKET)).toBe(1);
});

test('joined() merges two changes of one product into one, with the old value of the first and the new value of the second', () => {
  const earlier = [{ productId: BRISKET, from: 1, to: 2 }];
  const later = [
    { productId: BRISKET, from: 1, to: 7 },
    { productId: WINE, from: 0, to: 3 },
  ];
  expect(joined(earlier, later)).toEqual([
    { productId: BRISKET, from: 1, to: 7 },
    { productId: WINE, from: 0, to: 3 },
  ]);
});

test.each([
  { was: 2, mine: 2, theirs: 2, becomes: 2, collides: false },
  { was: 2, mine: 5, theirs: 2, becomes: 5, collides: false },
  { was: 2, mine: 5, theirs: 5, becomes: 5, collides: false },
  { was: 2, mine: 2, theirs: 4, becomes: 4, collides: true },
  { was: 2, mine: 5, theirs: 4, becomes: 5, collides: true },
  { was: 0, mine: 1, theirs: 0, becomes: 1, collides: false },
  { was: 3, mine: 1, theirs: 0, becomes: 1, collides: true },
])(
  'mergeInto merges a quantity of $was, which became $mine here and $theirs elsewhere, into $becomes',
  ({ was, mine, theirs, becomes, collides }) => {
    const one = (quantity: number) => new Map(quantity === 0 ? [] : [[WINE, quantity]]);
    const merged = mergeInto(one(theirs), one(was), one(mine));
    expect(merged.quantities.get(WINE) ?? 0).toBe(becomes);
    expect(merged.conflicts).toEqual(collides ? [{ productId: WINE, mine, theirs }] : []);
  },
);

test('restorable() returns from a draft only products that are still offered and whose quantity still differs, within their maximum', () => {
  const loaded = new Map([[WINE, 3]]);
  const draft = [
    { productId: BRISKET, from: 0, to: 9 },
    { productId: WINE, from: 1, to: 3 },
    { productId: 77, from: 0, to: 1 },
    { productId: MATZAH, from: 0, to: 'many' },
    null,
  ];
  expect(restorable(draft, [offered(BRISKET, 4), offered(WINE), offered(MATZAH)], loaded)).toEqual([
    { productId: BRISKET, from: 0, to: 4 },
  ]);
});

test.each([null, 'x', 3, {}])('restorable() returns nothing from the invalid draft %o', (draft) => {
  expect(restorable(draft, [offered(BRISKET)], new Map())).toEqual([]);
});
