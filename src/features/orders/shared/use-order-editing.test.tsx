import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { draftOf } from '../../../client/storage/draft.ts';
import { cents } from '../../../domain/money.ts';
import type { Product } from '../../products/contract.ts';
import { useOrderEditing } from './use-order-editing.ts';

const product = (id: number, max_order_qty = 0): Product => ({
  id,
  distributionId: 9,
  name: `Product ${id}`,
  description: null,
  unit_price: cents(100),
  unit_qty: 1,
  price: cents(100),
  uom: null,
  unit_qty_is_estimate: false,
  max_order_qty,
  total_limit: null,
  left: null,
  product_group: null,
  product_code: null,
});
const brisket = product(1, 3);
const wine = product(2);
const order = { id: 5, distributionId: 9, version: 4, products: [{ productId: 1, quantity: 2 }] };

const draft = draftOf<unknown>(7, 'order-9');
const open = () => renderHook(() => useOrderEditing({ userId: 7, draftKey: 'order-9', products: [brisket, wine], order })).result;

beforeEach(() => draft.clear());

test('useOrderEditing limits a typed quantity to the maximum, keeps it in the draft, and removes it from the draft when it equals the saved quantity (spec §5)', () => {
  const editing = open();
  act(() => editing.current.type(brisket, '12'));
  expect(editing.current.quantities.get(1)).toBe(3);
  expect(draft.read()).toEqual([{ productId: 1, from: 2, to: 3 }]);
  act(() => editing.current.type(brisket, '2'));
  expect(editing.current.changes).toEqual([]);
  expect(draft.read()).toBeNull();
});

test('useOrderEditing offers a draft without applying it, and keeps it while the user types', () => {
  draft.keep([{ productId: 1, from: 2, to: 1 }]);
  const editing = open();
  expect(editing.current.offered).toBe(1);
  expect(editing.current.quantities.get(1)).toBe(2);
  act(() => editing.current.type(wine, '6'));
  expect(draft.read()).toEqual([
    { productId: 1, from: 2, to: 1 },
    { productId: 2, from: 0, to: 6 },
  ]);
  act(() => editing.current.restore());
  expect([...editing.current.quantities]).toEqual([
    [1, 1],
    [2, 6],
  ]);
  expect(editing.current.offered).toBe(0);
  expect(editing.current.conflicts).toBeNull();
});

test('useOrderEditing limits typing to the saved quantity plus the units left, for customers only (contract §12)', () => {
  const limited = { ...product(1), total_limit: 9, left: 3 };
  for (const [stopsAtLimits, expected] of [
    [true, 5],
    [false, 8],
  ] as const) {
    const { result } = renderHook(() =>
      useOrderEditing({ userId: 1, draftKey: `limit ${stopsAtLimits}`, products: [limited], order, stopsAtLimits }),
    );
    act(() => result.current.type(limited, '8'));
    expect(result.current.quantities.get(1)).toBe(expected);
  }
});

test('when the user discards the draft of an earlier visit, useOrderEditing keeps only what was typed after the page was opened', () => {
  draft.keep([{ productId: 1, from: 2, to: 1 }]);
  const editing = open();
  act(() => editing.current.type(wine, '6'));
  act(() => editing.current.discard());
  expect(draft.read()).toEqual([{ productId: 2, from: 0, to: 6 }]);
});

test("useOrderEditing shows the draft's and the saved quantity when the order has changed since the draft was typed", () => {
  draft.keep([{ productId: 1, from: 3, to: 1 }]);
  const editing = open();
  act(() => editing.current.restore());
  expect(editing.current.quantities.get(1)).toBe(1);
  expect(editing.current.conflicts).toEqual([{ productId: 1, mine: 1, theirs: 2 }]);
});

test('after somebody else has changed the order, useOrderEditing bases the next save on the changed order, and keeps what was typed', () => {
  const editing = open();
  act(() => editing.current.type(wine, '6'));
  act(() => editing.current.rebase({ ...order, version: 8, products: [{ productId: 1, quantity: 3 }] }));
  expect(editing.current.version).toBe(8);
  expect(editing.current.quantities.get(1)).toBe(3);
  expect(editing.current.changes).toEqual([{ productId: 2, from: 0, to: 6 }]);
  expect(editing.current.conflicts).toEqual([{ productId: 1, mine: 2, theirs: 3 }]);
});

test('when a changed order is merged, useOrderEditing keeps the quantities that the user typed while this order was loading', () => {
  const editing = open();
  act(() => editing.current.type(wine, '6'));
  const { rebase } = editing.current;
  act(() => editing.current.type(brisket, '1'));
  act(() => rebase({ ...order, version: 8, products: [{ productId: 1, quantity: 3 }] }));
  expect([...editing.current.quantities]).toEqual([
    [1, 1],
    [2, 6],
  ]);
  expect(editing.current.conflicts).toEqual([{ productId: 1, mine: 1, theirs: 3 }]);
});
