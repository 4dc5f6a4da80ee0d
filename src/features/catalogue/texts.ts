// The UI texts of missing and changed prices, and of low limits (contract §4, §12).
import { feeText, type Fee } from '../../domain/fees.ts';
import { dollars } from '../../domain/money.ts';
import type { Priced } from '../../domain/order.ts';
import { counted, numberText } from '../../shared/counted.ts';
import { sortNameOrEmail } from '../../shared/person-name.ts';

export const PRICE_CHANGES = 'Price changes';
export const PRICE_CHANGES_HINT = 'What has changed the amounts of orders that were already placed: prices of ordered products, and fees.';
export const NO_PRICE_CHANGES = 'No price or fee has changed since the first order.';

type Terms = Priced & { readonly unit_qty_is_estimate: boolean };
type Charged = Omit<Fee, 'id'>;

const soldBy = ({ unit_qty_is_estimate }: Terms): string => (unit_qty_is_estimate ? 'by weight' : 'by the unit');

/** Returns, for example, 'Unit price $16.99 → $17.99; unit quantity 5 → 6'. */
export function termsChangeText(before: Terms, after: Terms): string {
  return changesText([
    before.unit_price !== after.unit_price && `unit price ${dollars(before.unit_price)} → ${dollars(after.unit_price)}`,
    before.unit_qty !== after.unit_qty && `unit quantity ${before.unit_qty} → ${after.unit_qty}`,
    before.unit_qty_is_estimate !== after.unit_qty_is_estimate && `sold ${soldBy(before)} → ${soldBy(after)}`,
  ]);
}

/** Returns, for example, 'Fee added: 3%'. */
export function feeChangeText(before: Charged | null, after: Charged | null): string {
  if (before === null) return after === null ? '' : `Fee added: ${feeText(after)}`;
  if (after === null) return `Fee deleted: ${feeText(before)}`;
  return changesText([
    before.name !== after.name && `${before.name} → ${after.name}`,
    feeText(before) !== feeText(after) && `${feeText(before)} → ${feeText(after)}`,
    before.sort_order !== after.sort_order && `sort order ${before.sort_order} → ${after.sort_order}`,
  ]);
}

/** Joins the changes to one string that begins with a capital letter. A change that is `false` is left out. */
function changesText(changes: readonly (string | false)[]): string {
  const text = changes.filter((change) => change !== false).join('; ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

interface Counted {
  readonly count: number;
}

/** Returns, for example, '2 of them with payments', or 'with a payment' if there is only one order. `count` is above 0. */
export const ofThemText = (orders: number, count: number, one: string, many = one): string =>
  orders === 1 ? one : counted(count, `of them ${one}`, `of them ${many}`);

/** Returns, for example, '3 orders, 1 of them with a payment'. */
export function ordersText({ orders, paid }: { readonly orders: Counted; readonly paid: Counted }): string {
  if (orders.count === 1) return `1 order, ${paid.count === 1 ? 'with a payment' : 'not paid yet'}`;
  const among = paid.count === 0 ? 'none of them paid yet' : ofThemText(orders.count, paid.count, 'with a payment', 'with payments');
  return `${counted(orders.count, 'order')}, ${among}`;
}

/** Tells the user which orders a new price or fee re-prices, before it is saved (contract §4). */
export const repricedText = (repriced: Parameters<typeof ordersText>[0]): string =>
  repriced.orders.count === 0 ? 'No order is placed yet.' : `This re-prices ${ordersText(repriced)}.`;

interface Named extends Counted {
  readonly customers: readonly { readonly firstName: string | null; readonly lastName: string | null; readonly email: string | null }[];
}

/** Returns, for example, 'Abramov, Rivka; Cohen, Dina; and 3 more'. `names` are the first of `count` names. */
export function listText(names: readonly string[], count: number): string {
  const more = count - names.length;
  return [...names, ...(more > 0 ? [`and ${counted(more, 'more', 'more')}`] : [])].join('; ');
}
export const namesText = ({ count, customers }: Named): string => listText(customers.map(sortNameOrEmail), count);

/** How many names `noPriceText` says. */
const NAMED = 3;
/** Returns, for example, '1 product has no price: Turkey.' */
export const noPriceText = (names: readonly string[]): string =>
  `${counted(names.length, 'product has', 'products have')} no price: ${listText(names.slice(0, NAMED), names.length)}.`;

/** The number of products, and the first names. */
interface NamedProducts {
  readonly count: number;
  readonly names: readonly string[];
}

/** The question before new prices that re-price orders are saved. If only one product has a new price, the question names it. */
export const repriceQuestion = ({ count, names }: NamedProducts): string =>
  count === 1 ? `Change the price of ${names[0] ?? ''}?` : `Change the prices of ${counted(count, 'ordered product')}?`;
export const repriceLabel = ({ count }: NamedProducts): string => (count === 1 ? 'Change the price' : 'Change the prices');

export const CHANGES_NOUN = 'price changes';
export const CHANGE_HEADERS = { name: 'Product or fee', change: 'Change', at: 'When', by: 'Who' } as const;

export const CHANGED_PRODUCTS = 'Products';
export const ORDERS_OF = 'Orders of';
export const WITH_PAYMENTS = 'With payments';
export const TOGETHER = 'Together';

// What happens to orders when the limit of a product is set below the ordered units (contract §12).
export const NOBODY_LOSES = 'Nobody loses an order, but customers cannot order more.';
export const limitBelowOrderedText = (ordered: number, over: number): string =>
  `${counted(ordered, 'unit is', 'units are')} ordered already: ${numberText(over)} more than this limit. ${NOBODY_LOSES}`;
/** Shown in the list of products below the number of units left. */
export const overLimitText = (over: number): string => `${numberText(over)} over the limit`;
export const orderedAlreadyText = (ordered: number): string => `${numberText(ordered)} ordered already`;
export const lowLimitsText = (limits: number): string =>
  `${counted(limits, 'limit is', 'limits are')} below what is ordered. ${NOBODY_LOSES}`;

export const NOT_UNDONE = 'This cannot be undone.';
/** Tells the user what happens if the product's quantity is set to 0 in all orders. */
export const clearingText = (name: string, repriced: { readonly units: number } & Parameters<typeof ordersText>[0]): string =>
  `Every ordered quantity of ${name} becomes 0: ${counted(repriced.units, 'unit')} in ${ordersText(repriced)}. Recorded weights of them are dropped. ${NOT_UNDONE}`;
