import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { draftOf } from '../../../client/storage/draft.ts';
import { useOrderDetails } from './use-order-details.ts';

const draft = draftOf<unknown>(7, 'order-9-details');
const open = (order: { note?: string; slotId?: number } | null = { note: 'Ring twice', slotId: 3 }) =>
  renderHook(() => useOrderDetails({ userId: 7, draftKey: 'order-9', order })).result;

beforeEach(() => draft.clear());

test('useOrderDetails keeps the changed note and pick-up time on the device until they equal the saved ones (contract §10, §16)', () => {
  const editing = open();
  act(() => editing.current.setNote('No bones '));
  act(() => editing.current.setSlotId(4));
  expect(draft.read()).toEqual({ note: 'No bones ', slotId: 4, from: { note: 'Ring twice', slotId: 3 } });
  expect(editing.current.changed).toEqual({ note: 'No bones', slotId: 4 });
  act(() => editing.current.setNote('Ring twice'));
  expect(draft.read()).toEqual({ slotId: 4, from: { slotId: 3 } });
  act(() => editing.current.setSlotId(3));
  expect([draft.read(), editing.current.isChanged]).toEqual([null, false]);
});

test('useOrderDetails offers a draft of note and pick-up time, restores it without replacing what the user has typed since, and can discard it (contract §10, §16)', () => {
  draft.keep({ note: '', slotId: 4 });
  const editing = open();
  expect([editing.current.offered, editing.current.note, editing.current.slotId]).toEqual([2, 'Ring twice', 3]);
  act(() => editing.current.setSlotId(5));
  expect(draft.read()).toMatchObject({ note: '', slotId: 5 });
  act(() => editing.current.restore());
  expect([editing.current.offered, editing.current.changed]).toEqual([0, { note: null, slotId: 5 }]);
  draft.keep({ note: 'No bones' });
  const again = open();
  act(() => again.current.discard());
  expect([again.current.note, draft.read()]).toEqual(['Ring twice', null]);
});

test('useOrderDetails takes over the note and pick-up time of the current order, except what the user has changed (contract §10, §16)', () => {
  const editing = open();
  act(() => editing.current.setNote('No bones'));
  act(() => editing.current.rebase({ note: 'Ring once' }));
  expect([editing.current.slotId, editing.current.changed]).toEqual([null, { note: 'No bones' }]);
  act(() => editing.current.setSlotId(3));
  expect(editing.current.changed).toEqual({ note: 'No bones', slotId: 3 });
});

test('useOrderDetails reports the changed fields that another person has changed, too, to another value (contract §5, §16)', () => {
  const editing = open();
  act(() => editing.current.setNote('No bones'));
  act(() => editing.current.rebase({ note: 'Ring twice', slotId: 4 }));
  expect(editing.current.conflicts).toEqual([]);
  act(() => editing.current.rebase({ note: 'No nuts', slotId: 4 }));
  expect([editing.current.conflicts, editing.current.saved.note, editing.current.note]).toEqual([['note'], 'No nuts', 'No bones']);
  act(() => editing.current.setSlotId(3));
  act(() => editing.current.rebase({ note: 'No nuts', slotId: 5 }));
  expect(editing.current.conflicts).toEqual(['note', 'slotId']);
  act(() => editing.current.rebase({ note: 'No bones', slotId: 3 }));
  expect(editing.current.conflicts).toEqual([]);
});

test('useOrderDetails reports the fields of a restored draft that another person has changed since they were typed (contract §5, §10, §16)', () => {
  const typed = open();
  act(() => typed.current.setNote('No bones'));
  act(() => typed.current.setSlotId(4));
  const kept = draft.read();
  for (const [order, conflicts] of [
    [{ note: 'Ring twice', slotId: 3 }, []],
    [{ note: 'No nuts', slotId: 3 }, ['note']],
    [{ note: 'No nuts' }, ['note', 'slotId']],
    [{ note: 'No bones', slotId: 5 }, ['slotId']],
  ] as const) {
    draft.keep(kept);
    const restored = open(order);
    expect(restored.current.conflicts).toEqual([]);
    act(() => restored.current.restore());
    expect([restored.current.note, restored.current.slotId, restored.current.conflicts]).toEqual(['No bones', 4, conflicts]);
  }
});

test('useOrderDetails remembers on which saved note and pick-up time a draft was based, until the draft is restored', () => {
  draft.keep({ note: 'No bones', from: { note: 'Ring twice' } });
  const visit = open({ note: 'No nuts', slotId: 3 });
  act(() => visit.current.setSlotId(4));
  const next = open({ note: 'No nuts', slotId: 3 });
  act(() => next.current.restore());
  expect(next.current.conflicts).toEqual(['note']);
});

test('useOrderDetails reports no conflict for a restored draft of the previous version, which did not store what was saved', () => {
  draft.keep({ note: 'No bones' });
  const editing = open();
  act(() => editing.current.restore());
  expect(editing.current.conflicts).toEqual([]);
});

test.each([['text'], [{ note: 5, slotId: 'x' }], [{ note: ' Ring twice', slotId: 3 }]])(
  'useOrderDetails offers nothing to restore when the stored draft is %j',
  (kept) => {
    draft.keep(kept);
    expect(open().current.offered).toBe(0);
  },
);
