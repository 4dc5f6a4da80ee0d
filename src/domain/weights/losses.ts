// Computes what an order loses when staff change its quantities: the weights of the removed units, and the money that is then overpaid
// (contract §6, §7).
import type { Fee } from '../fees.ts';
import { cents, type Cents, minus } from '../money.ts';
import type { Priced, Quantities } from '../order.ts';
import { orderedAmount, unitKey, type Actual } from './actuals.ts';

export interface Losses {
  /** The weights that are deleted. */
  readonly weights: (Actual & { readonly orderProductId: number })[];
  /** How much is overpaid after the change; 0 if nothing. */
  readonly refund: Cents;
}

/** An order as it is saved, with the products that it contains before or after the change. */
interface SavedOrder {
  readonly lines: readonly {
    readonly orderProductId: number;
    readonly productId: number;
    readonly quantity: number;
    readonly actuals: readonly Actual[];
  }[];
  readonly products: readonly (Priced & { readonly id: number; readonly unit_qty_is_estimate: boolean })[];
  readonly fees: readonly Fee[];
  readonly paid: Cents;
}

/** Returns the recorded weights that the line loses when it has this quantity. */
export const removedWeights = <A extends Actual>(
  line: { readonly quantity: number; readonly actuals: readonly A[] },
  quantity: number,
): A[] => line.actuals.filter(({ sortOrder }) => sortOrder >= quantity && sortOrder < line.quantity);

export function lossesOf({ lines, products, fees, paid }: SavedOrder, quantities: Quantities): Losses {
  const weights = lines.flatMap((line) =>
    removedWeights(line, quantities.get(line.productId) ?? 0).map(({ sortOrder, actualQuantity }) => {
      const { orderProductId } = line;
      return { orderProductId, sortOrder, actualQuantity };
    }),
  );
  const actuals = new Map(lines.map((line) => [line.productId, line.actuals]));
  const ordered = products.map((product) => ({
    ...product,
    orderProductId: product.id,
    quantity: quantities.get(product.id) ?? 0,
    actuals: actuals.get(product.id) ?? [],
  }));
  const amount = orderedAmount(ordered, fees);
  return { weights, refund: paid > amount ? minus(paid, amount) : cents(0) };
}

const weightsOf = ({ weights }: Losses): Map<string, number> =>
  new Map(weights.map(({ orderProductId, sortOrder, actualQuantity }) => [unitKey(orderProductId, sortOrder), actualQuantity]));

export function areSameLosses(a: Losses, b: Losses): boolean {
  const [before, after] = [weightsOf(a), weightsOf(b)];
  return a.refund === b.refund && before.size === after.size && [...before].every(([unit, weight]) => after.get(unit) === weight);
}

/** Whether the change lowers the quantity of a line, so that weights or payments can be lost. */
export const lowersQuantity = (
  lines: readonly { readonly productId: number; readonly quantity: number }[],
  quantities: Quantities,
): boolean => lines.some(({ productId, quantity }) => (quantities.get(productId) ?? 0) < quantity);
