// The UI texts of products (spec §2, §5, §8).
import { dollars } from '../../domain/money.ts';
import { priceOf, type Priced } from '../../domain/order.ts';
import { counted, numberText } from '../../shared/counted.ts';

export const NO_PRODUCTS = 'No products found. Add one or upload a CSV file to get started.';
export const PRODUCT_ADDED = 'Product added successfully';
export const PRODUCT_UPDATED = 'Product updated successfully';

export const NO_ORDERS = 'No orders';
export const NO_ORDERED_UNITS = 'This product has no ordered units.';
export const OTHER_CODE = 'This product has another product code. Reload to see it.';

export const OTHER_DISTRIBUTION = 'distributionId must be the distribution of the path';
export const OTHER_PRODUCT = 'id must be the product of the path';

export const NO_PRODUCT_GIVEN = 'There must be at least one product';
export const PRODUCT_LISTED_TWICE = 'A product is in the list twice.';
export const PREVIOUS_VALUE_MISSING = '`before` must have the fields of `after`.';
export const tooManyAtOnce = (most: number): string => `At most ${most} products at once`;

const PICTURE_LIMITS = 'PNG, JPEG or WebP, up to 2 MB.';
export const PICTURE_TOO_LARGE = 'This file is larger than 2 MB. Make the picture smaller and choose it again.';
export const PICTURE_UNREADABLE = 'This file is not a picture that can be read. Choose a PNG, JPEG or WebP file.';
export const PICTURE_NOT_SAVED = 'The product is saved, but this picture is not. Choose another one, or remove it.';
/** The server replies with this message, and the field of the picture shows it. */
export const PICTURE_CHANGED = 'Somebody else has changed this picture meanwhile, so your change of it is not saved.';
export const PICTURE_WITHOUT_CODE = 'A picture goes with a product code. Type a code first.';
/** Shown when the user chose a picture and then changed the code: the client cannot know to which code the picture belongs. */
export const pictureOfOtherText = (chosenFor: number, code: number): string =>
  `This picture was chosen for product code ${chosenFor}. Choose it again for ${code}, or remove it.`;

/** Reports that the product's quantity was set to 0 in all orders (contract §4). */
export const clearedText = (name: string, { units, orders }: Record<'units' | 'orders', number>): string =>
  `Cleared ${counted(units, 'unit')} of ${name} from ${counted(orders, 'order')}.`;

export const UPLOAD_COMPLETED = 'Bulk product update completed';
export const UPLOAD_CANCELLED = 'Bulk product update cancelled';
export const savingText = (n: number, total: number, name: string): string => `Saving ${n}/${total} ${name}`;
export const failedText = (failed: number, total: number): string => `Failed to save ${failed} of ${total} products`;

/** The name under which products without a group are listed. */
export const OTHER_GROUP = 'Other';

type Sold = Priced & { readonly uom: string | null; readonly unit_qty_is_estimate: boolean };

/**
 * Returns, for example, 'about 5 lb × $16.99', '12 each × $2.50' or, for a quantity of 1, 'per lb'. Returns '' for a quantity of 1 without
 * a unit of measure.
 */
export function unitsText({ unit_price, unit_qty, uom, unit_qty_is_estimate }: Sold): string {
  if (unit_qty === 1 && !unit_qty_is_estimate) return uom === null ? '' : perText(uom);
  const quantity = uom === null ? unit_qty : `${unit_qty} ${uom}`;
  return `${unit_qty_is_estimate ? 'about ' : ''}${quantity} × ${dollars(unit_price)}`;
}

/** Returns 'each' for the unit of measure 'each', otherwise, for example, 'per lb'. */
export const perText = (uom: string): string => (uom.toLowerCase() === 'each' ? 'each' : `per ${uom}`);

type Offered = Sold & { readonly product_code: number | null; readonly max_order_qty: number };

/** Returns, for example, 'code 1001 · about 3 lb × $12.99 = $38.97 · max 4', which describes in one line how a product is sold. */
export function termsText(product: Offered): string {
  const { product_code, max_order_qty, unit_price } = product;
  const units = unitsText(product);
  const price = units.includes('×') ? `${units} = ${dollars(priceOf(product))}` : `${dollars(unit_price)} ${units}`.trim();
  return [product_code !== null && `code ${product_code}`, price, max_order_qty > 0 && `max ${max_order_qty}`].filter(Boolean).join(' · ');
}

export const groupText = (group: string | null): string => group ?? OTHER_GROUP;

