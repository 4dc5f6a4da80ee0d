// Computes the state of the weights typed for an order, unit by unit (spec §2 actual quantities page; contract §6).
import {
  previousValueKey,
  isUnconfirmed,
  mayOverwrite,
  parseUnitKey,
  unitKey,
  withActuals,
  type OrderedLine,
} from '../../../domain/weights/actuals.ts';
import { isImplausible } from '../../../domain/weights/plausibility.ts';
import type { Role } from '../../../domain/accounts/roles.ts';
import { parseWeight, thousandths, weightNumber, weightOf, weightText } from '../../../domain/weights/weight.ts';
import type { OrderForActuals, ProductToWeigh } from '../contract.ts';

/** One ordered unit of a product. `recorded` is null when the unit has no weight. */
export interface Unit {
  readonly key: string;
  readonly index: number;
  readonly product: ProductToWeigh;
  readonly recorded: ProductToWeigh['actuals'][number] | null;
  /** True if staff recorded the weight and the viewer is a customer, who cannot change it. */
  readonly isLocked: boolean;
  /** True if the customer recorded the weight and the viewer is staff. Saving the same weight confirms it. */
  readonly isUnconfirmed: boolean;
}

export interface TypedWeight {
  readonly text: string;
  /** The weight that was recorded when the user began to type, as text. */
  readonly before: string;
}
export type Typed = Readonly<Record<string, TypedWeight>>;

/**
 * The ordered units of an order. They are created on access, so that an order with a million units by mistake opens as fast as any other
 * order.
 */
export interface Units {
  readonly count: number;
  readonly first: (count: number) => Unit[];
  /** Returns the unit with this key, or null if no such unit is ordered. */
  readonly find: (key: string) => Unit | null;
  /** Returns the units of the products with this code, at most `most` of each product. */
  readonly ofCode: (productCode: number, most: number) => Unit[];
  /** Returns the position of the unit among all units of the order, starting with 0. */
  readonly positionOf: (unit: Unit) => number;
}

export function unitsOf(products: readonly ProductToWeigh[], role: Role = 'distributor'): Units {
  const made = new Map<string, Unit>();
  let count = 0;
  const lines = products.map((product) => {
    const start = count;
    count += product.quantityOrdered;
    return { product, start, recorded: new Map(product.actuals.map((actual) => [actual.sortOrder, actual])) };
  });
  const byLine = new Map(lines.map((line) => [line.product.orderProductId, line]));
  const unitAt = ({ product, recorded }: (typeof lines)[number], index: number): Unit => {
    const key = unitKey(product.orderProductId, index);
    const known = made.get(key);
    if (known) return known;
    const actual = recorded.get(index) ?? null;
    const isLocked = !mayOverwrite(role, actual);
    const unit = {
      key,
      index,
      product,
      recorded: actual,
      isLocked,
      isUnconfirmed: role !== 'customer' && !!actual && isUnconfirmed(actual),
    };
    made.set(key, unit);
    return unit;
  };
  return {
    count,
    first: (wanted) =>
      lines.flatMap((line) => {
        const length = Math.max(0, Math.min(line.product.quantityOrdered, wanted - line.start));
        return Array.from({ length }, (_, index) => unitAt(line, index));
      }),
    find: (key) => {
      const named = parseUnitKey(key);
      const line = named && byLine.get(named.orderProductId);
      return line && named.index < line.product.quantityOrdered ? unitAt(line, named.index) : null;
    },
    ofCode: (productCode, most) =>
      lines
        .filter(({ product }) => product.productCode === productCode)
        .flatMap((line) => Array.from({ length: Math.min(most, line.product.quantityOrdered) }, (_, index) => unitAt(line, index))),
    positionOf: ({ product, index }) => (byLine.get(product.orderProductId)?.start ?? 0) + index,
  };
}

export const typedUnits = (units: Units, typed: Typed): Unit[] =>
  Object.keys(typed)
    .flatMap((key) => units.find(key) ?? [])
    .toSorted((a, b) => units.positionOf(a) - units.positionOf(b));

/** Formats the number of a recorded weight, for example as '4.87'. */
export const quantityText = (actualQuantity: number): string => weightText(thousandths(weightOf(actualQuantity)));

export const recordedText = (unit: Unit): string => (unit.recorded ? quantityText(unit.recorded.actualQuantity) : '');
export const shownText = (unit: Unit, text: string | undefined): string =>
  unit.isLocked ? recordedText(unit) : (text ?? recordedText(unit));

export function numberIn(text: string): number | null {
  const weight = parseWeight(text);
  return weight === null ? null : weightNumber(weight);
}

export type Entry =
  | { readonly kind: 'same' | 'unreadable' }
  | { readonly kind: 'weight'; readonly actualQuantity: number; readonly isUnusual: boolean };

