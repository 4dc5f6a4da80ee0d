// What has been typed over the weights of an order, unit by unit (spec §2 actual quantities page; contract §6).
import { isUnusual, unitKey, withActuals, type OrderedLine } from '../../domain/actuals.ts';
import { parseWeight, thousandths, weightNumber, weightOf, weightText } from '../../domain/weight.ts';
import type { OrderForActuals, ProductToWeigh } from './contract.ts';

/** One ordered unit of a product; null where nothing is recorded of it. */
export interface Unit {
  readonly key: string;
  readonly index: number;
  readonly product: ProductToWeigh;
  readonly recorded: ProductToWeigh['actuals'][number] | null;
}

/** What stands in the fields that differ from what is recorded, by the unit's key. */
export type Typed = Readonly<Record<string, string>>;

export function unitsOf(products: readonly ProductToWeigh[]): Unit[] {
  return products.flatMap((product) => {
    const recorded = new Map(product.actuals.map((actual) => [actual.sortOrder, actual]));
    return Array.from({ length: product.quantityOrdered }, (_, index) => {
      return { key: unitKey(product.orderProductId, index), index, product, recorded: recorded.get(index) ?? null };
    });
  });
}

/** '4.87', as a recorded weight is written. */
export const quantityText = (actualQuantity: number): string => weightText(thousandths(weightOf(actualQuantity)));

export const recordedText = (unit: Unit): string => (unit.recorded ? quantityText(unit.recorded.actualQuantity) : '');
export const shownText = (unit: Unit, typed: Typed): string => typed[unit.key] ?? recordedText(unit);

/** The number that a text means, null when it means none. */
function numberIn(text: string): number | null {
  const weight = parseWeight(text);
  return weight === null ? null : weightNumber(weight);
}

export type Entry =
  | { readonly kind: 'same' | 'unreadable' }
  | { readonly kind: 'weight'; readonly actualQuantity: number; readonly isUnusual: boolean };

/** What became of a unit's field: nothing, a new weight, or a text that is none. */
export function entryOf(unit: Unit, typed: Typed): Entry {
  const text = typed[unit.key];
  if (text === undefined || text.trim() === '') return { kind: 'same' };
  const actualQuantity = numberIn(text);
  if (actualQuantity === null) return { kind: 'unreadable' };
  if (actualQuantity === unit.recorded?.actualQuantity) return { kind: 'same' };
  return { kind: 'weight', actualQuantity, isUnusual: isUnusual(actualQuantity, unit.product.unit_qty) };
}

/** The weight that stands in a unit's field; null when it is empty or unreadable. */
export const weightIn = (unit: Unit, typed: Typed): number | null => numberIn(shownText(unit, typed));

/** Only the units whose weight changes, as they are sent. */
export function changedWeights(units: readonly Unit[], typed: Typed): Record<string, number> {
  const changed: Record<string, number> = {};
  for (const unit of units) {
    const entry = entryOf(unit, typed);
    if (entry.kind === 'weight') changed[unit.key] = entry.actualQuantity;
  }
  return changed;
}

/** The order's lines with what stands in the fields, for what has been weighed so far. */
export function weighedLines(products: OrderForActuals['products'], units: readonly Unit[], typed: Typed): OrderedLine[] {
  const lines = products.map(({ orderProductId, quantityOrdered: quantity, unit_price, unit_qty }) => {
    return { orderProductId, quantity, unit_price, unit_qty, unit_qty_is_estimate: true };
  });
  const actuals = units.flatMap((unit) => {
    const actualQuantity = weightIn(unit, typed);
    return actualQuantity === null ? [] : [{ orderProductId: unit.product.orderProductId, sortOrder: unit.index, actualQuantity }];
  });
  return withActuals(lines, actuals);
}

/** What a draft still says of an order: texts of its units that differ from what is recorded. */
export function restorable(draft: unknown, units: readonly Unit[]): Typed {
  if (typeof draft !== 'object' || draft === null) return {};
  const texts = new Map<string, unknown>(Object.entries(draft));
  const kept = units.flatMap((unit): [string, string][] => {
    const text = texts.get(unit.key);
    return typeof text === 'string' && entryOf(unit, { [unit.key]: text }).kind !== 'same' ? [[unit.key, text]] : [];
  });
  return Object.fromEntries(kept);
}
