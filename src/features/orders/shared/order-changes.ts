// Computes the changes that the user typed, and merges them when another person or device has changed the order (contract §5, §10).
import * as z from 'zod/mini';
import { clampQuantity, type Orderable, type Quantities } from '../../../domain/order.ts';

const Change = z.object({ productId: z.int(), from: z.int(), to: z.int() });
export type Change = Readonly<z.infer<typeof Change>>;

/** A conflict: for the same line, another person or device has saved another quantity than the user typed. */
export interface Conflict {
  readonly productId: number;
  readonly mine: number;
  readonly theirs: number;
}

const idsOf = (...all: readonly Quantities[]): Set<number> => new Set(all.flatMap((quantities) => [...quantities.keys()]));

export function changesBetween(loaded: Quantities, current: Quantities): Change[] {
  return [...idsOf(loaded, current)]
    .map((productId) => ({ productId, from: loaded.get(productId) ?? 0, to: current.get(productId) ?? 0 }))
    .filter(({ from, to }) => from !== to);
}

/**
 * Returns the loaded quantities with other quantities for the changed products. If `side` is 'from', these are the old quantities of the
 * changes; if it is 'to', they are the new ones.
 */
export const withChanges = (loaded: Quantities, changes: readonly Change[], side: 'from' | 'to' = 'to'): Quantities =>
  new Map([...loaded, ...changes.map((change): [number, number] => [change.productId, change[side]])]);

/** Combines two sets of changes. If both change a product, the result has the quantity of the later change. */
export function joined(earlier: readonly Change[], later: readonly Change[]): Change[] {
  const byProduct = new Map(earlier.map((change) => [change.productId, change]));
  for (const change of later) byProduct.set(change.productId, { ...change, from: byProduct.get(change.productId)?.from ?? change.from });
  return [...byProduct.values()];
}

/**
 * Merges the user's changes into the current order. Lines that the user changed keep the typed quantity; other lines take the current
 * quantity of the order.
 */
export function mergeInto(theirs: Quantities, loaded: Quantities, mine: Quantities): { quantities: Quantities; conflicts: Conflict[] } {
  const quantities = new Map<number, number>();
  const conflicts: Conflict[] = [];
  for (const productId of idsOf(theirs, loaded, mine)) {
    const [was, wanted, now] = [loaded, mine, theirs].map((one) => one.get(productId) ?? 0) as [number, number, number];
    quantities.set(productId, wanted === was ? now : wanted);
    if (now !== was && now !== wanted) conflicts.push({ productId, mine: wanted, theirs: now });
  }
  return { quantities, conflicts };
}

/**
 * Returns those changes of a draft that can be restored. The product must still be offered. The quantity, reduced to the product's maximum,
 * must still differ from the loaded order.
 */
export function restorable(draft: unknown, products: readonly Orderable[], loaded: Quantities): Change[] {
  if (!Array.isArray(draft)) return [];
  const offered = new Map(products.map((product) => [product.id, product]));
  return draft.flatMap((stored) => {
    const { data: change } = Change.safeParse(stored);
    if (!change) return [];
    const product = offered.get(change.productId);
    const to = clampQuantity(change.to, product?.max_order_qty);
    return product && to !== (loaded.get(product.id) ?? 0) ? [{ ...change, to }] : [];
  });
}
