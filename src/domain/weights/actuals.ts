// Decides which units are weighed, whether an order is fully weighed, and what it costs with the weights known so far (contract §6, §7).
// Only products with unit_qty_is_estimate are weighed. Each of their ordered units has one actual quantity, which is identified by the
// order line and the unit's position in it.
import { weighingBlockedReason } from '../distribution.ts';
import { type Fee, feesInSequence, totalWith } from '../fees.ts';
import { cents, type Cents, sum, times } from '../money.ts';
import { lineTotal, type Priced, priceOf } from '../order.ts';
import type { Role } from '../accounts/roles.ts';
import { thousandths, weighedPrice, weightNumber, weightOf } from './weight.ts';
import { BAD_ACTUAL, NEGATIVE_ACTUAL, noUnit, WEIGHTS_ARE_FINAL } from '../texts.ts';

export interface Actual {
  readonly sortOrder: number;
  readonly actualQuantity: number;
}

export interface OrderedLine extends Priced {
  readonly orderProductId: number;
  readonly quantity: number;
  readonly unit_qty_is_estimate: boolean;
  readonly actuals: readonly Actual[];
}

/** The fields of an order line that decide which units are weighed. */
export type LineToWeigh = Pick<OrderedLine, 'orderProductId' | 'quantity' | 'unit_qty_is_estimate'>;

type Weighing = Pick<OrderedLine, 'quantity' | 'unit_qty_is_estimate' | 'actuals'>;

/** Adds to each order line its rows of the table actual_quantities. */
export function withActuals<L extends { readonly orderProductId: number }, A extends Actual & { readonly orderProductId: number }>(
  lines: readonly L[],
  actuals: readonly A[],
): (L & { readonly actuals: A[] })[] {
  const byLine = Map.groupBy(actuals, (actual) => actual.orderProductId);
  return lines.map((line) => ({ ...line, actuals: byLine.get(line.orderProductId) ?? [] }));
}

/** Returns the key of a unit's weight in a request: '{orderProductId}-{index}' (spec §7). */
export const unitKey = (orderProductId: number, index: number): string => `${orderProductId}-${index}`;

/** Parses a unit's key. Returns null for a string that unitKey never produces. */
export function parseUnitKey(key: string): { orderProductId: number; index: number } | null {
  const [, orderProductId, index] = /^([1-9]\d{0,14})-(0|[1-9]\d{0,14})$/.exec(key) ?? [];
  return orderProductId && index ? { orderProductId: Number(orderProductId), index: Number(index) } : null;
}

const BASIS = '-was';

/** Returns the key of a unit's earlier weight in a request: the weight that the user saw before entering the new one. */
export const previousValueKey = (key: string): string => `${key}${BASIS}`;

/** Maps the keys of units to their new and earlier weights. Null means that the unit had no weight. */
type SentWeights = Readonly<Record<string, number | null>>;

/** Returns the key of the unit for a key in a request, which may be the key of the new weight or of the earlier weight. */
export const unitOfSentKey = (key: string): string => (key.endsWith(BASIS) ? key.slice(0, -BASIS.length) : key);

/** Splits a request into the new weights and the earlier weights (`bases`). Both results map the keys of units to weights. */
export function weightsAndBases(sent: SentWeights): { weights: Record<string, number>; bases: Record<string, number | null> } {
  const weights: Record<string, number> = {};
  const bases: Record<string, number | null> = {};
  for (const [key, value] of Object.entries(sent)) {
    if (key.endsWith(BASIS)) bases[unitOfSentKey(key)] = value;
    else if (value !== null) weights[key] = value;
  }
  return { weights, bases };
}

/** Whether the customer recorded the weight and staff have not confirmed it. */
export const isUnconfirmed = (recorded: { readonly byRole: Role }): boolean => recorded.byRole === 'customer';

/** Whether this role may change a recorded weight: only staff change a weight that staff recorded (contract §6). */
export const mayOverwrite = (role: Role, recorded: { readonly byRole: Role } | null): boolean =>
  role !== 'customer' || recorded === null || isUnconfirmed(recorded);

/**
 * Whether a customer's weights differ from the weights that staff recorded last for the same units (contract §6). `ofStaff` also contains
 * units that have no weight now: lowering a quantity removes weights, and the customer may have raised the quantity again.
 */
export const replacesStaffWeights = (weights: Readonly<Record<string, number>>, ofStaff: ReadonlyMap<string, number | null>): boolean =>
  Object.entries(weights).some(([unit, weight]) => (ofStaff.get(unit) ?? weight) !== weight);

/** Returns the actual quantities of the units that are still ordered. The weights of units that were removed do not count. */
export const recordedUnits = <A extends Actual>(line: Omit<Weighing, 'actuals'> & { readonly actuals: readonly A[] }): readonly A[] =>
  line.unit_qty_is_estimate ? line.actuals.filter((actual) => actual.sortOrder < line.quantity) : [];

/**
 * Counts the weights of an order that the customer recorded and staff have not confirmed. Apart from staff, only the customer of the order
 * can record weights in it.
 */
export const unconfirmedCount = (
  lines: readonly (Omit<Weighing, 'actuals'> & { readonly actuals: readonly (Actual & { readonly updatedBy: number })[] })[],
  customerId: number,
): number => lines.flatMap(recordedUnits).filter((unit) => unit.updatedBy === customerId).length;

