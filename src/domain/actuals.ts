// Which units are weighed, whether all are, and what an order comes to with what is known so far (contract §6, §7).
// Only products with unit_qty_is_estimate are weighed; each ordered unit has one actual quantity, found by its position.
import { weighingBlockedReason } from './distribution.ts';
import { type Fee, feesInSequence, totalWith } from './fees.ts';
import { cents, type Cents, sum, times } from './money.ts';
import { lineTotal, type Priced, priceOf } from './order.ts';
import type { Role } from './accounts/roles.ts';
import { thousandths, weighedPrice, weightNumber, weightOf } from './weight.ts';
import { BAD_ACTUAL, NEGATIVE_ACTUAL, noUnit, WEIGHTS_ARE_FINAL } from './texts.ts';

export interface Actual {
  readonly sortOrder: number;
  readonly actualQuantity: number;
}

/** A line of an order, with the product fields that decide its cost. */
export interface OrderedLine extends Priced {
  readonly orderProductId: number;
  readonly quantity: number;
  readonly unit_qty_is_estimate: boolean;
  readonly actuals: readonly Actual[];
}

type Weighing = Pick<OrderedLine, 'quantity' | 'unit_qty_is_estimate' | 'actuals'>;

/** Gives each line the rows of actual_quantities that are its own. */
export function withActuals<L extends { readonly orderProductId: number }, A extends Actual & { readonly orderProductId: number }>(
  lines: readonly L[],
  actuals: readonly A[],
): (L & { readonly actuals: A[] })[] {
  const byLine = Map.groupBy(actuals, (actual) => actual.orderProductId);
  return lines.map((line) => ({ ...line, actuals: byLine.get(line.orderProductId) ?? [] }));
}

/** '{orderProductId}-{index}', how a unit is named when its weight is sent (spec §7). */
export const unitKey = (orderProductId: number, index: number): string => `${orderProductId}-${index}`;

/** The unit that a key names; null unless it is written as unitKey writes it. */
export function parseUnitKey(key: string): { orderProductId: number; index: number } | null {
  const [, orderProductId, index] = /^([1-9]\d{0,14})-(0|[1-9]\d{0,14})$/.exec(key) ?? [];
  return orderProductId && index ? { orderProductId: Number(orderProductId), index: Number(index) } : null;
}

const BASIS = '-was';

/** How the value is named that a unit's new weight is based on. */
export const basisKey = (key: string): string => `${key}${BASIS}`;

/** A weight, or what it is based on; null: the unit was not weighed. */
type Sent = Readonly<Record<string, number | null>>;

/** The unit that a key of a save names, by its weight or by what that is based on. */
export const unitOfSentKey = (key: string): string => (key.endsWith(BASIS) ? key.slice(0, -BASIS.length) : key);

/** What a save sends: weights by their units, and what some of them are based on. */
export function weightsAndBases(sent: Sent): { weights: Record<string, number>; bases: Record<string, number | null> } {
  const weights: Record<string, number> = {};
  const bases: Record<string, number | null> = {};
  for (const [key, value] of Object.entries(sent)) {
    if (key.endsWith(BASIS)) bases[unitOfSentKey(key)] = value;
    else if (value !== null) weights[key] = value;
  }
  return { weights, bases };
}

/** A weight of the family that staff have not confirmed. */
export const isUnconfirmed = (recorded: { readonly byRole: Role }): boolean => recorded.byRole === 'customer';

/** Whether this role may record another weight: one that staff recorded is changed by staff alone (contract §6). */
export const mayOverwrite = (role: Role, recorded: { readonly byRole: Role } | null): boolean =>
  role !== 'customer' || recorded === null || isUnconfirmed(recorded);

/** The actual quantities of the units that are ordered; what a lowered quantity left behind does not count. */
export const recordedUnits = <A extends Actual>(line: Omit<Weighing, 'actuals'> & { readonly actuals: readonly A[] }): readonly A[] =>
  line.unit_qty_is_estimate ? line.actuals.filter((actual) => actual.sortOrder < line.quantity) : [];

/** Of a line with more units than this those that are not weighed are listed as one: our choice, so that no page freezes. */
const MOST_LISTED = 1000;

