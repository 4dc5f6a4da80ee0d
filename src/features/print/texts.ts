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

/** The accessible name of an order's QR code. */
export const orderCodeText = (orderId: number): string => `Code of order ${orderId}`;
export const pickUpText = (slot: string): string => `Pick-up: ${slot}`;

/** The name of a row for many units. */
export const foldedText = (name: string, units: number): string => `${name}: ${counted(units, 'unit')} not weighed`;

/** Shown below the product, to distinguish its empty box from that of an unweighed unit. */
export const ROW_STATES = { unavailable: 'not available', undelivered: 'not delivered' } as const;

/**
 * Shown below the totals, which do not include unweighed units. `estimated` is the amount that the balance contains for them, null without
 * a balance.
 */
export function unweighedText(units: number, estimated: PrintTotals['estimated'] | null): string {
  const isOne = units === 1;
  const text = `${counted(units, 'unit')} ${isOne ? 'is' : 'are'} not weighed yet and not in the total.`;
  if (!estimated) return text;
  const { amount, hasFees } = estimated;
  return `${text} The balance counts ${isOne ? 'it at its' : 'them at their'} estimate, ${dollars(amount)}${hasFees ? ' with fees' : ''}.`;
}

/** The button of a page that prints once automatically. */
export const PRINT = 'Print';
/** The name of the printed file; the customer may still be loading. */
export const orderTitle = (order: string, person: string, distribution: string): string =>
  [order, person, distribution].filter(Boolean).join(' - ');
export const pricesheetTitle = (distribution: string): string => `Pricesheet - ${distribution}`;
export const ordersTitle = (distribution: string | undefined): string =>
  distribution === undefined ? 'Orders' : `Orders - ${distribution}`;
export const ordersCountText = (orders: number): string => counted(orders, 'order');
/** Shown instead of the quantity of an unweighed unit, which is filled in by hand. */
export const EMPTY_BOX = 'Empty box';

export const SUBTOTAL = 'Subtotal';
export const TOTAL = 'Total';
export const PAYMENT_LINES: Record<PaymentMethod, string> = {
  Cash: 'Cash Payment',
  'Credit Card': 'Credit Card Payment',
  Check: 'Check Payment',
  Other: 'Other Payment',
};
/** Shown below a card payment: no total of the order includes the payment's fee. */
export const CARD_FEE = 'Card fee, on top of the payment above';
export const BALANCE_DUE = 'Balance Due';
/** '/ lb', after the price per unit of measure. */
export const perUomText = (uom: string): string => `/ ${uom}`;

/** The refusals of a call that selects the orders to print. */
export const CHOOSE_AN_ORDER = 'Choose at least one order';
export const tooManyOrders = (most: number): string => `At most ${most.toLocaleString('en-US')} orders a call`;

// Pick-up sheets and labels (contract §14).
export const PICK_UP_PRINT = 'Pick-up sheets and labels';
export const PAPER = 'Print';
export const PAPER_LABELS = { sheets: 'Pick-up sheets', labels: 'Labels' } as const;
export const SORTED = 'Sorted';
export const BY_LABELS = { time: 'By pick-up time', name: 'By name' } as const;
export const SHEET = 'Sheet';
export const SHEET_LABELS = { '5160': 'Avery 5160 (Letter)', L7160: 'Avery L7160 (A4)' } as const;
export const PRINT_PER = 'One label';
export const PER_LABELS = { order: 'Per order', unit: 'Per unit to weigh' } as const;
export const labelsCountText = (labels: number): string => `${counted(labels, 'label')}.`;
export const PRINT_WITHOUT_MARGINS = 'Print at 100%, without margins of the printer.';
/** The label of the box for the weight of one unit. */
export const unitBoxText = (unit: number, units: number): string => `Weight of unit ${unit} of ${units}`;
export const CHECK_BOX = 'Box to tick';
/** 'Brisket 2/3' */
export const unitText = (product: string, unit: number, units: number): string => `${product} ${unit}/${units}`;
