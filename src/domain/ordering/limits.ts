// Computes how many units of a product, and how many places in a pick-up time, are left (contract §12, §16).
import type { Quantities, QuantityLine } from '../order.ts';
import {
  aboveMaximum,
  canBeOrderedNow,
  notInDistribution,
  notOfferedAnyMore,
  withoutLimit,
  CHOOSE_SLOT,
  NO_SUCH_SLOT,
  onlyLeft,
  SLOT_IS_FULL,
} from '../texts.ts';

interface Limited {
  readonly id: number;
  readonly name: string;
  /** The number of further units that may be ordered; null: no limit. */
  readonly left: number | null;
}

/** The message that names the first product of the order with too few units left, or null. Lowering a quantity is always allowed. */
export function limitProblem(products: readonly Limited[], lines: readonly QuantityLine[], before: Quantities): string | null {
  const byId = new Map(products.map((product) => [product.id, product]));
  for (const { productId, quantity } of lines) {
    const product = byId.get(productId);
    if (product && !fits(product.left, quantity - (before.get(productId) ?? 0))) return onlyLeft(product.name, product.left ?? 0);
  }
  return null;
}

const fits = (left: number | null, more: number): boolean => !isLimited(left) || more <= 0 || more <= left;

/** Whether the product has a limit. `left` is undefined in responses of a server of the previous version. */
export const isLimited = (left: number | null | undefined): left is number => typeof left === 'number';

/** Customers see the number of units left when at most this many are left. */
const FEW = 10;
export const isScarce = (left: number | null | undefined): left is number => isLimited(left) && left <= FEW;

interface WantedUnits {
  readonly productId: number;
  /** The product of the entry; undefined when the product belongs to another distribution. */
  readonly product: (Limited & { readonly max_order_qty: number | null; readonly notOffered: boolean }) | undefined;
  readonly quantity: number;
  /** The quantity that the customer has already ordered. */
  readonly ordered: number;
}

interface Refusal {
  readonly sentence: string;
  readonly status: 400 | 409;
}

/**
 * Returns why a customer cannot join the waiting list for these units, or null. A customer cannot wait for units that can be ordered now.
 */
export function waitingProblem({ productId, product, quantity, ordered }: WantedUnits): Refusal | null {
  if (!product) return { sentence: notInDistribution(productId), status: 400 };
  const { name, left, max_order_qty: max } = product;
  if (product.notOffered) return { sentence: notOfferedAnyMore(name), status: 409 };
  if (!isLimited(left)) return { sentence: withoutLimit(name), status: 409 };
  if (max && ordered + quantity > max) return { sentence: aboveMaximum(name, max), status: 400 };
  return quantity <= left ? { sentence: canBeOrderedNow(name, left), status: 409 } : null;
}

export interface Slot {
  readonly id: number;
  readonly capacity: number;
  /** The number of other orders with this pick-up time. */
  readonly taken: number;
}

interface Choice {
  readonly slotId: number | null;
  /** The pick-up time of the saved order. A customer keeps this time, even if staff overbooked it. */
  readonly savedSlotId: number | null;
  /** The pick-up times that the order may refer to. */
  readonly slots: readonly Slot[];
  readonly hasSlots: boolean;
}

/**
 * Returns why a customer's order cannot have this pick-up time, with the HTTP status of the refusal, or null. Staff may omit the pick-up
 * time, and may overbook it.
 */
export function slotProblem({ slotId, savedSlotId, slots, hasSlots }: Choice, { byStaff }: { readonly byStaff: boolean }): Refusal | null {
  if (slotId === null) return hasSlots && !byStaff ? { sentence: CHOOSE_SLOT, status: 400 } : null;
  const slot = slots.find(({ id }) => id === slotId);
  if (!slot) return { sentence: NO_SUCH_SLOT, status: 400 };
  return !byStaff && slotId !== savedSlotId && slot.taken >= slot.capacity ? { sentence: SLOT_IS_FULL, status: 409 } : null;
}
