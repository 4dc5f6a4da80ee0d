// Every literal text of ordering (spec §2, §5, §8; contract §5).
import { cents, dollars, minus, type Cents } from '../../domain/money.ts';
import { counted } from '../../shared/counted.ts';

export const CHANGED_ELSEWHERE = 'This order was changed elsewhere. Reload to see it.';

export const PLACE_ORDER = 'Place Order';
export const EDIT_ORDER = 'Edit Order';
export const UPDATE_ORDER = 'Update Order';
export const ORDER_NOW = 'Order Now';
export const ORDER_PLACED = { title: 'Success', description: 'Order placed successfully' };
export const ORDER_UPDATED = { title: 'Success', description: 'Order updated successfully' };
export const NO_CHANGES = {
  title: 'No changes made',
  description: 'Please make at least one change to save. You can cancel or go back if no changes are necessary.',
};
export const ORDERING_CLOSED = { title: 'Ordering Closed', description: 'This distribution is no longer accepting orders.' };

export const NO_PRODUCTS = 'No products available in this distribution.';
export const NOTHING_AVAILABLE = 'No distributions are currently available. Check back later for new distributions.';
export const UNKNOWN_DISTRIBUTION = 'Unknown Distribution';

export const ESTIMATE_NOTE = '* Sold by weight: the price is an estimate until your items are weighed.';
export const PRINTED_NOTE = 'The printed order adds each fee to the running total, so it comes to a little different amount.';

export const CLOSED_FOR_CUSTOMERS = 'Ordering is closed for customers. You can still change this order.';
export const UNPUBLISHED_FOR_CUSTOMERS = 'This distribution is not published. The customer sees it once the order is saved.';
export const KEYS_NOTE = 'Enter and the arrows go from row to row, Esc takes back what you typed in a field, Ctrl+S saves.';

/** Of a line from before the maximum was lowered. */
export const aboveMaxText = (max: number): string => `Above the maximum of ${max}: lower it to save the order.`;
export const linesAboveMaxText = (lines: number): string =>
  `${counted(lines, 'line')} ${lines === 1 ? 'is' : 'are'} above the maximum: lower ${lines === 1 ? 'it' : 'them'} to save the order.`;

export const DROP_WEIGHTS = 'Drop recorded weights?';
interface DroppedLine {
  readonly name: string;
  readonly uom: string | null;
  readonly pieces: readonly { readonly number: number; readonly actualQuantity: number }[];
}
const MOST_NAMED = 10;
/** Of units that were weighed and would be gone: 'Chicken: the weight of piece 4 (0.5 lb) will be dropped.' */
export function droppedText({ name, uom, pieces }: DroppedLine): string {
  const named = pieces.slice(0, MOST_NAMED).map((piece) => `${piece.number} (${piece.actualQuantity}${uom === null ? '' : ` ${uom}`})`);
  const more = pieces.length > MOST_NAMED ? ` and ${pieces.length - MOST_NAMED} more` : '';
  return `${name}: the ${pieces.length === 1 ? 'weight of piece' : 'weights of pieces'} ${named.join(', ')}${more} will be dropped.`;
}
export const refundText = (refund: Cents): string => `Once this is saved, a refund of ${dollars(refund)} is due.`;
/** Beside the total of an order that is weighed, which counts the estimates. */
export const byWeightText = (amount: Cents): string => `By weight, the saved order comes to ${dollars(amount)}.`;

/** 'Cash payment of $20.00', as the history tells it. */
export const paymentText = ({ amount, paymentMethod }: { readonly amount: Cents; readonly paymentMethod: string }): string =>
  amount < 0
    ? `${paymentMethod} payment of ${dollars(minus(cents(0), amount))} reversed`
    : `${paymentMethod} payment of ${dollars(amount)}`;

export const NO_HISTORY = 'Nothing has been changed since the order was made.';

export const itemsText = (count: number): string => counted(count, 'item');
export const restoreText = (count: number): string => `Restore ${counted(count, 'unsaved change')}?`;
export function draftText(count: number): string {
  const them = count === 1 ? 'it' : 'them';
  return `You typed ${them} on this device and did not save ${them}.`;
}
