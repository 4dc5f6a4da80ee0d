// The UI texts of the print pages (spec §2, §8; contract §7).
import { dollars } from '../../domain/money.ts';
import type { PaymentMethod } from '../../domain/payment.ts';
import type { PrintTotals } from '../../domain/print.ts';
import { counted } from '../../shared/counted.ts';

export const LOADING = 'Loading...';
export const NOT_FOUND = 'Not Found';
export const WHY_NOT_FOUND = 'There is no such order or distribution, or it is not one of yours.';
export const PRINT_ORDER = 'Print Order';
export const PRINT_ALL = 'Print all orders';
export const NOTHING_TO_PRINT = 'Nothing has been ordered in this distribution yet.';

export const QUANTITY = 'Quantity';
export const CODE = 'Code';
export const PRODUCT = 'Product';
export const PRICE_EACH = 'Price(each)';
export const EXT_PRICE = 'Ext Price';

export const PRICESHEET = 'Pricesheet';
export const DOWNLOAD_PRICESHEET = 'Download Price Sheet';
export const PRICE_COLUMNS = { code: CODE, name: 'Name', max: 'Max', unitPrice: 'Unit Price', price: 'Price' } as const;

export const orderNumber = (orderId: number): string => `Order ${orderId}`;

/** The name of a row that stands for many units. */
export const foldedText = (name: string, units: number): string => `${name}: ${counted(units, 'unit')} not weighed`;

/** Below the product, to distinguish its empty box from that of an unweighed unit. */
export const ROW_STATES = { unavailable: 'not available', undelivered: 'not delivered' } as const;

/** Below the totals, which do not count unweighed units; `estimated` is what the balance counts for them, null without a balance. */
export function unweighedText(units: number, estimated: PrintTotals['estimated'] | null): string {
  const isOne = units === 1;
  const text = `${counted(units, 'unit')} ${isOne ? 'is' : 'are'} not weighed yet and not in the total.`;
  if (!estimated) return text;
  const { amount, hasFees } = estimated;
  return `${text} The balance counts ${isOne ? 'it at its' : 'them at their'} estimate, ${dollars(amount)}${hasFees ? ' with fees' : ''}.`;
}

/** The button of a page that prints once automatically. */
export const PRINT = 'Print';
/** The name of the printed file; the customer may not be loaded yet. */
export const orderTitle = (order: string, person: string, distribution: string): string =>
  [order, person, distribution].filter(Boolean).join(' - ');
export const pricesheetTitle = (distribution: string): string => `Pricesheet - ${distribution}`;
export const ordersTitle = (distribution: string | undefined): string =>
  distribution === undefined ? 'Orders' : `Orders - ${distribution}`;
export const ordersCountText = (orders: number): string => counted(orders, 'order');
/** Replaces an unweighed quantity; filled in by hand. */
export const EMPTY_BOX = 'Empty box';

export const SUBTOTAL = 'Subtotal';
export const TOTAL = 'Total';
export const PAYMENT_LINES: Record<PaymentMethod, string> = {
  Cash: 'Cash Payment',
  'Credit Card': 'Credit Card Payment',
  Check: 'Check Payment',
  Other: 'Other Payment',
};
/** Below a card payment: no total of the order counts its fee. */
export const CARD_FEE = 'Card fee, on top of the payment above';
export const BALANCE_DUE = 'Balance Due';
/** '/ lb', after the price per unit of measure. */
export const perUomText = (uom: string): string => `/ ${uom}`;

/** Refusals of a call that names the orders to print. */
export const CHOOSE_AN_ORDER = 'Choose at least one order';
export const tooManyOrders = (most: number): string => `At most ${most.toLocaleString('en-US')} orders a call`;
