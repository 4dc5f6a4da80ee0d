// Every literal text of the reports (spec §2).
export const NO_CUSTOMERS = 'No customers found. Add one to get started.';
export const NO_LINES = 'Nothing has been ordered yet. What customers order stands here, one line per product.';

/** Instead of a table, when a view has nobody left in it. */
export const VIEW_EMPTY = {
  all: NO_CUSTOMERS,
  'not-ordered': 'Every customer has placed an order.',
  'not-weighed': 'Every order that has to be weighed is weighed.',
  'not-paid': 'Every order is paid.',
  'refund-due': 'Nothing is to be given back.',
} as const;

// The report page.
export const NOTHING_TO_BUY = 'Nothing has been ordered yet. What to buy of each product and group stands here.';
export const NO_PAYMENTS_YET = 'No payments yet. What comes in stands here by method.';
export const NOTHING_DUE = 'Nothing is due: every order is paid.';