// The texts of the products tab.
export const PRODUCTS = 'Products';
export const PRODUCTS_NOUN = 'products';
export const productsInText = (products: number, groups: number): string =>
  `${counted(products, 'product')} in ${counted(groups, 'group')}`;
export const ADD_PRODUCT = 'Add Product';
export const EDIT_PRODUCT = 'Edit Product';
export const SAVE_PRODUCT = 'Save Product';
export const UPLOAD_CSV = 'Upload CSV';
export const DOWNLOAD_CSV = 'Download CSV';
export const GROUP = 'Group';
export const ALL_GROUPS = 'All groups';
export const SEARCH_PRODUCTS = 'Search products';
export const SEARCHED = 'Name, code or description';
export const ESTIMATE_NOTE = '* The quantity is an estimate; the final price goes by weight.';
export const PRODUCT_HEADERS = {
  code: 'Code',
  product: 'Product',
  group: GROUP,
  price: 'Price',
  max: 'Max',
  ordered: 'Ordered',
  left: 'Left',
  actions: 'Actions',
} as const;
export const EDIT = 'Edit';
export const NOT_OFFERED = 'Not offered any more';
export const OFFER_AGAIN = 'Offer again';
export const DELETE_PRODUCT = 'Delete';
export const deleteProductText = (product: string): string => `Delete ${product}?`;
export const DELETING_PRODUCT = 'A product that was never ordered is deleted for good. A product that was ordered is kept.';
export const PRODUCT_DELETED = 'Product deleted';
export const notOfferedText = (product: string): string => `${product} stays in the orders that have it; nobody can order more of it.`;
export const offeredAgainText = (product: string): string => `${product} can be ordered again.`;
export const moreActionsText = (product: string): string => `More actions for ${product}`;
export const CLEAR_QUANTITIES = 'Clear quantities';
/** The accessible names of the two buttons in a row, and the question that the second button asks. */
export const editText = (name: string): string => `Edit ${name}`;
export const clearText = (name: string): string => `Clear quantities of ${name}`;
export const clearQuestion = (name: string): string => `Clear the quantities of ${name}?`;

// The texts of the editable products table.
export const EDIT_TABLE = 'Edit in a table';
export const EDITING_TABLE = 'Edit products';
export const BACK_TO_LIST = 'Back to the list';
export const TABLE_HINT =
  'Arrow keys move; a click, F2, Enter or typing edits. Paste a column from a spreadsheet into its first cell. Ctrl+Z takes back.';
export const TABLE_HINT_TOUCH = 'Tap a value to change it.';
export const TABLE_HEADERS = {
  name: 'Product',
  product_code: 'Code',
  product_group: GROUP,
  unit_price: 'Unit price, $',
  unit_qty: 'Unit qty.',
  uom: 'Unit',
  unit_qty_is_estimate: 'By weight',
  price: 'Price',
  max_order_qty: 'Max',
  total_limit: 'Limit',
  ordered: 'Ordered',
} as const;
export const YES = 'Yes';
export const NO = 'No';
export const BY_WEIGHT_RULE = 'By weight must be yes or no';
export const PRICE_IS_COMPUTED = 'The price is unit price times unit quantity.';
export const COUNTED_FROM_ORDERS = 'This is counted from the orders.';
/** Returns, for example, 'Max of Brisket', the accessible name of the input in a cell. */
export const cellOfText = (header: string, product: string): string => `${header} of ${product}`;
export const changesText = (changes: number): string => counted(changes, 'change');
export const problemsText = (cells: number): string => `${counted(cells, 'value')} cannot be saved`;
export const SHOW_PROBLEM = 'Show the next';
export const SAVE_CHANGES = 'Save';
export const saveChangesText = (changes: number): string => `${SAVE_CHANGES} ${changesText(changes)}`;
export const changesSavedText = (changes: number): string => `${changesText(changes)} saved`;
export const discardQuestion = (changes: number): string => `Discard ${changesText(changes)}?`;
export const DISCARDING = 'The table shows the saved values again.';
export const pastedText = (cells: number, ignored: number): string =>
  ignored === 0 ? `${counted(cells, 'value')} pasted.` : `${counted(cells, 'value')} pasted, ${ignored} outside the table ignored.`;
