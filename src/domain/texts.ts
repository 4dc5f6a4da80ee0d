// The messages that say why a rule of the domain refuses an input, and the labels of amounts (spec §5; contract §5-§7).

export const PASSWORD_TOO_SHORT = 'Password must be at least 8 characters';
export const PASSWORD_WITHOUT_UPPERCASE = 'Password must contain at least one uppercase letter';
export const PASSWORD_WITHOUT_LOWERCASE = 'Password must contain at least one lowercase letter';
export const PASSWORD_WITHOUT_NUMBER = 'Password must contain at least one number';
export const PASSWORD_TOO_COMMON = 'Password must not be one of the commonest passwords';

export const ORDERING_IS_CLOSED = 'Ordering is closed';
export const NOT_OPEN_YET = 'Ordering has not opened yet';
export const NOT_PUBLISHED = 'This distribution is not published at the moment';
export const NOT_ACCEPTING_ACTUALS = 'This distribution is not accepting actual quantities.';
export const CLOSED_FOR_GOOD = 'Ordering is closed and cannot be opened again.';
export const CLOSING_IS_FINAL = 'Ordering is closed, so the time when it closes cannot be changed.';
export const REHEARSAL_STAYS = 'Of a rehearsal, only acceptActuals can be changed.';
export const CLOSING_IS_PAST = 'Ordering must close in the future.';
export const CLOSING_NOT_AFTER_OPENING = 'Ordering must close after it opens.';

export const notInDistribution = (productId: number): string => `Product ${productId} is not in this distribution.`;
export const orderedTwice = (product: string): string => `${product} is in the order twice.`;
export const ORDER_SOMETHING = 'Order at least one product.';
export const orderTooLarge = (most: string): string => `An order cannot be above ${most}.`;
export const notWhole = (product: string): string => `The quantity of ${product} must be a whole number, 0 or more.`;
export const aboveMaximum = (product: string, max: number): string => `${product}: at most ${max} can be ordered.`;
/** Contract §12 requires exactly this text. */
export const onlyLeft = (product: string, left: number): string =>
  left === 0 ? `None left of ${product}.` : `Only ${left} left of ${product}.`;
export const withoutLimit = (product: string): string => `${product} has no limit: it can be ordered now.`;
export const aboveLimit = (product: string, limit: number): string =>
  `${product}: only ${limit} can be ordered in all, by everybody together.`;
export const canBeOrderedNow = (product: string, left: number): string => `${left} left of ${product}: they can be ordered now.`;
/** Contract §16 requires exactly this text. */
export const SLOT_IS_FULL = 'This pick-up time is full.';
export const CHOOSE_SLOT = 'Choose a pick-up time.';
export const NO_SUCH_SLOT = 'This pick-up time is not in this distribution.';

export const notOfferedAnyMore = (product: string): string => `${product} is not offered any more.`;
export const nothingShort = (ordered: number): string =>
  ordered === 0 ? 'Nobody has ordered this product.' : `Nothing is short: ${ordered} ${ordered === 1 ? 'is' : 'are'} ordered.`;

export const noUnit = (key: string): string => `${key} is not a unit of this order.`;
export const RECORDED_BY_STAFF = 'This weight was recorded by the distributor.';
export const NEGATIVE_ACTUAL = 'Actual quantity must be non-negative';
export const BAD_ACTUAL = 'Actual quantity must be at most 99,999.999 with at most three decimals.';
export const WEIGHTS_ARE_FINAL =
  'A payment has been recorded for this order, so its weights are final here. Ask your distributor to correct them.';

export const refundDue = (amount: string): string => `Refund due ${amount}`;
export const PAYMENT_TOO_SMALL = 'Payment amount must be at least $0.01';
export const DESCRIPTION_WANTED = 'A description is required unless the method is Cash.';
export const NEGATIVE_FEE = 'Fee percentage must be non-negative';
export const FEE_WITHOUT_CARD = 'Only a Credit Card payment carries a fee.';
export const FEE_ABOVE_PAYMENT = 'The fee is at most as much as the payment.';
export const NOT_ALL_WEIGHED = 'Are all the weights entered?';
export const aboveBalance = (balance: string): string => `The payment is above the balance: ${balance}.`;
export const REVERSAL_STANDS = 'A reversal cannot be reversed.';
export const REVERSED_ALREADY = 'This payment is reversed already.';
