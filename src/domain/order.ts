// Defines which quantities may be ordered, and what an order costs with every unit at its estimated weight (spec §5, contract §5, §7).
import { type Charge, type Fee, feesInSequence, feesOnSubtotal, totalWith } from './fees.ts';
import { cents, type Cents, dollars, MAX_CENTS, sum, times } from './money.ts';
import { aboveMaximum, notInDistribution, notWhole, orderedTwice, ORDER_SOMETHING, orderTooLarge } from './texts.ts';

/**
 * The largest quantity of a product without a maximum (our choice). With this limit, a line of the most expensive product still costs an
 * exact number of cents.
 */
export const MAX_QUANTITY = 1_000_000;

export interface Priced {
  readonly unit_price: Cents;
  readonly unit_qty: number;
}

export interface Orderable extends Priced {
  readonly id: number;
  readonly name: string;
  readonly max_order_qty: number | null;
}

/** Maps product ids to ordered quantities; a product without an entry has quantity 0. */
export type Quantities = ReadonlyMap<number, number>;

export interface QuantityLine {
  readonly productId: number;
  readonly quantity: number;
}

const bound = (max: number | null | undefined): number => Math.min(max || MAX_QUANTITY, MAX_QUANTITY);

/** Converts a typed quantity to a whole number between 0 and `max` (spec §5). Without `max`, or with 0, the limit is MAX_QUANTITY. */
export function clampQuantity(input: string | number, max: number | null | undefined): number {
  const wanted = Math.trunc(Number(input));
  return Number.isFinite(wanted) ? Math.max(0, Math.min(wanted, bound(max))) : 0;
}

export const quantitiesOf = (lines: readonly QuantityLine[]): Quantities => new Map(lines.map((line) => [line.productId, line.quantity]));

/** Returns the order lines with a quantity above 0. The server sets the quantities of all other products to 0 (contract §5). */
export const linesOf = (quantities: Quantities): QuantityLine[] =>
  [...quantities].map(([productId, quantity]) => ({ productId, quantity })).filter(({ quantity }) => quantity > 0);

export const priceOf = (product: Priced): Cents => times(product.unit_price, product.unit_qty);
export const lineTotal = (product: Priced, quantity: number): Cents => times(priceOf(product), quantity);

export const subtotalOf = (products: readonly (Priced & { readonly id: number })[], quantities: Quantities): Cents =>
  sum(products.map((product) => lineTotal(product, quantities.get(product.id) ?? 0)));

export const hasAnything = (quantities: Quantities): boolean => [...quantities.values()].some((quantity) => quantity > 0);
/** Whether a product is ordered whose weight is estimated until it is weighed. */
export const ordersEstimates = (
  products: readonly { readonly id: number; readonly unit_qty_is_estimate: boolean }[],
  quantities: Quantities,
): boolean => products.some(({ id, unit_qty_is_estimate }) => unit_qty_is_estimate && (quantities.get(id) ?? 0) > 0);
export const itemCount = (quantities: Quantities): number => [...quantities.values()].reduce((count, quantity) => count + quantity, 0);

export interface OrderTotals {
  readonly subtotal: Cents;
  readonly charges: readonly Charge[];
  readonly total: Cents;
  /** The total that the printed order will have with these quantities. The order page shows this total when it differs from `total`. */
  readonly printedTotal: Cents;
}

/** Computes the totals that the order page shows below the products (contract §5, §7). */
export function orderTotals(
  products: readonly (Priced & { readonly id: number })[],
  quantities: Quantities,
  fees: readonly Fee[],
): OrderTotals {
  if (!hasAnything(quantities)) return { subtotal: cents(0), charges: [], total: cents(0), printedTotal: cents(0) };
  const subtotal = subtotalOf(products, quantities);
  const charges = feesOnSubtotal(fees, subtotal);
  return { subtotal, charges, total: totalWith(subtotal, charges), printedTotal: totalWith(subtotal, feesInSequence(fees, subtotal)) };
}

/** Returns the message that says why an order is refused, or null. Staff may set every quantity to 0 (contract §5). */
export function orderProblem(
  products: readonly Orderable[],
  lines: readonly QuantityLine[],
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): string | null {
  const offered = new Map(products.map((product) => [product.id, product]));
  const quantities = new Map<number, number>();
  for (const { productId, quantity } of lines) {
    const product = offered.get(productId);
    if (!product) return notInDistribution(productId);
    if (quantities.has(productId)) return orderedTwice(product.name);
    const problem = quantityProblem(product, quantity);
    if (problem) return problem;
    quantities.set(productId, quantity);
  }
  if (!mayBeEmpty && !hasAnything(quantities)) return ORDER_SOMETHING;
  return subtotalOf(products, quantities) > MAX_CENTS ? orderTooLarge(dollars(MAX_CENTS)) : null;
}

function quantityProblem(product: Orderable, quantity: number): string | null {
  if (!Number.isInteger(quantity) || quantity < 0) return notWhole(product.name);
  const max = bound(product.max_order_qty);
  return quantity > max ? aboveMaximum(product.name, max) : null;
}
