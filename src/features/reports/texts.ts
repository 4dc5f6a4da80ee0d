// This file contains the UI texts of the reports (spec §2).
import { dollars, type Cents } from '../../domain/money.ts';
import { counted, numberText } from '../../shared/counted.ts';
import { NO_CUSTOMERS } from '../users/texts.ts';

export const NO_LINES = 'Nothing has been ordered yet. This table lists what customers order, one line per product.';

/** The text that each view shows instead of the table when it has no rows. */
export const VIEW_EMPTY = {
  all: NO_CUSTOMERS,
  ordered: 'Nobody has placed an order yet.',
  'not-ordered': 'Every customer has placed an order.',
  'not-weighed': 'Every order that has to be weighed is weighed.',
  'not-paid': 'Every order is paid.',
  'refund-due': 'No refund is due.',
  'not-picked-up': 'Every order is picked up.',
} as const;

// The texts of the report page.
export const NOTHING_TO_BUY = 'Nothing has been ordered yet. This page lists what to buy of each product and group.';
export const NO_PAYMENTS_YET = 'No payments yet. This table lists what comes in, by method.';
export const NOTHING_DUE = 'Nothing is due: every order is paid.';

// The texts of the customers table.
export const CUSTOMERS = 'Customers';
export const CUSTOMERS_NOUN = 'customers';
export const CUSTOMER_HEADERS = {
  name: 'Customer',
  email: 'Email',
  items: 'Items',
  weights: 'Weights',
  amount: 'Amount',
  balance: 'Balance',
  slot: 'Pick-up time',
  note: 'Note',
} as const;
export const ESTIMATED_MEANING = 'estimated: not everything is weighed yet';
export const NO_ORDER = 'No order';
export const NONE_NEEDED = 'None needed';
export const PAID = 'Paid';
export const ofText = (part: number, whole: number): string => `${part} of ${whole}`;

/**
 * The following constants are the visible labels of the buttons in a row. The functions return the buttons' accessible names, which contain
 * the customer's name.
 */
export const EDIT = 'Edit';
export const ADD = 'Add';
export const PRINT = 'Print';
export const WEIGHTS = 'Weights';
export const editOrderOfText = (customer: string): string => `Edit Order of ${customer}`;
export const addOrderOfText = (customer: string): string => `Add Order of ${customer}`;
export const printOrderOfText = (customer: string): string => `Print Order of ${customer}`;
export const weightsOfText = (customer: string): string => `Weights of ${customer}`;

export const VIEW = 'View';
export const VIEW_LABELS = {
  all: 'All',
  ordered: 'Has ordered',
  'not-ordered': 'Not ordered',
  'not-weighed': 'Not weighed',
  'not-paid': 'Not paid',
  'refund-due': 'Refund due',
  'not-picked-up': 'Not picked up',
} as const;
export const nobodyText = (view: keyof typeof VIEW_LABELS, wanted: string): string =>
  `Nobody in "${VIEW_LABELS[view]}" matches "${wanted}".`;
export const SHOW_ALL = 'Show all';

/** The label of the menu entry that prints only the orders shown. It is offered beside printing all orders when a filter is active. */
export const printShownText = (orders: number): string => `Print the ${counted(orders, 'order')} shown`;
export const PRINT_ORDERS = 'Print orders';

// The following texts say how many orders of a distribution are placed, weighed, paid and picked up.
/** Returns the summary above the table of the customers tab (spec §2). */
export const placedText = ({ placed, customers }: Record<'placed' | 'customers', number>): string =>
  `${placed} out of ${customers} orders placed`;
export const pickedUpText = (pickedUp: number): string => `${numberText(pickedUp)} picked up`;
export const outOfPlacedText = (customers: number): string => `out of ${customers} orders placed`;
export const outOfWeighedText = (orders: number): string => `out of ${orders} weighed`;
export const paidOfText = (amount: Cents): string => `paid of ${dollars(amount)}`;
/**
 * Returns the sum still due and the sum to refund. It is shown when refunds are due. The paid amount alone then does not show how much
 * customers still have to pay.
 */
export const openText = ({ due, refunds }: { readonly due: Cents; readonly refunds: Cents }): string =>
  `${dollars(due)} still due · ${dollars(refunds)} to refund`;

// The texts of the report tab.
export const REPORT = 'Report';
export const OPEN_REPORT_PAGE = 'Open the report page';
export const LINES_NOUN = 'lines';
export const LINE_HEADERS = {
  email: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  order: 'Order',
  product: 'Product',
  category: 'Category',
  code: 'Code',
  quantity: 'Quantity',
} as const;
/** Returns, for example, '12 of 1,200 ordered lines'. */
export const linesText = (shown: number, total: number): string =>
  shown === total ? counted(total, 'ordered line') : `${numberText(shown)} of ${counted(total, 'ordered line')}`;