/** If a line has more units than this, its unweighed units are listed as one row, so that the page does not freeze (our choice). */
const MAX_LISTED = 1000;

interface ListedUnits<A extends Actual> {
  /** The listed units with their positions, starting with 0. `actual` is null when no weight is recorded. */
  readonly units: readonly { readonly index: number; readonly actual: A | null }[];
  /** The number of further units that are not listed; none of them is weighed. */
  readonly folded: number;
}

/** Returns one entry for each ordered unit of a line whose product is weighed; in a very long line, only for the weighed units. */
export function listedUnits<A extends Actual>({ quantity, actuals }: { quantity: number; actuals: readonly A[] }): ListedUnits<A> {
  const recorded = actuals.filter((actual) => actual.sortOrder < quantity);
  if (quantity > MAX_LISTED && recorded.length < quantity) {
    const units = recorded.toSorted((a, b) => a.sortOrder - b.sortOrder).map((actual) => ({ index: actual.sortOrder, actual }));
    return { units, folded: quantity - units.length };
  }
  const byPosition = new Map(recorded.map((actual) => [actual.sortOrder, actual]));
  return { units: Array.from({ length: quantity }, (_, index) => ({ index, actual: byPosition.get(index) ?? null })), folded: 0 };
}

const total = (counts: readonly number[]): number => counts.reduce((sofar, count) => sofar + count, 0);

export const expectedCount = (lines: readonly Weighing[]): number =>
  total(lines.map((line) => (line.unit_qty_is_estimate ? line.quantity : 0)));
export const unweighedCount = (lines: readonly Weighing[]): number =>
  expectedCount(lines) - total(lines.map((line) => recordedUnits(line).length));
export const hasAllActuals = (lines: readonly Weighing[]): boolean => unweighedCount(lines) === 0;

function weightProblem(actualQuantity: number): string | null {
  if (actualQuantity < 0) return NEGATIVE_ACTUAL;
  return weightOf(actualQuantity) === null ? BAD_ACTUAL : null;
}

/** Returns the message for the first of these numbers that is not a valid weight; null if all are valid (contract §6). */
export const weightsProblem = (weights: Readonly<Record<string, number>>): string | null =>
  Object.values(weights)
    .map(weightProblem)
    .find((problem) => problem !== null) ?? null;

/**
 * Returns the sentence that says why the entered weights are refused, or null. When one weight is refused, none is saved (contract §6).
 * Null instead of a weight means that the recorded weight is to be removed.
 */
export function actualsProblem(lines: readonly LineToWeigh[], entered: Readonly<Record<string, number | null>>): string | null {
  const byId = new Map(lines.map((line) => [line.orderProductId, line]));
  for (const [key, actualQuantity] of Object.entries(entered)) {
    const unit = parseUnitKey(key);
    const line = byId.get(unit?.orderProductId ?? 0);
    if (!unit || !line?.unit_qty_is_estimate || unit.index >= line.quantity) return noUnit(key);
    const problem = actualQuantity === null ? null : weightProblem(actualQuantity);
    if (problem !== null) return problem;
  }
  return null;
}

/** Converts entered weights to a list of units with their weights. `actualsProblem` must have accepted them. */
export const unitsIn = (entered: Readonly<Record<string, number>>): (Actual & { readonly orderProductId: number })[] =>
  Object.entries(entered).flatMap(([key, weight]) => {
    const unit = parseUnitKey(key);
    const actualQuantity = weightNumber(thousandths(weightOf(weight)));
    return unit ? [{ orderProductId: unit.orderProductId, sortOrder: unit.index, actualQuantity }] : [];
  });

/**
 * Returns the reason why this person may not enter weights now, or null. A customer may not enter weights after the first payment (contract
 * §6).
 */
export const entryBlockedReason = (order: { readonly acceptActuals: boolean; readonly hasPayments: boolean }, role: Role): string | null =>
  weighingBlockedReason(order) ?? (role === 'customer' && order.hasPayments ? WEIGHTS_ARE_FINAL : null);

export const actualPrice = (line: Priced, actual: Actual): Cents =>
  weighedPrice(line.unit_price, thousandths(weightOf(actual.actualQuantity)));

/** Returns the cost of a line's weighed units, or the cost of the whole line when its product is not weighed. */
const weighedTotal = (line: OrderedLine): Cents =>
  line.unit_qty_is_estimate ? sum(recordedUnits(line).map((actual) => actualPrice(line, actual))) : lineTotal(line, line.quantity);

/** Returns the subtotal of the printed order, to which unweighed units contribute nothing (contract §7). */
export const weighedSubtotal = (lines: readonly OrderedLine[]): Cents => sum(lines.map(weighedTotal));

export const estimatedSubtotal = (lines: readonly OrderedLine[]): Cents =>
  sum(lines.map((line) => times(priceOf(line), unweighedCount([line]))));

/**
 * Computes the field orderAmount: the total with fees, with unweighed units at their estimate. The amount is 0 when nothing is ordered
 * (contract §5, §7).
 */
export function orderedAmount(lines: readonly OrderedLine[], fees: readonly Fee[]): Cents {
  if (!hasUnits(lines)) return cents(0);
  const subtotal = sum([weighedSubtotal(lines), estimatedSubtotal(lines)]);
  return totalWith(subtotal, feesInSequence(fees, subtotal));
}

export const hasUnits = (lines: readonly { readonly quantity: number }[]): boolean => lines.some((line) => line.quantity > 0);
