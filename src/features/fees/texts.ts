// The UI texts of fees (spec §8; contract §7).
import { dollars, type Cents } from '../../domain/money.ts';
import { NOT_DOLLARS } from '../../shared/texts.ts';

export const FEE_ADDED = 'Fee added successfully';
export const FEE_UPDATED = 'Fee updated successfully';
export const FEE_DELETED = 'Fee deleted successfully';
export const FEE_LOST = 'It cannot be undone: added again, this fee would be charged after the others of its sort order.';
export const NO_FEES = 'No fees yet. An order comes to what its products cost.';

export const SORT_ORDER_UNREADABLE = 'Sort order must be a whole number';
export const AMOUNT_UNREADABLE = {
  flat: NOT_DOLLARS,
  percent: 'Type a percentage, such as 3 or 2.5',
} as const;

export const FEES = 'Fees';
export const FEES_HINT = 'Charged on every order, in this order';
export const ADD_A_FEE = 'Add a fee';
export const ADD_FEE = 'Add Fee';
export const EDIT_FEE = 'Edit Fee';
export const UPDATE_FEE = 'Update Fee';
export const editOfText = (name: string): string => `Edit the fee ${name}`;
export const updateFeeText = (name: string): string => `Change the fee ${name}?`;
/** Shown below the name field when another fee has the typed name. */
export const sameNameText = (name: string): string => `There is already a fee named ${name}: both would be charged.`;
export const DELETE_FEE = 'Delete Fee';
export const addFeeText = (name: string): string => `Add the fee ${name}?`;
export const deleteFeeText = (name: string): string => `Delete the fee ${name}?`;
/** The accessible name of the delete button in a fee's row. */
export const deleteOfText = (name: string): string => `Delete the fee ${name}`;

export const NAME = 'Name';
export const TYPE = 'Type';
export const TYPE_LABELS = { flat: 'Flat amount', percent: 'Percent' } as const;
export const AMOUNT = 'Amount';
export const AMOUNT_HINTS = { flat: 'in dollars per order', percent: 'in percent' } as const;
export const SORT_ORDER = 'Sort order';
export const SORT_ORDER_HINT = 'lowest is charged first';
/** Returns, for example, 'Percent · Sort order 1'. */
export const feeFactsText = ({ type, sort_order }: { readonly type: keyof typeof TYPE_LABELS; readonly sort_order: number }): string =>
  `${TYPE_LABELS[type]} · Sort order ${sort_order}`;

// The texts of the warning that the order page and the printed order have different totals (contract §7).
export const RULES_DIFFER = 'With these fees the order page and the printed order come to different totals.';
export const RULES_EXPLAINED =
  'The order page charges each fee on the subtotal. The printed order and the balance charge them one after another, each on what has been added up so far.';
export const PERCENT_FIRST = 'Both totals agree once every flat fee has a higher sort order than the percent ones.';
export const rulesExampleText = (totals: Record<'subtotal' | 'onOrderPage' | 'printed', Cents>): string =>
  `Example: products for ${dollars(totals.subtotal)} come to ${dollars(totals.onOrderPage)} on the order page and to ${dollars(totals.printed)} on the printed order.`;

export const NEGATIVE_SORT_ORDER = 'Sort order must be non-negative';
export const NEGATIVE_AMOUNT = 'Amount must be non-negative';
export const tooManyFees = (most: number): string => `A distribution has at most ${most} fees.`;
export const FEE_TOO_HIGH = 'A percent fee is at most 100%';
