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
/** `time` is the label of the pick-up time with its time. */
export const pickUpText = (time: string): string => `Pick-up: ${time}`;

/** The accessible name of a row that stands for many unweighed units. */
export const foldedText = (name: string, units: number): string => `${name}: ${counted(units, 'unit')} not weighed`;

/** These texts say why a printed row has no weight. A unit that is not weighed yet has an empty box, but no such text. */
export const ROW_STATES = { unavailable: 'not available', undelivered: 'not delivered' } as const;

/**
 * Shown below the totals, because they do not include unweighed units. `estimated` is the amount at which the balance counts these units;
 * null if no balance is printed.
 */
export function unweighedText(units: number, estimated: PrintTotals['estimated'] | null): string {
  const isOne = units === 1;
  const text = `${counted(units, 'unit')} ${isOne ? 'is' : 'are'} not weighed yet and not in the total.`;
  if (!estimated) return text;
  const { amount, hasFees } = estimated;
  return `${text} The balance counts ${isOne ? 'it at its' : 'them at their'} estimate, ${dollars(amount)}${hasFees ? ' with fees' : ''}.`;
}

/** The label of the button that prints again. The page opens the print dialog once automatically. */
export const PRINT = 'Print';
/**
 * Returns the title of a printed order, which browsers propose as the name of the file. `person` is empty while the customer is being
 * loaded.
 */
export const orderTitle = (order: string, person: string, distribution: string): string =>
  [order, person, distribution].filter(Boolean).join(' - ');
export const pricesheetTitle = (distribution: string): string => `Pricesheet - ${distribution}`;
export const ordersTitle = (distribution: string | undefined): string =>
  distribution === undefined ? 'Orders' : `Orders - ${distribution}`;
export const ordersCountText = (orders: number): string => counted(orders, 'order');
/** The accessible name of the box in which the weight of a unit is filled in by hand. */
export const EMPTY_BOX = 'Empty box';

export const SUBTOTAL = 'Subtotal';
export const TOTAL = 'Total';
export const PAYMENT_LINES: Record<PaymentMethod, string> = {
  Cash: 'Cash Payment',
  'Credit Card': 'Credit Card Payment',
  Check: 'Check Payment',
  Other: 'Other Payment',
};
/** Shown below a payment by card, because the order's totals do not include the card fee. */
export const CARD_FEE = 'Card fee, on top of the payment above';
export const BALANCE_DUE = 'Balance Due';
/** Returns, for example, '/ lb', which follows the price per unit of measure. */
export const perUomText = (uom: string): string => `/ ${uom}`;

/** Why the server refuses a request to print selected orders. */
export const CHOOSE_AN_ORDER = 'Choose at least one order';
export const tooManyOrders = (most: number): string => `At most ${most.toLocaleString('en-US')} orders a call`;

// The texts of pick-up sheets and labels (contract §14).
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
export const PRINT_WITHOUT_MARGINS = 'In the print dialog, choose a scale of 100% and no margins.';
/** The label of the box for the weight of one unit. */
export const unitBoxText = (unit: number, units: number): string => `Weight of unit ${unit} of ${units}`;
export const CHECK_BOX = 'Box to tick';
/** Returns the number of a unit within its line, for example '2/3'. */
export const ofText = (unit: number, units: number): string => `${unit}/${units}`;
