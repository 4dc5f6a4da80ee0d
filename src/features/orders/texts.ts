// The UI texts of ordering (spec §2, §5, §8; contract §5).
import { dollars, negated, type Cents } from '../../domain/money.ts';
import type { Priced } from '../../domain/order.ts';
import { counted } from '../../shared/counted.ts';
import { ROW_STATES } from '../print/texts.ts';
import { perText } from '../products/texts.ts';

export const CHANGED_ELSEWHERE = 'This order was changed elsewhere. Reload to see it.';
export const PICKED_UP = 'This order has been picked up. Only the distributor can still change it.';
/** The name of the field in error messages and on screens (contract §16). */
export const NOTE = 'Note';

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
export const PRINTED_NOTE = 'The printed order adds each fee to the running total, so its total is slightly different.';

export const CLOSED_FOR_CUSTOMERS = 'Ordering is closed for customers. You can still change this order.';
export const UNPUBLISHED_FOR_CUSTOMERS = 'This distribution is not published. The customer sees it once the order is saved.';
export const KEYS_NOTE =
  'Enter and the arrows go from row to row, Esc takes back what you typed in a field, Ctrl+S saves. Enter in a filter goes to the quantity it finds, and Enter there back to the filter.';

/** Shown beside a line whose quantity exceeds the maximum. This happens when the maximum was lowered after the order was placed. */
export const aboveMaxText = (max: number): string => `Above the maximum of ${max}: lower it to save the order.`;
export const linesAboveMaxText = (lines: number): string =>
  `${counted(lines, 'line')} ${lines === 1 ? 'is' : 'are'} above the maximum: lower ${lines === 1 ? 'it' : 'them'} to save the order.`;

export const DROP_WEIGHTS = 'Drop recorded weights?';
export interface DroppedLine {
  readonly name: string;
  readonly uom: string | null;
  /** The weighed units, with their numbers within the order line, counted from 1. */
  readonly pieces: readonly { readonly number: number; readonly actualQuantity: number }[];
}
const MAX_NAMED = 10;
/** Returns, for example, 'Chicken: the weight of piece 4 (0.5 lb) will be dropped.' Shown before a save that removes weighed units. */
export function droppedText({ name, uom, pieces }: DroppedLine): string {
  const named = pieces.slice(0, MAX_NAMED).map((piece) => `${piece.number} (${piece.actualQuantity}${uom === null ? '' : ` ${uom}`})`);
  const more = pieces.length > MAX_NAMED ? ` and ${pieces.length - MAX_NAMED} more` : '';
  return `${name}: the ${pieces.length === 1 ? 'weight of piece' : 'weights of pieces'} ${named.join(', ')}${more} will be dropped.`;
}
export const refundText = (refund: Cents): string => `Once this is saved, a refund of ${dollars(refund)} is due.`;
/** Shown to staff beside the total of an order with estimates: the total of the saved order with its recorded weights. */
export const byWeightText = (amount: Cents): string => `By weight, the saved order comes to ${dollars(amount)}.`;

/** Returns, for example, 'Cash payment of $20.00', for the history of an order. */
export const paymentText = ({ amount, paymentMethod }: { readonly amount: Cents; readonly paymentMethod: string }): string =>
  amount < 0 ? `${paymentMethod} payment of ${dollars(negated(amount))} reversed` : `${paymentMethod} payment of ${dollars(amount)}`;

export const NO_HISTORY = 'Nothing has been changed since the order was made.';

export const itemsText = (count: number): string => counted(count, 'item');
export const restoreText = (count: number): string => `Restore ${counted(count, 'unsaved change')}?`;
export function draftText(count: number): string {
  const them = count === 1 ? 'it' : 'them';
  return `You typed ${them} on this device and did not save ${them}.`;
}

// The texts of the customer's dashboard.
export const AVAILABLE_TITLE = 'Available Distributions';
export const NO_OTHER_AVAILABLE = 'No other distribution is available.';
export const CLOSED = 'Closed';
export const MY_ORDERS_TITLE = 'My Orders';
export const NOT_ORDERED_YET = 'You have not ordered yet.';
export const actionsText = (name: string): string => `Actions for ${name}`;
export const ORDER_FACTS = { weighed: 'Weighed', amount: 'Amount', balance: 'Balance' };
export const WHAT_WAS_ORDERED = 'What was ordered';
/** Returns, for example, '2 × $30.00'. */
export const countedPriceText = (quantity: number, price: Cents): string => `${quantity} × ${dollars(price)}`;
interface WeighedLine extends Priced {
  readonly recorded: readonly { readonly actualQuantity: number }[];
  readonly unweighed: number;
  readonly uom: string | null;
}
/** Returns, for example, '1.001 lb, not delivered, 2 not weighed yet (about 10 lb) × $15.00 per lb'. */
export function weighedText({ recorded, unweighed, unit_price, unit_qty, uom }: WeighedLine): string {
  const units = recorded.map(({ actualQuantity }) =>
    actualQuantity === 0 ? ROW_STATES.undelivered : `${actualQuantity} ${uom ?? ''}`.trim(),
  );
  const estimate = `about ${[unweighed * unit_qty, uom].filter(Boolean).join(' ')}`;
  const all = unweighed === 0 ? units : [...units, `${unweighed} not weighed yet (${estimate})`];
  return `${all.join(', ')} × ${dollars(unit_price)} ${perText(uom ?? 'each')}`;
}
export const NONE_TO_WEIGH = 'None needed';
export const weighedOfText = (weighed: number, expected: number): string => `${weighed} of ${expected}`;
/** Shown beside an amount that weighing will change. */
export const ESTIMATED = 'est.';
export const ESTIMATED_IN_FULL = 'Estimated';

