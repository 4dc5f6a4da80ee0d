// Finds the limits of products that a change by staff exceeds (contract §12).
import { limitProblems, type LimitProblem } from '../../../domain/ordering/limits.ts';
import { linesOf, quantitiesOf, type Quantities } from '../../../domain/order.ts';
import { nameDetails, withDetail } from '../../../domain/product-names.ts';
import type { OrderPageData } from '../contract.ts';

/** Returns the products whose limit an order with these quantities would exceed. */
export function limitsExceededBy({ distributionProducts, orderProducts }: OrderPageData, quantities: Quantities): LimitProblem[] {
  const details = nameDetails(distributionProducts);
  const products = distributionProducts.map(({ id, name, left }) => ({ id, name: withDetail(name, details.get(id)), left }));
  return limitProblems(products, linesOf(quantities), quantitiesOf(orderProducts));
}
