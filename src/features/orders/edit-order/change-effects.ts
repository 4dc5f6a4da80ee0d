// Computes the effects of a change of an order by staff: which weights and payments it affects, and which limits of products it exceeds
// (contract §6, §7, §12).
import { cents, minus, type Cents } from '../../../domain/money.ts';
import { limitProblems, type LimitProblem } from '../../../domain/ordering/limits.ts';
import { linesOf, quantitiesOf, type Quantities } from '../../../domain/order.ts';
import { nameDetails, withDetail } from '../../../domain/product-names.ts';
import { lossesOf, removedWeights, type Losses } from '../../../domain/weights/losses.ts';
import type { OrderPageData } from '../contract.ts';
import type { DroppedLine } from '../texts.ts';

export interface DroppedWeights extends DroppedLine {
  readonly productId: number;
}

/** Returns the recorded weights that saving these quantities would delete, by product. */
export function droppedWeights({ orderProducts, distributionProducts }: OrderPageData, quantities: Quantities): DroppedWeights[] {
  const lines = new Map(orderProducts.map((line) => [line.productId, line]));
  const details = nameDetails(distributionProducts);
  return distributionProducts.flatMap(({ id, name, uom }) => {
    const line = lines.get(id);
    const gone = line ? removedWeights(line, quantities.get(id) ?? 0) : [];
    const pieces = gone.map(({ sortOrder, actualQuantity }) => ({ number: sortOrder + 1, actualQuantity }));
    return pieces.length === 0 ? [] : [{ productId: id, name: withDetail(name, details.get(id)), uom, pieces }];
  });
}

/** Returns the recorded weights that saving these quantities would delete, and how much would be overpaid afterwards. */
export function lossesAfter({ account, orderProducts, distributionProducts, fees }: OrderPageData, quantities: Quantities): Losses {
  const paid = account ? minus(account.orderAmount, account.balance) : cents(0);
  const lines = orderProducts.map(({ id, ...line }) => ({ ...line, orderProductId: id }));
  return lossesOf({ lines, products: distributionProducts, fees, paid }, quantities);
}

/** Returns the total of the saved order; null unless weights are recorded. */
export const byWeight = ({ account }: OrderPageData): Cents | null => (account && account.actual_count > 0 ? account.orderAmount : null);

/** Returns the products whose limit an order with these quantities would exceed. */
export function limitsExceededBy({ distributionProducts, orderProducts }: OrderPageData, quantities: Quantities): LimitProblem[] {
  const details = nameDetails(distributionProducts);
  const products = distributionProducts.map(({ id, name, left }) => ({ id, name: withDetail(name, details.get(id)), left }));
  return limitProblems(products, linesOf(quantities), quantitiesOf(orderProducts));
}
