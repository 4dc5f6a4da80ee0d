// The literal texts of products (spec §2, §5, §8).
import { dollars, type Cents } from '../../domain/money.ts';
import { priceOf } from '../../domain/order.ts';
import { counted } from '../../shared/counted.ts';
import { ordersText } from '../catalogue/texts.ts';

export const NO_PRODUCTS = 'No products found. Add one or upload a CSV file to get started.';
export const PRODUCT_ADDED = 'Product added successfully';
export const PRODUCT_UPDATED = 'Product updated successfully';

export const NO_ORDERS = 'No orders';
export const NO_ORDERED_UNITS = 'This product has no ordered units.';
export const OTHER_CODE = 'This product has another product code. Reload to see it.';

export const PICTURE_LIMITS = 'PNG, JPEG or WebP, up to 2 MB.';
export const PICTURE_TOO_LARGE = 'This file is larger than 2 MB. Make the picture smaller and choose it again.';
export const PICTURE_UNREADABLE = 'This file is not a picture that can be read. Choose a PNG, JPEG or WebP file.';
export const PICTURE_NOT_SAVED = 'The product is saved, but this picture is not. Choose another one, or remove it.';
export const PICTURE_WITHOUT_CODE = 'A picture goes with a product code. Type a code first.';
/** Of a file that was chosen before the code was changed: whose picture it is must not be guessed. */
export const pictureOfOtherText = (chosenFor: number, code: number): string =>
  `This picture was chosen for product code ${chosenFor}. Choose it again for ${code}, or remove it.`;

export const REPRICE = { title: 'Change the price of what is ordered?', confirmLabel: 'Change the price' };

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
  if (unit_qty === 1 && !unit_qty_is_estimate) return uom === null ? '' : perText(uom);
  const quantity = uom === null ? unit_qty : `${unit_qty} ${uom}`;
  return `${unit_qty_is_estimate ? 'about ' : ''}${quantity} × ${dollars(unit_price)}`;
}

/** 'per lb', and 'each' of what is counted. */
export const perText = (uom: string): string => (uom.toLowerCase() === 'each' ? 'each' : `per ${uom}`);

type Offered = Sold & { readonly product_code: number | null; readonly max_order_qty: number };

/** What a product is sold as, in one line: 'code 1001 · about 3 lb × $12.99 = $38.97 · max 4'. */
export function termsText(product: Offered): string {
  const { product_code, max_order_qty, unit_price } = product;
  const units = unitsText(product);
  const price = units.includes('×') ? `${units} = ${dollars(priceOf(product))}` : `${dollars(unit_price)} ${units}`.trim();
  return [product_code !== null && `code ${product_code}`, price, max_order_qty > 0 && `max ${max_order_qty}`].filter(Boolean).join(' · ');
}

/** What clearing would do. */
export const clearingText = (name: string, repriced: { readonly units: number } & Parameters<typeof ordersText>[0]): string =>
  `Every ordered quantity of ${name} becomes 0: ${counted(repriced.units, 'unit')} in ${ordersText(repriced)}. Recorded weights of them are dropped. This cannot be undone.`;

/** The check of an upload: a new product without a price is not meant to be given away. */
export const freeText = (lines: readonly number[]): string =>
  `${counted(lines.length, 'new product')} without a unit price will cost $0.00 (${linesText(lines)}).`;

/** The check of an upload: only true is read as an estimate (spec §5). */
export function unclearEstimateText(rows: readonly { readonly line: number; readonly typed: string }[]): string {
  const typed = [...new Set(rows.map((row) => `“${row.typed}”`))];
  const said = `${typed.slice(0, FIRST).join(', ')}${typed.length > FIRST ? ', …' : ''}`;
  return `unit_qty_is_estimate says ${said} (${linesText(rows.map((row) => row.line))}), which is read as a fixed price. Where the quantity is an estimate, write true.`;
}

const FIRST = 5;
const linesText = (lines: readonly number[]): string =>
  `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, FIRST).join(', ')}${lines.length > FIRST ? ', …' : ''}`;
