import { useEffect, useMemo, useState } from 'react';
import { draftOf } from '../../../client/storage/draft.ts';
import type { Order } from '../contract.ts';

interface Details {
  readonly note: string;
  readonly slotId: number | null;
}

type SavedOrder = Pick<Order, 'note' | 'slotId'>;

const savedOf = (order: SavedOrder | null): Details => ({ note: order?.note ?? '', slotId: order?.slotId ?? null });

export interface OrderDetailsEditing extends Details {
  readonly isChanged: boolean;
  /** The fields to send with a save, which are those that the user changed. */
  readonly changed: { note?: string | null; slotId?: number | null };
  readonly setNote: (note: string) => void;
  readonly setSlotId: (slotId: number | null) => void;
  /** How many fields of an earlier draft the user may restore or discard. */
  readonly offered: number;
  readonly restore: () => void;
  readonly discard: () => void;
  /** Takes over the note and pick-up time of the current order, except the fields that the user has changed. */
  readonly rebase: (order: SavedOrder | null) => void;
  readonly forgetDraft: () => void;
}

/** Returns the fields of a draft that have valid values and differ from the saved order. */
function differing(draft: Partial<Record<keyof Details, unknown>> | null, saved: Details): Partial<Details> {
  const { note, slotId } = draft ?? {};
  return {
    ...(typeof note === 'string' && note.trim() !== saved.note && { note }),
    ...((slotId === null || Number.isSafeInteger(slotId)) && slotId !== saved.slotId && { slotId: slotId as number | null }),
  };
}

/**
 * The form state of an order's note and pick-up time. It takes its initial values from the order only once, and stores changes in a draft
 * on the device (contract §10, §16).
 */
export function useOrderDetails(seed: { userId: number; draftKey: string; order: SavedOrder | null }): OrderDetailsEditing {
  const { userId, draftKey, order } = seed;
  const draft = useMemo(() => draftOf<Partial<Details>>(userId, `${draftKey}-details`), [userId, draftKey]);
  const [{ saved, details }, setEdited] = useState(() => ({ saved: savedOf(order), details: savedOf(order) }));
  const setDetails = (changed: Partial<Details>): void =>
    setEdited((before) => ({ ...before, details: { ...before.details, ...changed } }));
  const [offer, setOffer] = useState(() => differing(draft.read(), saved));
  const typed = useMemo(() => differing(details, saved), [details, saved]);
  useEffect(() => {
    // The earlier draft and the new changes are stored together until the user restores or discards the earlier draft. If only the new
    // changes were stored, they would overwrite the earlier draft.
    const unsaved = { ...offer, ...typed };
    if (Object.keys(unsaved).length === 0) draft.clear();
    else draft.keep(unsaved);
  }, [draft, offer, typed]);
  return {
    ...details,
    isChanged: Object.keys(typed).length > 0,
    changed: typed.note === undefined ? typed : { ...typed, note: typed.note.trim() || null },
    setNote: (note) => setDetails({ note }),
    setSlotId: (slotId) => setDetails({ slotId }),
    offered: Object.keys(offer).length,
    restore: () => {
      setDetails({ ...offer, ...typed });
      setOffer({});
    },
    discard: () => setOffer({}),
    rebase: (current) => {
      const now = savedOf(current);
      setEdited((before) => ({ saved: now, details: { ...now, ...differing(before.details, before.saved) } }));
    },
    forgetDraft: () => draft.clear(),
  };
}
