// Products that are not offered any more: they stay in the orders that have them, and nobody orders more of them.
import type { Quantities, QuantityLine } from '../order.ts';
import { notOfferedAnyMore } from '../texts.ts';

interface Offer {
  readonly id: number;
  readonly name: string;
  readonly notOffered?: boolean | undefined;
}
interface Limited extends Offer {
  readonly max_order_qty: number;
}

/** The sentence that names the first product of the order that is not offered any more and would be raised, or null. */
export function offerProblem(products: readonly Offer[], lines: readonly QuantityLine[], before: Quantities): string | null {
  const withdrawn = new Map(products.filter((product) => product.notOffered).map((product) => [product.id, product]));
  for (const { productId, quantity } of lines) {
    const product = withdrawn.get(productId);
    if (product && quantity > (before.get(productId) ?? 0)) return notOfferedAnyMore(product.name);
  }
  return null;
}

/** Products that can be ordered, and withdrawn products of the order with the ordered quantity as their maximum. */
export const shownProducts = <Product extends Limited>(products: readonly Product[], ordered: Quantities): Product[] =>
  products.flatMap((product) => {
    const max_order_qty = ordered.get(product.id) ?? 0;
    if (!product.notOffered) return product;
    return max_order_qty > 0 ? { ...product, max_order_qty } : [];
  });
