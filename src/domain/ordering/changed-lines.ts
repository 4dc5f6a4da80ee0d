// Computes which lines of an order a save changes, and which quantity counts as the one that the customer requested (contract §5).
import { quantitiesOf, type QuantityLine } from '../order.ts';

/** A line of an order. `originalQuantity` is the quantity that the customer requested last. */
export interface Line extends QuantityLine {
  readonly originalQuantity: number;
}

/** A line to save. It gets an audit row only if its quantity changes. */
export interface ChangedLine extends Line {
  readonly isAudited: boolean;
}

/**
 * Returns the lines that change when `wanted` replaces the lines of the order. If staff change a line, its original quantity stays what the
 * customer requested. If staff add a line, its original quantity is the one that staff entered.
 */
export function changedLines(
  lines: readonly Line[],
  wanted: readonly QuantityLine[],
  { byStaff }: { readonly byStaff: boolean },
): ChangedLine[] {
  const asked = quantitiesOf(wanted);
  const before = new Map(lines.map((line) => [line.productId, line]));
  const ids = new Set([...before.keys(), ...wanted.filter((line) => line.quantity > 0).map((line) => line.productId)]);
  return [...ids].flatMap((productId) => {
    const quantity = asked.get(productId) ?? 0;
    const old = before.get(productId);
    const originalQuantity = (byStaff ? old?.originalQuantity : null) ?? quantity;
    const isAudited = old?.quantity !== quantity;
    return isAudited || old.originalQuantity !== originalQuantity ? [{ productId, quantity, originalQuantity, isAudited }] : [];
  });
}
