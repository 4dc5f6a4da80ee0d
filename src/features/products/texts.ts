// The literal texts of products (spec §2, §5, §8).
import { dollars, type Cents } from '../../domain/money.ts';
import { counted } from '../../shared/counted.ts';

export const NO_PRODUCTS = 'No products found. Add one or upload a CSV file to get started.';
export const PRODUCT_ADDED = 'Product added successfully';
export const PRODUCT_UPDATED = 'Product updated successfully';

export const NO_ORDERS = 'No orders';
export const NO_ORDERED_UNITS = 'This product has no ordered units.';
export const OTHER_CODE = 'This product has another product code. Reload to see it.';

export const PICTURE_LIMITS = 'PNG, JPEG or WebP, up to 2 MB.';
export const PICTURE_TOO_LARGE = 'This file is larger than 2 MB. Make the picture smaller and choose it again.';
export const PICTURE_WITHOUT_CODE = 'A picture goes with a product code. Type a code first.';

interface Cleared {
  readonly units: number;
  readonly orders: number;
}

/** What clearing has done (contract §4). */
export const clearedText = (name: string, { units, orders }: Cleared): string =>
  units === 0 ? NO_ORDERED_UNITS : `Cleared ${counted(units, 'unit')} of ${name} from ${counted(orders, 'order')}.`;

export const UPLOAD_COMPLETED = 'Bulk product update completed';
export const UPLOAD_CANCELLED = 'Bulk product update cancelled';
export const savingText = (n: number, total: number, name: string): string => `Saving ${n}/${total} ${name}`;
export const failedText = (failed: number, total: number): string => `Failed to save ${failed} of ${total} products`;

/** Products without a group are listed under this name. */
export const OTHER_GROUP = 'Other';

interface Sold {
  readonly unit_price: Cents;
  readonly unit_qty: number;
  readonly uom: string | null;
  readonly unit_qty_is_estimate: boolean;
}

/** What a price is made of: 'about 5 lb × $16.99', '12 each × $2.50', 'per lb'; '' when there is nothing to say. */
export function unitsText({ unit_price, unit_qty, uom, unit_qty_is_estimate }: Sold): string {
  if (unit_qty === 1 && !unit_qty_is_estimate) return uom === null ? '' : `per ${uom}`;
  const quantity = uom === null ? unit_qty : `${unit_qty} ${uom}`;
  return `${unit_qty_is_estimate ? 'about ' : ''}${quantity} × ${dollars(unit_price)}`;
}

const number = new Intl.NumberFormat('en-US');

export interface Repriced {
  units: number;
  /** Orders, and those among them with payments; null where the report cannot tell. */
  orders: { all: number; withPayments: number } | null;
}

const amongThem = (withPayments: number): string => `${withPayments === 0 ? 'none' : number.format(withPayments)} of them with payments`;

/** What clearing would do. */
export function clearingText(name: string, { units, orders }: Repriced): string {
  const place = orders === null ? '' : ` in ${counted(orders.all, 'order')}, ${amongThem(orders.withPayments)}`;
  return `Every ordered quantity of ${name} becomes 0: ${counted(units, 'unit')}${place}. Recorded weights of them are dropped. This cannot be undone.`;
}

/** Contract §4: what a new price changes, before it is saved. */
export function repricedText(what: string, { units, orders }: Repriced): string {
  const ordered = `${counted(units, 'unit')} of ${what} ${units === 1 ? 'is' : 'are'} ordered`;
  if (orders === null) return `${ordered}. The amounts and balances of those orders change too, also where payments were made.`;
  return `${ordered}, in ${counted(orders.all, 'order')}, ${amongThem(orders.withPayments)}. The amounts and balances of those orders change too.`;
}

/** The check of an upload: a new product without a price is not meant to be given away. */
export const freeText = (lines: readonly number[]): string =>
  `${counted(lines.length, 'new product')} without a unit price will cost $0.00 (${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''}).`;