export const TAKEN_BACK = 'Taken back';
export const CONFLICTS_TITLE = 'Changed by somebody else meanwhile';
const EMPTY_VALUE = 'empty';
export const valueOfText = (header: string, value: string): string => `${header} ${value || EMPTY_VALUE}`;
export const conflictText = (product: string, values: string): string => `${product} has now: ${values}`;
export const wasDeletedText = (product: string): string => `${product} was deleted.`;
export const KEEP_MINE = 'Keep mine';
export const TAKE_THEIRS = 'Take theirs';
export const keepMineText = (product: string): string => `Keep mine: ${product}`;
export const takeTheirsText = (product: string): string => `Take theirs: ${product}`;

// The texts of the dialog in which the distributor sorts the product groups.
export const GROUP_ORDER = 'Order of groups';
export const GROUP_ORDER_HINT =
  'The order page, the price sheet and every list of products show the groups in this order. Products without a group come last.';
export const moveUpText = (group: string): string => `Move ${group} up`;
export const moveDownText = (group: string): string => `Move ${group} down`;
export const placeText = (group: string, place: number, groups: number): string => `${group}: ${place} of ${groups}`;
export const BY_ALPHABET = 'Sort by alphabet';
export const SAVE_GROUP_ORDER = 'Save';
export const GROUP_ORDER_SAVED = 'Order of groups saved';

// The texts of the product dialog.
export const FIELDS = {
  name: 'Name',
  product_code: 'Product code',
  description: 'Description',
  product_group: GROUP,
  unit_price: 'Unit price, $',
  unit_qty: 'Unit quantity',
  uom: 'Unit of measure',
  unit_qty_is_estimate: 'The quantity is an estimate',
  max_order_qty: 'Max order quantity',
  total_limit: 'Limit of all orders',
} as const;
export const ESTIMATE_HINT = 'Each unit is weighed; its final price is the weight times the unit price.';
export const MAX_HINT = '0: no maximum';
export const LIMIT_HINT = 'Empty: no limit';
/** Shown in the distributor's table: how many units of a product's limit are left. */
export const leftText = (left: number, limit: number): string => `${left} of ${limit}`;
export const PRICE = 'Price';
export const PICTURE = 'Picture';
export const PICTURE_FILE = 'Picture file';
export const pictureHint = (code: number): string => `${PICTURE_LIMITS} Shown wherever product code ${code} is sold.`;
export const CHOOSE_PICTURE = 'Choose a picture';
export const REPLACE_PICTURE = 'Replace the picture';
export const REMOVE = 'Remove';
export const PICTURE_ALTS = {
  chosen: 'The chosen picture',
  present: 'The present picture',
} as const;
export const pictureOfText = (name: string): string => `Picture of ${name}`;

export const SHOW_UPLOAD = 'Show the upload';
export const NONE = 'none';

/** The names of fields at the beginning of an error message. */
export const PRODUCT_NAMES = {
  name: 'Name',
  description: 'Description',
  unit_price: 'Unit price',
  unit_qty: 'Quantity',
  uom: 'Unit of measure',
  max_order_qty: 'Maximum order quantity',
  product_group: 'Group',
  product_code: 'Product code',
  total_limit: 'Limit',
};
export const PRODUCT_WAS_ORDERED = 'This product was ordered, so it cannot be deleted. It can be offered no more.';
export const PRICE_NOT_POSITIVE = 'Unit price must be positive';
export const PRICE_TOO_LARGE = 'Unit price times quantity is too large';
export const PRICE_RULE = 'Unit price must be an amount in dollars such as 12.50, at most 10,000,000';
export const QUANTITY_BELOW_ONE = 'Quantity must be at least 1';
export const tooManyProducts = (most: number): string => `A distribution has at most ${numberText(most)} products.`;
export const tooLongDescriptions = (most: number): string =>
  `The descriptions of all products together may have at most ${numberText(most / 1_000_000)} MB. Shorten some of them first.`;
export const NEGATIVE_MAXIMUM = 'Maximum order quantity must be non-negative';
export const LIMIT_BELOW_ONE = 'Limit must be at least 1';
export const NEGATIVE_CODE = 'Product code must be non-negative';
export const mustBeBoolean = (column: string): string => `${column} must be true or false`;
export const mustBeWhole = (name: string): string => `${name} must be a whole number`;
export const SEVERAL_OF_CODE = 'Several products have this product code; give the id of one';
export const SAME_PRODUCT_TWICE = 'An earlier row is about the same product';
export const noNameColumn = (columns: readonly string[]): string => `This file has no name column. Its columns are: ${columns.join(', ')}.`;