// The report page shows the following texts with the purchase list.
export const PRINT_REPORT = 'Print report';
export const NOT_PRINTABLE = 'The report cannot be printed, because a part of it could not be loaded';
export const REPORT_TABS = { supply: 'Suppliers', packing: 'Packing', money: 'Money', estimates: 'Estimates' } as const;
export const reportOfText = (distribution: string): string => `Report: ${distribution}`;
export const TO_BUY = 'To buy from suppliers';
export const PRODUCTS_TO_BUY = 'Products to buy';
export const PRODUCTS_NOUN = 'products';
export const GROUPS = 'Groups';
export const GROUPS_NOUN = 'groups';
export const EACH_PRODUCT = 'By product';
export const DOWNLOAD_GROUPS = 'Download groups';
export const DOWNLOAD_PRODUCTS = 'Download products';
/** Returns, for example, '300 units of 12 products in 4 groups'. */
export const toBuyText = ({ units, products, groups }: Record<'units' | 'products' | 'groups', number>): string =>
  `${counted(units, 'unit')} of ${counted(products, 'product')} in ${counted(groups, 'group')}`;
export const SUPPLY_HEADERS = {
  code: 'Code',
  product: 'Product',
  products: 'Products',
  group: 'Group',
  perUnit: 'Per unit',
  units: 'Units',
  estimated: 'Estimated weight',
  weighed: 'Weighed so far',
} as const;
/** Returns 'about 5 lb' for an estimate product, or '12 each' for a counted product. */
export const perUnitText = (quantity: string, isEstimate: boolean): string => (isEstimate ? `about ${quantity}` : quantity);
export const weighedUnitsText = (weighed: number, units: number): string => `${numberText(weighed)} of ${numberText(units)} units`;
export const UNITS_BY_GROUP = 'Units by group';
export const weightByGroupText = (uom: string | null): string => (uom === null ? 'Weight by group' : `Weight by group, in ${uom}`);
export const WEIGHED = 'Weighed';
export const STILL_ESTIMATED = 'Still estimated';
export const UNITS = 'Units';
export const unitsText = (units: number): string => counted(units, 'unit');
export const largestText = (shown: number, all: number): string => `The ${shown} largest of ${all}; the table has them all.`;

// The texts of the packing lists.
export const WHO_GETS_WHAT = 'Who gets what';
export const PACKING_LISTS = 'Packing lists';
export const PACKING_NOUN = 'packing lists';
export const PACKING_VIEWS = { customer: 'By customer', product: 'By product' } as const;
export const DOWNLOAD_PACKING = 'Download packing lists';
export const PACKING_HEADERS = {
  customer: 'Customer',
  customers: 'Customers',
  order: 'Order',
  units: 'Units',
  items: 'Items',
  code: 'Code',
  product: 'Product',
} as const;
/** Returns the number of packing lists as text. There is one list per customer or one per product: '61 customers', '12 products'. */
export const listsText = (view: keyof typeof PACKING_VIEWS, lists: number): string =>
  view === 'customer' ? counted(lists, 'customer') : counted(lists, 'product');
export const SHOW_FEWER = 'Show fewer';
export const showAllText = (lines: number): string => `Show all ${numberText(lines)}`;

// The following texts are the headings of the parts of the report page that show the payments received and the balances due.
export const MONEY_IN_AND_DUE = 'Money in and money due';
export const MONEY_IN = 'Money in';
export const MONEY_DUE = 'Money due';
export const REFUNDS_DUE = 'Refunds due';
export const METHODS_NOUN = 'methods';
export const DOWNLOAD_MONEY_IN = 'Download money in';
export const DOWNLOAD_MONEY_DUE = 'Download money due';
export const openOrdersText = (orders: number): string => counted(orders, 'open order');
export const CARD_FEES = 'Card fees';
export const PAID_ON_ORDERS = 'Paid on orders';
export const DUE = 'Due';
export const DUE_ESTIMATED = 'Due, estimated';
export const TAKINGS_HEADERS = {
  method: 'Method',
  payments: 'Payments',
  taken: 'Taken',
  reversed: 'Reversed',
  amount: PAID_ON_ORDERS,
  fee: CARD_FEES,
  received: 'Received',
} as const;
export const DUE_HEADERS = {
  customer: 'Customer',
  order: 'Order',
  state: 'Amount is',
  amount: 'Amount',
  paid: 'Paid',
  balance: 'Balance',
} as const;
export const FINAL = 'Final';
export const ESTIMATE = 'Estimated';
export const receivedText = (fees: Cents): string => (fees > 0 ? `with ${dollars(fees)} of card fees` : 'received');
export const TO_GIVE_BACK = 'to customers who paid too much';
export function dueText({ due, estimated }: { readonly due: Cents; readonly estimated: Cents }): string {
  if (due === 0) return 'nothing is open';
  return estimated === 0 ? 'all of it weighed' : `${dollars(estimated)} of it is an estimate until all is weighed`;
}