interface ListedUnits<A extends Actual> {
  /** By position, from 0; null where nothing is recorded. */
  readonly units: readonly { readonly index: number; readonly actual: A | null }[];
  /** How many more there are, none of them weighed. */
  readonly folded: number;
}

/** One for each ordered unit of a line that is weighed. */
export function listedUnits<A extends Actual>({ quantity, actuals }: { quantity: number; actuals: readonly A[] }): ListedUnits<A> {
  const recorded = actuals.filter((actual) => actual.sortOrder < quantity);
  if (quantity > MOST_LISTED && recorded.length < quantity) {
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

/** Outside half to double the estimate: asked about once and shown to staff, never refused (contract §6). */
export const isUnusual = (actualQuantity: number, unit_qty: number): boolean =>
  actualQuantity * 2 < unit_qty || actualQuantity > unit_qty * 2;

/** Ten times the estimate or a tenth of it, as a decimal point that was missed makes it; 0 says that it was not delivered. */
export const isFarOff = (actualQuantity: number, unit_qty: number): boolean =>
  actualQuantity > 0 && (actualQuantity * 10 <= unit_qty || actualQuantity >= unit_qty * 10);

/** Why entered weights are refused, or null; nothing is saved then (contract §6). */
export function actualsProblem(lines: readonly OrderedLine[], entered: Readonly<Record<string, number>>): string | null {
  const byId = new Map(lines.map((line) => [line.orderProductId, line]));
  for (const [key, actualQuantity] of Object.entries(entered)) {
    const unit = parseUnitKey(key);
    const line = byId.get(unit?.orderProductId ?? 0);
    if (!unit || !line?.unit_qty_is_estimate || unit.index >= line.quantity) return noUnit(key);
    if (actualQuantity < 0) return NEGATIVE_ACTUAL;
    if (weightOf(actualQuantity) === null) return BAD_ACTUAL;
  }
  return null;
}

/** The units and weights that a map without a problem names. */
export const unitsIn = (entered: Readonly<Record<string, number>>): (Actual & { readonly orderProductId: number })[] =>
  Object.entries(entered).flatMap(([key, weight]) => {
    const unit = parseUnitKey(key);
    const actualQuantity = weightNumber(thousandths(weightOf(weight)));
    return unit ? [{ orderProductId: unit.orderProductId, sortOrder: unit.index, actualQuantity }] : [];
  });

/** Why this person may not enter weights of an order now, or null: a customer's own entry ends with its first payment (contract §6). */
export const entryBlockedReason = (order: { readonly acceptActuals: boolean; readonly hasPayments: boolean }, role: Role): string | null =>
  weighingBlockedReason(order) ?? (role === 'customer' && order.hasPayments ? WEIGHTS_ARE_FINAL : null);

export const actualPrice = (line: Priced, actual: Actual): Cents =>
  weighedPrice(line.unit_price, thousandths(weightOf(actual.actualQuantity)));

/** What is certain of a line: its weighed units, or all of it where nothing is to be weighed. */
const weighedTotal = (line: OrderedLine): Cents =>
  line.unit_qty_is_estimate ? sum(recordedUnits(line).map((actual) => actualPrice(line, actual))) : lineTotal(line, line.quantity);

/** The subtotal of the printed order: units that are not weighed yet do not count (contract §7). */
export const weighedSubtotal = (lines: readonly OrderedLine[]): Cents => sum(lines.map(weighedTotal));

/** What the units that are not weighed yet come to at their estimate. */
export const estimatedSubtotal = (lines: readonly OrderedLine[]): Cents =>
  sum(lines.map((line) => times(priceOf(line), unweighedCount([line]))));

/** orderAmount: the printed total with unweighed units at their estimate; an order of nothing costs nothing (contract §5, §7). */
export function orderedAmount(lines: readonly OrderedLine[], fees: readonly Fee[]): Cents {
  if (!hasUnits(lines)) return cents(0);
  const subtotal = sum([weighedSubtotal(lines), estimatedSubtotal(lines)]);
  return totalWith(subtotal, feesInSequence(fees, subtotal));
}

export const hasUnits = (lines: readonly { readonly quantity: number }[]): boolean => lines.some((line) => line.quantity > 0);
