import { useState } from 'react';
import type { Order } from '../contract.ts';

interface ChangedDetails {
  note?: string | null;
  slotId?: number | null;
}

export interface OrderDetailsEditing {
  readonly note: string;
  readonly slotId: number | null;
  readonly isChanged: boolean;
  /** The fields to send: only those that the user changed. */
  readonly changed: ChangedDetails;
  readonly setNote: (note: string) => void;
  readonly setSlotId: (slotId: number | null) => void;
}

/** Form state of an order's note and pick-up time; initialized from the order once (contract §16). */
export function useOrderDetails(order: Pick<Order, 'note' | 'slotId'> | null): OrderDetailsEditing {
  const [saved] = useState({ note: order?.note ?? '', slotId: order?.slotId ?? null });
  const [note, setNote] = useState(saved.note);
  const [slotId, setSlotId] = useState(saved.slotId);
  const changed: ChangedDetails = {
    ...(note.trim() === saved.note ? {} : { note: note.trim() || null }),
    ...(slotId === saved.slotId ? {} : { slotId }),
  };
  return { note, slotId, isChanged: Object.keys(changed).length > 0, changed, setNote, setSlotId };
}
