// Keeps a test's own copy of an order, and computes from it the amounts that every screen must show (contract §7). It does not use the code
// of the application.
import { add, inSequence, onSubtotal, weighed, type ExactFee } from './exact.ts';

export interface ExactProduct {
  readonly id: number;
  readonly unit_price: number;
  readonly unit_qty: number;
  readonly isEstimate: boolean;
}

export interface ExactOrder {
  /** The number of ordered units by product id. */
  readonly quantities: Map<number, number>;
  /** The weights in thousandths. Each key names a product and the position of a unit among the product's units. */
  readonly weights: Map<string, number>;
  /** The payments in cents. Reversals are negative. */
  readonly paid: bigint[];
}

export const unit = (productId: number, index: number): string => `${productId}/${index}`;

/** Sets the quantity of a product. If the quantity becomes lower, the weights of the removed units are deleted, as contract §6 requires. */
export function setQuantity(kept: ExactOrder, productId: number, quantity: number): void {
  for (let index = quantity; index < (kept.quantities.get(productId) ?? 0); index++) kept.weights.delete(unit(productId, index));
  kept.quantities.set(productId, quantity);
}

export function figuresOf(products: readonly ExactProduct[], fees: readonly ExactFee[], { quantities, weights, paid }: ExactOrder) {
  const units = products.flatMap(({ id, unit_price, unit_qty, isEstimate }) =>
    Array.from({ length: quantities.get(id) ?? 0 }, (_, index) => {
      const listed = BigInt(unit_price) * BigInt(unit_qty);
      const weight = weights.get(unit(id, index));
      const certain = isEstimate ? (weight === undefined ? null : weighed(unit_price, weight)) : listed;
      return { listed, certain, isEstimate };
    }),
  );
  const listed = add(units.map((one) => one.listed));
  const certain = add(units.map((one) => one.certain ?? 0n));
  const estimated = add(units.map((one) => one.certain ?? one.listed));
  const printed = (base: bigint): bigint => (units.length > 0 ? inSequence(fees, base) : 0n);
  const amount = printed(estimated);
  return {
    items: units.length,
    toWeigh: units.filter((one) => one.isEstimate).length,
    unweighed: units.filter((one) => one.certain === null).length,
    page: [listed, units.length > 0 ? onSubtotal(fees, listed) : 0n, printed(listed)].map(Number),
    print: [certain, printed(certain)].map(Number),
    amount: Number(amount),
    balance: Number(amount - add(paid)),
  };
}
export type Figures = ReturnType<typeof figuresOf>;