/** Returns what a unit's field contains: the recorded weight, a new weight, or an invalid text. */
export function entryOf(unit: Unit, text: string | undefined): Entry {
  if (text === undefined || text.trim() === '' || unit.isLocked) return { kind: 'same' };
  const actualQuantity = numberIn(text);
  if (actualQuantity === null) return { kind: 'unreadable' };
  if (actualQuantity === unit.recorded?.actualQuantity && !unit.isUnconfirmed) return { kind: 'same' };
  return { kind: 'weight', actualQuantity, isUnusual: isImplausible(actualQuantity, unit.product) };
}

/**
 * Returns the typed weight after the user has changed the text of the field, which contained `earlier`. A weight that another user has
 * recorded meanwhile is not the one that the user has typed over, so `before` stays until the field is emptied.
 */
export const typedOver = (unit: Unit, text: string, earlier: TypedWeight | undefined): TypedWeight => ({
  text,
  before: earlier && earlier.text.trim() !== '' ? earlier.before : recordedText(unit),
});

/** Whether another user has recorded a different weight since the user typed one. What staff type replaces a customer's weight. */
export const hasConflict = (unit: Unit, typed: TypedWeight | undefined): boolean =>
  typed !== undefined && !unit.isUnconfirmed && typed.before !== recordedText(unit) && entryOf(unit, typed.text).kind === 'weight';

/** Returns the weight in a unit's field; null when the field is empty or unreadable. */
export const weightIn = (unit: Unit, text: string | undefined): number | null => numberIn(shownText(unit, text));

export function changedWeights(units: Units, typed: Typed): Record<string, number> {
  const changed: Record<string, number> = {};
  for (const unit of typedUnits(units, typed)) {
    const entry = entryOf(unit, typed[unit.key]?.text);
    if (entry.kind === 'weight') changed[unit.key] = entry.actualQuantity;
  }
  return changed;
}

/**
 * Returns the changed weights, each with the weight that the user saw before typing, so that the server can refuse to overwrite a newer
 * weight.
 */
export function sentWeights(units: Units, typed: Typed): Record<string, number | null> {
  const changed = changedWeights(units, typed);
  const bases = Object.keys(changed).map((key) => [previousValueKey(key), numberIn(typed[key]?.before ?? '')]);
  return { ...changed, ...Object.fromEntries(bases) };
}

export function weighedLines(products: OrderForActuals['products'], units: Units, typed: Typed): OrderedLine[] {
  const lines = products.map(({ orderProductId, quantityOrdered: quantity, unit_price, unit_qty }) => {
    return { orderProductId, quantity, unit_price, unit_qty, unit_qty_is_estimate: true };
  });
  const asRecorded = products.flatMap(({ orderProductId, actuals }) =>
    actuals
      .filter(({ sortOrder }) => typed[unitKey(orderProductId, sortOrder)] === undefined)
      .map(({ sortOrder, actualQuantity }) => ({ orderProductId, sortOrder, actualQuantity })),
  );
  const asTyped = typedUnits(units, typed).flatMap((unit) => {
    const actualQuantity = weightIn(unit, typed[unit.key]?.text);
    return actualQuantity === null ? [] : [{ orderProductId: unit.product.orderProductId, sortOrder: unit.index, actualQuantity }];
  });
  return withActuals(lines, [...asRecorded, ...asTyped]);
}

const isTyped = (value: unknown): value is TypedWeight =>
  typeof value === 'object' && value !== null && ['text', 'before'].every((field) => typeof Reflect.get(value, field) === 'string');

/**
 * Returns the part of a draft that can be restored. These are the texts of units that are still ordered, if they differ from the recorded
 * weights.
 */
export function restorable(draft: unknown, units: Units): Typed {
  if (typeof draft !== 'object' || draft === null) return {};
  const kept = Object.entries(draft).flatMap(([key, value]: [string, unknown]): [string, TypedWeight][] => {
    const unit = units.find(key);
    if (!unit || !isTyped(value) || entryOf(unit, value.text).kind === 'same') return [];
    return [[key, { text: value.text, before: value.before }]];
  });
  return Object.fromEntries(kept);
}

const MAX_SCANNED = 5000;

/**
 * Returns the unit for which a scanned weight is entered, and its product. `open` is the first unit of the product without a weight. The
 * search begins at the focused field and continues at the top. `open` is null when all units have weights.
 */
export function nextOpenUnit(
  units: Units,
  typed: Typed,
  { productCode, from }: { readonly productCode: number; readonly from: Unit },
): { readonly open: Unit | null; readonly product: ProductToWeigh | null } {
  const candidates = units.ofCode(productCode, MAX_SCANNED);
  // The focused unit counts as empty, because the text in its field is the scanned code itself.
  const isFree = (unit: Unit) => unit.recorded === null && (unit.key === from.key || !typed[unit.key]?.text.trim());
  const isBelow = (unit: Unit) => units.positionOf(unit) >= units.positionOf(from);
  const open = candidates.find((unit) => isFree(unit) && isBelow(unit)) ?? candidates.find(isFree) ?? null;
  return { open, product: candidates[0]?.product ?? null };
}
