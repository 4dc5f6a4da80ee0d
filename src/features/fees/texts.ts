// Every literal text of fees (spec §8; contract §7).
export const FEE_ADDED = 'Fee added successfully';
export const FEE_DELETED = 'Fee deleted successfully';
export const FEE_LOST = 'It cannot be undone: added again, this fee would be charged after the others of its sort order.';
export const NO_FEES = 'No fees yet. An order comes to what its products cost.';

export const SORT_ORDER_UNREADABLE = 'Sort order must be a whole number';
export const AMOUNT_UNREADABLE = {
  flat: 'Type an amount in dollars, such as 5.00',
  percent: 'Type a percentage, such as 3 or 2.5',
} as const;