// The texts of the order page.
export const CATEGORY = 'Category';
export const CATEGORIES = 'Categories';
export const ALL_CATEGORIES = 'All categories';
export const MY_ITEMS = 'My items';
export const SEARCH_PRODUCTS = 'Search all products';
export const searchText = (products: number): string => `Search ${counted(products, 'product')}`;
export const noMatchText = (search: string): string => `No products match “${search}”.`;
export const NOTHING_CHOSEN = 'You have not chosen anything yet.';
export const SEE_PRODUCTS = 'See the products';
export const NO_SUCH_DISTRIBUTION = {
  title: 'Distribution not found',
  description: 'There is no such distribution, or it is not published.',
};
export const SEE_DISTRIBUTIONS = 'See your distributions';

interface PricedProduct extends Priced {
  readonly uom: string | null;
  readonly unit_qty_is_estimate: boolean;
}
/** Returns, for example, 'about 5 lb × $16.99 per lb'. */
export function unitPriceText({ unit_qty, unit_qty_is_estimate, unit_price, uom }: PricedProduct): string {
  const amount = unit_qty_is_estimate ? `about ${unit_qty} ${uom ?? ''}`.trim() : String(unit_qty);
  return `${amount} × ${dollars(unit_price)} ${perText(uom ?? 'each')}`;
}
/** The texts that ask staff whether an order may exceed the limit of a product (contract §12). */
export const GO_BEYOND = 'Go beyond the limit?';
export const BEYOND_MEANS = 'This order takes more than the limit of all orders allows.';
/** How many units of a product with a limit are left (contract §12). */
export const leftText = (left: number): string => (left === 0 ? 'None left' : `${left} left`);
/** Explains why the quantity cannot be increased further. */
export const limitReason = (left: number): string => (left === 0 ? 'None left' : `Only ${left} left`);
export const maxText = (max: number): string => (max > 0 ? `max: ${max}` : 'no max quantity');

export const YOUR_ORDER = 'Your order';
export const SUMS = 'Sums';
export const SUBTOTAL = 'Subtotal';
export const TOTAL = 'Total';
export const PRINTED_TOTAL = 'Total on the printed order';
export const FEES_INCLUDED = 'fees included';
/** Screen readers announce this text when the total changes. */
export const totalText = (total: Cents, items: number): string => `Total ${dollars(total)}, ${itemsText(items)}`;
export const ASK_TO_CANCEL = 'To cancel the whole order, ask your distributor.';

// The texts of the notices above an order that cannot be saved as it is.
export const NOTICE_CLOSED = {
  title: 'This distribution no longer takes orders',
  untouched: 'Your distributor can still change an order: ask for what you need.',
  typed: 'What you typed stays on this page but cannot be saved. Your distributor can still change an order.',
  write: 'Write your changes in an e-mail',
};
export const closedSubject = (distribution: string): string => `My order: ${distribution}`;
export const changeText = ({ name, from, to }: { readonly name: string; readonly from: number; readonly to: number }): string =>
  `${name}: ${to} instead of ${from}`;
export const RESTORE = 'Restore';

// The texts of the page on which staff edit an order.
export const EDIT_HEADERS = { code: 'Code', group: 'Group', name: 'Name', price: 'Price', qty: 'Qty', total: '$' } as const;
/** The quantity that the customer requested last, or the first one that staff have ordered if the customer never requested any. */
export const originalText = (quantity: number): string => `originally ${quantity}`;
export const VIEW = 'View';
export const EDIT_VIEWS = { all: 'All', ordered: 'Ordered' } as const;
export const PRODUCTS = 'Products';
export const PRODUCTS_NOUN = 'products';
export const NOTHING_ORDERED = 'Nothing is ordered yet.';
export const ORDER = 'Order';
export const backToText = (distribution: string): string => `Back to ${distribution}`;
export const weightsText = (weighed: number, expected: number): string => `Weights ${weighed} of ${expected}`;
export const BALANCE_OF_SAVED = 'Balance of the saved order:';
export const PAID = 'Paid';
export const ORDER_NOT_FOUND = 'Order not found';
export const NO_SUCH_ORDER = 'There is no such distribution, or no such customer.';

export const cancelOrderText = (customer: string): string => `Cancel the order of ${customer}?`;
export const SET_TO_ZERO = 'Set everything to 0';
export const cancellingText = (items: number): string =>
  `${items === 1 ? 'The item is' : `All ${itemsText(items)} are`} removed, with the recorded weights. The order then counts as not placed; what was paid on it stays on record.`;

// The texts of an order's note (contract §16).
export const ADD_NOTE = 'Add a note';
export const NOTE_MEANS = 'For the people who pack your order.';
export const STAFF_NOTE_MEANS = 'The customer sees it too.';

// The texts of an order's history.
export const HISTORY = 'History';
export const HISTORY_NOUN = 'changes';
export const HISTORY_HEADERS = { at: 'When', by: 'Who', of: 'Item', what: 'Change', from: 'From', to: 'To' } as const;
export const QUANTITY = 'Quantity';
export const weightOfUnitText = (unit: number): string => `Weight of unit ${unit}`;
export const PAYMENT = 'Payment';
