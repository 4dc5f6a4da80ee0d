import { useCallback, useMemo, useState } from 'react';
import { draftOf } from '../../../client/storage/draft.ts';
import { useKeptDraft } from '../../../client/storage/use-kept-draft.ts';
import { clampQuantity, quantitiesOf, type Quantities } from '../../../domain/order.ts';
import { isLimited } from '../../../domain/ordering/limits.ts';
import type { Product } from '../../products/contract.ts';
import type { Order } from '../contract.ts';
import { changesBetween, joined, mergeInto, restorable, withChanges, type Change, type Conflict } from './order-changes.ts';

export interface OrderEditing {
  /** The quantities of the order to which the changes apply. */
  readonly loaded: Quantities;
  readonly quantities: Quantities;
  readonly changes: readonly Change[];
  /** The version of the order to which the changes apply; 0 without an order. */
  readonly version: number;
  readonly type: (product: Product, text: string) => void;
  readonly set: (productId: number, quantity: number) => void;
  /** How many changes of an earlier draft the user may restore or discard. */
  readonly offered: number;
  readonly restore: () => void;
  readonly discard: () => void;
  /** The lines that the user and another person or device changed to different quantities; null if only the user has changed the order. */
  readonly conflicts: readonly Conflict[] | null;
  /** Applies the typed changes to the current order. */
  readonly rebase: (order: Order | null) => void;
  readonly forgetDraft: () => void;
}

interface Loaded {
  readonly version: number;
  readonly quantities: Quantities;
}

/** One state, so that `rebase` merges the reloaded order into the latest quantities, also into those typed during the reload. */
interface Edited {
  readonly loaded: Loaded;
  readonly quantities: Quantities;
  readonly conflicts: readonly Conflict[] | null;
}

const loadedOf = (order: Order | null): Loaded => ({
  version: order?.version ?? 0,
  quantities: quantitiesOf(order?.products ?? []),
});

/**
 * Returns the typed quantity, reduced to the product's maximum. If `ordered` is given, it is also reduced to the saved quantity plus the
 * units left.
 */
function typedQuantity(text: string, product: Product, ordered: Quantities | null): number {
  const quantity = clampQuantity(text, product.max_order_qty);
  return ordered && isLimited(product.left) ? Math.min(quantity, (ordered.get(product.id) ?? 0) + product.left) : quantity;
}

/**
 * The state of an order form. It takes its initial values from the order only once. Each change is stored in a draft on the device
 * (contract §10).
 */
export function useOrderEditing(seed: {
  userId: number;
  draftKey: string;
  products: readonly Product[];
  order: Order | null;
  /** Whether typed quantities are reduced to what the limits of products allow. False for staff, who may exceed limits. */
  stopsAtLimits?: boolean;
}): OrderEditing {
  const { stopsAtLimits = false } = seed;
  const draft = useMemo(() => draftOf<unknown>(seed.userId, seed.draftKey), [seed.userId, seed.draftKey]);
  const [{ loaded, quantities, conflicts }, setEdited] = useState<Edited>(() => {
    const saved = loadedOf(seed.order);
    return { loaded: saved, quantities: saved.quantities, conflicts: null };
  });
  const [offer, setOffer] = useState(() => restorable(draft.read(), seed.products, loaded.quantities));

  const set = useCallback((productId: number, quantity: number) => {
    setEdited((before) => ({ ...before, quantities: new Map(before.quantities).set(productId, quantity) }));
  }, []);
  const { quantities: ordered } = loaded;
  const type = useCallback(
    (product: Product, text: string) => set(product.id, typedQuantity(text, product, stopsAtLimits ? ordered : null)),
    [set, ordered, stopsAtLimits],
  );

  const changes = useMemo(() => changesBetween(loaded.quantities, quantities), [loaded, quantities]);
  const unsaved = useMemo(() => joined(offer, changes), [offer, changes]);
  useKeptDraft(draft, unsaved.length > 0 ? unsaved : null);

  const restore = (): void => {
    const merged = mergeInto(loaded.quantities, withChanges(loaded.quantities, unsaved, 'from'), withChanges(loaded.quantities, unsaved));
    setEdited({ loaded, quantities: merged.quantities, conflicts: merged.conflicts.length > 0 ? merged.conflicts : null });
    setOffer([]);
  };
  const rebase = (order: Order | null): void => {
    const now = loadedOf(order);
    setEdited((before) =>
      now.version === before.loaded.version
        ? before
        : { loaded: now, ...mergeInto(now.quantities, before.loaded.quantities, before.quantities) },
    );
  };

  return {
    loaded: loaded.quantities,
    quantities,
    changes,
    version: loaded.version,
    type,
    set,
    offered: offer.length,
    restore,
    discard: () => setOffer([]),
    conflicts,
    rebase,
    forgetDraft: () => draft.clear(),
  };
}
