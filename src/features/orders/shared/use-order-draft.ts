import type { Product } from '../../products/contract.ts';
import type { Order } from '../contract.ts';
import { useOrderDetails, type OrderDetailsEditing } from './use-order-details.ts';
import { useOrderEditing, type OrderEditing } from './use-order-editing.ts';

interface OrderDraft {
  readonly editing: OrderEditing;
  readonly details: OrderDetailsEditing;
  /** Whether the user has changed the quantities, the note or the pick-up time. */
  readonly isChanged: boolean;
  /** Applies the changes to the current order. */
  readonly rebase: (order: Order | null) => void;
  readonly forgetDraft: () => void;
}

/** The state of a whole order form: the quantities, and the note and pick-up time. */
export function useOrderDraft(seed: {
  userId: number;
  draftKey: string;
  products: readonly Product[];
  order: Order | null;
  stopsAtLimits?: boolean;
}): OrderDraft {
  const editing = useOrderEditing(seed);
  const details = useOrderDetails(seed);
  return {
    editing,
    details,
    isChanged: editing.changes.length > 0 || details.isChanged,
    rebase: (order) => {
      editing.rebase(order);
      details.rebase(order);
    },
    forgetDraft: () => {
      editing.forgetDraft();
      details.forgetDraft();
    },
  };
}
