import { useMemo, useState } from 'react';
import { draftOf } from '../../../client/storage/draft.ts';
import { useKeptDraft } from '../../../client/storage/use-kept-draft.ts';
import type { Order } from '../contract.ts';

interface Details {
  readonly note: string;
  readonly slotId: number | null;
}

interface DetailsDraft extends Partial<Details> {
  /** The saved fields that the user changed, as they were then. The previous version did not store them. */
  readonly from?: Partial<Details>;
}

type SavedOrder = Pick<Order, 'note' | 'slotId'>;

const savedOf = (order: SavedOrder | null): Details => ({ note: order?.note ?? '', slotId: order?.slotId ?? null });

interface Edited {
  readonly details: Details;
  /** The note and pick-up time of the order to which the changes apply. */
  readonly saved: Details;
  /** The fields that the user and another person or device have changed to different values. */
  readonly conflicts: readonly (keyof Details)[];
}

export interface OrderDetailsEditing extends Details, Pick<Edited, 'saved' | 'conflicts'> {
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
 * Applies the typed fields to the saved order. `from` contains the fields that were saved when the user typed, and `known` the earlier
 * conflicts.
 */
function merged(saved: Details, typed: Partial<Details>, from: Partial<Details>, known: Edited['conflicts']): Edited {
  const mine = differing(typed, saved);
  const theirs = differing(saved, { ...saved, ...from });
  const conflicts = (['note', 'slotId'] as const).filter((field) => field in mine && (field in theirs || known.includes(field)));
  return { saved, details: { ...saved, ...typed }, conflicts };
}

/**
 * The form state of an order's note and pick-up time. It takes its initial values from the order only once, and stores changes in a draft
 * on the device (contract §10, §16).
 */
export function useOrderDetails(seed: { userId: number; draftKey: string; order: SavedOrder | null }): OrderDetailsEditing {
  const { userId, draftKey, order } = seed;
  const draft = useMemo(() => draftOf<DetailsDraft>(userId, `${draftKey}-details`), [userId, draftKey]);
  const [{ saved, details, conflicts }, setEdited] = useState(() => merged(savedOf(order), {}, {}, []));
  const setDetails = (changed: Partial<Details>): void =>
    setEdited((before) => ({ ...before, details: { ...before.details, ...changed } }));
  const [{ offer, offeredFrom }, setOffer] = useState(() => {
    const stored = draft.read();
    return { offer: differing(stored, saved), offeredFrom: stored?.from };
  });
  const typed = useMemo(() => differing(details, saved), [details, saved]);
  const from = useMemo(() => ({ ...differing(saved, details), ...offeredFrom }), [details, saved, offeredFrom]);
  const offered = Object.keys(offer).length;
  const isChanged = Object.keys(typed).length > 0;
  const unsaved = useMemo(() => ({ ...offer, ...typed, from }), [offer, typed, from]);
  useKeptDraft(draft, offered > 0 || isChanged ? unsaved : null);
  const discard = (): void => setOffer({ offer: {}, offeredFrom: {} });
  return {
    ...details,
    saved,
    conflicts,
    isChanged,
    changed: typed.note === undefined ? typed : { ...typed, note: typed.note.trim() || null },
    setNote: (note) => setDetails({ note }),
    setSlotId: (slotId) => setDetails({ slotId }),
    offered,
    restore: () => {
      setEdited(merged(saved, { ...offer, ...typed }, from, conflicts));
      discard();
    },
    discard,
    rebase: (current) => {
      const now = savedOf(current);
      setEdited((before) => merged(now, differing(before.details, before.saved), before.saved, before.conflicts));
    },
    forgetDraft: () => draft.clear(),
  };
}
