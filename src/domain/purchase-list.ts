// Computes the purchase list: how many units, and what weight, the distributor has to buy of each product and group (contract §9). Weights
// are whole thousandths of the unit of measure. A sum above the largest exact integer becomes that integer, as with money.
import { decimalText, withoutEndZeros } from './money.ts';
import { recordedUnits, type Actual } from './weights/actuals.ts';
import { weightOf } from './weights/weight.ts';

export interface ListedProduct {
  readonly id: number;
  readonly product_group: string | null;
  readonly unit_qty: number;
  readonly uom: string | null;
  readonly unit_qty_is_estimate: boolean;
  readonly total_ordered?: number | undefined;
}

export interface WeighedLine {
  readonly productId: number;
  readonly quantity: number;
  readonly actuals: readonly Actual[];
}

export interface PurchaseWeight {
  readonly uom: string | null;
  /** The estimated weight of all ordered units. */
  readonly estimated: number;
  readonly weighed: number;
  /** The estimated weight of the unweighed units. */
  readonly unweighed: number;
}

export interface PurchaseItem<P extends ListedProduct> {
  readonly product: P;
  readonly units: number;
  readonly weighedUnits: number;
  /** The weight to buy; null for a product that is not sold by weight. */
  readonly weight: PurchaseWeight | null;
}

export interface PurchaseGroup {
  readonly group: string | null;
  readonly products: number;
  readonly units: number;
  /** One sum for each unit of measure, because pounds and pieces cannot be added up. */
  readonly weights: readonly PurchaseWeight[];
}

const total = (counts: readonly number[]): number =>
  Math.min(
    counts.reduce((sofar, count) => sofar + count, 0),
    Number.MAX_SAFE_INTEGER,
  );

const estimateOf = (product: ListedProduct, units: number): number => total([units * product.unit_qty * 1000]);

export function purchaseItems<P extends ListedProduct>(products: readonly P[], lines: readonly WeighedLine[]): PurchaseItem<P>[] {
  const byProduct = Map.groupBy(lines, (line) => line.productId);
  return products.flatMap((product): PurchaseItem<P>[] => {
    const units = product.total_ordered ?? 0;
    if (units === 0) return [];
    if (!product.unit_qty_is_estimate) return [{ product, units, weighedUnits: 0, weight: null }];
    const actuals = (byProduct.get(product.id) ?? []).flatMap((line) => recordedUnits({ ...line, unit_qty_is_estimate: true }));
    const weight = {
      uom: product.uom,
      estimated: estimateOf(product, units),
      weighed: total(actuals.map((actual) => weightOf(actual.actualQuantity) ?? 0)),
      unweighed: estimateOf(product, Math.max(0, units - actuals.length)),
    };
    return [{ product, units, weighedUnits: actuals.length, weight }];
  });
}

export function purchaseGroups(rows: readonly PurchaseItem<ListedProduct>[]): PurchaseGroup[] {
  const groups = Map.groupBy(rows, (row) => row.product.product_group);
  return [...groups].map(([group, own]) => ({
    group,
    products: own.length,
    units: total(own.map((row) => row.units)),
    weights: weightsByUom(own.flatMap((row) => row.weight ?? [])),
  }));
}

export function weightsByUom(weights: readonly PurchaseWeight[]): PurchaseWeight[] {
  return [...Map.groupBy(weights, (weight) => weight.uom)].map(([uom, own]) => ({
    uom,
    estimated: total(own.map((weight) => weight.estimated)),
    weighed: total(own.map((weight) => weight.weighed)),
    unweighed: total(own.map((weight) => weight.unweighed)),
  }));
}

/** Formats a sum of weights in thousandths as '1,234.5'. */
export const weightSumText = (thousandths: number): string => weightSumNumber(thousandths).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** Formats a sum of weights in thousandths for a chart: rounded half up to two decimals, with commas between the thousands. */
export function roughWeightText(thousandths: number): string {
  const rest = thousandths % 10;
  return weightSumText(thousandths - rest + (rest < 5 ? 0 : 10));
}

/** Formats a sum of weights in thousandths for files, such as '1234.5'. */
export const weightSumNumber = (thousandths: number): string => withoutEndZeros(decimalText(thousandths, 3));
