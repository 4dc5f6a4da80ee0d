// The literal texts of price changes (contract §4).
import { feeText } from '../../domain/fees.ts';
import { dollars, type Cents } from '../../domain/money.ts';

export const PRICE_CHANGES = 'Price changes';
export const PRICE_CHANGES_HINT = 'What has changed the amounts of orders that were already placed: prices of ordered products, and fees.';
export const NO_PRICE_CHANGES = 'No price or fee has changed since the first order.';

interface Terms {
  readonly unit_price: Cents;
  readonly unit_qty: number;
  readonly unit_qty_is_estimate: boolean;
}
interface Charged {
  readonly type: 'percent' | 'flat';
  readonly amount: number;
}

const soldBy = ({ unit_qty_is_estimate }: Terms): string => (unit_qty_is_estimate ? 'by weight' : 'by the unit');

/** 'Unit price $16.99 → $17.99; unit quantity 5 → 6' */
export function termsChangeText(before: Terms, after: Terms): string {
  const changes = [
    before.unit_price !== after.unit_price && `unit price ${dollars(before.unit_price)} → ${dollars(after.unit_price)}`,
    before.unit_qty !== after.unit_qty && `unit quantity ${before.unit_qty} → ${after.unit_qty}`,
    before.unit_qty_is_estimate !== after.unit_qty_is_estimate && `sold ${soldBy(before)} → ${soldBy(after)}`,
  ];
  const text = changes.filter((change) => change !== false).join('; ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** 'Fee added: 3%' */
export function feeChangeText(before: Charged | null, after: Charged | null): string {
  if (before === null) return after === null ? '' : `Fee added: ${feeText(after)}`;
  return after === null ? `Fee deleted: ${feeText(before)}` : `${feeText(before)} → ${feeText(after)}`;
}
