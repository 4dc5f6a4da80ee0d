// Defines the rules for products that the distributor has withdrawn: existing orders keep them, and nobody can order more of them.
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

/** Returns the message that names the first withdrawn product whose quantity the order would raise, or null. */
export function offerProblem(products: readonly Offer[], lines: readonly QuantityLine[], before: Quantities): string | null {
  const withdrawn = new Map(products.filter((product) => product.notOffered).map((product) => [product.id, product]));
  for (const { productId, quantity } of lines) {
    const product = withdrawn.get(productId);
    if (product && quantity > (before.get(productId) ?? 0)) return notOfferedAnyMore(product.name);
  }
  return null;
}

/**
 * Returns the products that the order page shows: those that can be ordered, and the withdrawn products in the order. The maximum of a
 * withdrawn product is its ordered quantity.
 */
export const shownProducts = <Product extends Limited>(products: readonly Product[], ordered: Quantities): Product[] =>
  products.flatMap((product) => {
    const max_order_qty = ordered.get(product.id) ?? 0;
    if (!product.notOffered) return product;
    return max_order_qty > 0 ? { ...product, max_order_qty } : [];
  });
