// Decides whether enough units of a product and enough places in a pick-up time are left for an order (contract §12, §16).
import type { Quantities, QuantityLine } from '../order.ts';
import {
  aboveLimit,
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

/**
 * For how many hours freed units are held for the next customer on the waiting list. The SQL functions settle_waiting_list_v2 and move_holds_v1
 * contain the same number.
 */
export const HOLD_HOURS = 12;

interface Limited {
  readonly id: number;
  readonly name: string;
  /** The number of further units that can be ordered; null means that there is no limit. */
  readonly left: number | null;
}

export interface LimitProblem {
  readonly productId: number;
  /** The message that names the product and the number of units left. */
  readonly sentence: string;
}

/**
 * Returns the products of the order with too few units left, in the sequence of the order. Lowering a quantity is always allowed.
 */
export function limitProblems(products: readonly Limited[], lines: readonly QuantityLine[], before: Quantities): LimitProblem[] {
  const byId = new Map(products.map((product) => [product.id, product]));
  return lines.flatMap(({ productId, quantity }) => {
    const product = byId.get(productId);
    if (!product || fits(product.left, quantity - (before.get(productId) ?? 0))) return [];
    return [{ productId, sentence: onlyLeft(product.name, product.left ?? 0) }];
  });
}

/**
 * Returns the limit problems for which the staff member has not confirmed that the order may exceed the limit. `confirmed` contains the ids of
 * the products for which this was confirmed.
 */
export const unconfirmedProblems = (problems: readonly LimitProblem[], confirmed: readonly number[]): readonly LimitProblem[] =>
  problems.filter(({ productId }) => !confirmed.includes(productId));

const fits = (left: number | null, more: number): boolean => !isLimited(left) || more <= 0 || more <= left;

/**
 * Whether the number of units of a product is limited. `left` is undefined when the server runs the previous version, which does not send
 * it.
 */
export const isLimited = (left: number | null | undefined): left is number => typeof left === 'number';

/** How many more units of a product are ordered than its limit allows. No order changes then, but customers cannot order more. */
export const unitsOver = (limit: number | null, ordered: number): number => (limit === null ? 0 : Math.max(0, ordered - limit));
export const isBelowOrdered = (limit: number | null, ordered: number): boolean => unitsOver(limit, ordered) > 0;

/** The largest number of units left that customers see. If more units are left, customers see no number. */
const FEW = 10;
export const isScarce = (left: number | null | undefined): left is number => isLimited(left) && left <= FEW;

interface WaitedFor extends Limited {
  readonly max_order_qty: number | null;
  /** The limit for all orders together; null means that there is no limit. */
  readonly total_limit: number | null;
  readonly notOffered: boolean;
}

interface WantedUnits {
  readonly productId: number;
  /** The product with the id `productId`; null when the distribution has no such product. */
  readonly product: WaitedFor | null;
  readonly quantity: number;
  /** The quantity that the customer has already ordered. */
  readonly ordered: number;
}

interface Refusal {
  readonly sentence: string;
  readonly status: 400 | 409;
}

/**
 * Returns the reason why a customer cannot join the waiting list for these units, or null. Units that can be ordered now have no waiting
 * list.
 */
export function waitingProblem({ productId, product, quantity, ordered }: WantedUnits): Refusal | null {
  if (!product) return { sentence: notInDistribution(productId), status: 400 };
  const { name, left, max_order_qty: max, total_limit: limit } = product;
  if (product.notOffered) return { sentence: notOfferedAnyMore(name), status: 409 };
  if (!isLimited(left)) return { sentence: withoutLimit(name), status: 409 };
  if (max && ordered + quantity > max) return { sentence: aboveMaximum(name, max), status: 400 };
  // The limit is too small for these units, even if all other customers gave up theirs.
  if (limit !== null && ordered + quantity > limit) return { sentence: aboveLimit(name, limit), status: 409 };
  return quantity <= left ? { sentence: canBeOrderedNow(name, left), status: 409 } : null;
}

interface Slot {
  readonly id: number;
  readonly capacity: number;
  /** The number of other orders with this pick-up time. */
  readonly taken: number;
}

/** Whether an order raises the quantity of a product. A new order raises all its quantities. */
export const raisesQuantity = (lines: readonly QuantityLine[], before: Quantities): boolean =>
  lines.some(({ productId, quantity }) => quantity > (before.get(productId) ?? 0));

interface ChangeOfSlot {
  readonly slotId: number | null;
  /** The pick-up time of the order as it is saved. The customer may keep this time even if staff have overbooked it. */
  readonly savedSlotId: number | null;
  /** Whether the order raises the quantity of a product. */
  readonly isRaised: boolean;
}

/**
 * Whether a customer must choose a pick-up time before saving, in a distribution with pick-up times. A save that only lowers quantities and
 * keeps the pick-up time needs none, because lowering always works (contract §12). An order may be older than the pick-up times. If all of
 * them are full, the customer could otherwise not lower an older order.
 */
export const needsSlot = ({ slotId, savedSlotId, isRaised }: ChangeOfSlot): boolean => isRaised || slotId !== savedSlotId;

interface Choice extends ChangeOfSlot {
  /** The pick-up times with the ids `slotId` and `savedSlotId`, if they are in the distribution. */
  readonly slots: readonly Slot[];
  readonly hasSlots: boolean;
}

/**
 * Returns the reason why an order cannot have this pick-up time, with the HTTP status of the response, or null. Staff may save an order
 * without a pick-up time, and may overbook a pick-up time.
 */
export function slotProblem(choice: Choice, { byStaff }: { readonly byStaff: boolean }): Refusal | null {
  const { slotId, savedSlotId, slots, hasSlots } = choice;
  if (slotId === null) return hasSlots && !byStaff && needsSlot(choice) ? { sentence: CHOOSE_SLOT, status: 400 } : null;
  const slot = slots.find(({ id }) => id === slotId);
  if (!slot) return { sentence: NO_SUCH_SLOT, status: 400 };
  return !byStaff && slotId !== savedSlotId && slot.taken >= slot.capacity ? { sentence: SLOT_IS_FULL, status: 409 } : null;
}
