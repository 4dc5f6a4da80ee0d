// The UI texts of weighing (spec §2 actual quantities page; contract §6).
import { dollars, type Cents } from '../../domain/money.ts';
import { NEGATIVE_ACTUAL } from '../../domain/texts.ts';
import { counted } from '../../shared/counted.ts';

export const TOO_MANY = 'At most 5,000 weights can be saved at once.';
export const TOO_MANY_OF_ORDER = 'At most 10,000 weights can be recorded for one order.';
export const NO_MAP = 'The weights must be a map from unit to number.';
export const BAD_NUMBER = 'An actual quantity must be a number.';
export const NEGATIVE_INDEX = 'Sort order must be non-negative';
export const BAD_KEY = 'A unit is named by its order line and its position, as in 12-0.';

/** The message when other users have changed weights since the user saw them. `weight` is the current weight, or null if it was removed. */
export function overtakenSentence(overtaken: readonly { readonly name: string; readonly weight: string | null }[]): string {
  const named = overtaken
    .slice(0, MAX_NAMED)
    .map(({ name, weight }) => (weight === null ? `${name} is not weighed now` : `${name} is ${weight} now`));
  const more = overtaken.length > MAX_NAMED ? ` and ${overtaken.length - MAX_NAMED} more` : '';
  return `Nothing was saved, because another weight was recorded meanwhile: ${named.join(', ')}${more}.`;
}
const MAX_NAMED = 5;

/** The message after weights were saved. */
export const savedText = (weights: number): string => (weights === 0 ? 'No weights were entered.' : `${counted(weights, 'weight')} saved.`);

export const TITLE = 'Record Actual Quantities';
export const ENTER_QUANTITIES = 'Enter Quantities';
export const WHY_NOT = 'Weights cannot be entered now';
export const NOTHING_TO_WEIGH = 'Nothing in this order is sold by weight.';
export const COLUMNS = { quantity: 'Quantity', code: 'Code', product: 'Product' };
export const PROGRESS = 'Progress';
export const weighedSumText = (amount: Cents): string => `${dollars(amount)} for what is weighed`;
export const showNextText = (units: number): string => `Show the next ${units}`;
/** The placeholder of an empty weight field, which shows the estimate. */
export const aboutText = (quantity: number, uom: string | null): string => `about ${withUom(quantity, uom)}`;
export const NO_SUCH_ORDER = 'There is no such order.';
export const HOW_TO =
  'One field for each unit. Leave empty what is not weighed yet; 0 says that it was not delivered. Enter goes to the next empty field.';

export const weighedText = (weighed: number, expected: number): string => `${weighed} of ${expected} weighed`;
/** Formats a weight as '4.87 lb', or as the number alone if the product has no unit of measure. */
export const withUom = (quantity: number | string, uom: string | null): string => `${quantity}${uom === null ? '' : ` ${uom}`}`;

export const wasText = (weight: string): string => `was ${weight}`;

export const UNREADABLE = {
  negative: NEGATIVE_ACTUAL,
  'not a number': 'This is not a weight. Type a number such as 4.87 or 4,87.',
  decimals: 'A weight has at most three decimals.',
  size: 'A weight is at most 99,999.999.',
};
/** The message for a scan with a wrong check digit. */
export const MISREAD_BARCODE = 'The barcode was not read correctly. Scan it again.';
/** The title of the toast when a scanned weight cannot be entered in any field. */
export const NOT_SCANNED = 'Not entered';
export const noSuchProductText = (code: number): string => `Nothing with code ${code} is weighed in this order.`;
export const allWeighedText = (product: string): string => `Every unit of ${product} has a weight already.`;
export interface UnusualWeight {
  readonly weight: string;
  readonly estimate: string;
  readonly isMore: boolean;
  readonly isFarOff: boolean;
}
export const unusualText = ({ weight, estimate, isMore, isFarOff }: UnusualWeight): string =>
  isFarOff
    ? `${weight} is ${isMore ? 'at least 10 times' : 'at most a tenth of'} the estimate of ${estimate}. Is that right? Answer with Y or the button.`
    : `${weight} is ${isMore ? 'more than double' : 'less than half'} the estimate of ${estimate}. Is that right?`;
/** The message below a weight that differs from the usual weights of the product (contract §14). */
export const unlikeOthersText = (weight: string, { from, to }: { readonly from: number; readonly to: number }): string =>
  `${weight} is unlike this product's other weights: ${from} to ${to} is usual. Is that right?`;
export const keepText = (weight: string): string => `Yes, ${weight}`;
/** The question to the user who typed a weight of 0, and the label of the button that confirms. */
export const NOTHING_DELIVERED = 'Not delivered?';
export const YES_NOTHING = 'Yes, not delivered';
export const NOT_SAVED_YET = 'not saved yet';
export const unsavedText = (weights: number): string => `${weights} ${NOT_SAVED_YET}`;
/** The message after the user has tried to save. It names the field that the user must correct or confirm first. */
export const fixFirstText = (field: string): string => `Not saved. See to ${field} first.`;
export const EMPTY = 'empty';
/** The message below a field when another user has recorded a weight since the user typed one. */
export const overtakenText = (was: string, now: string): string => `Was ${was} when you typed, is ${now} now. Keep yours?`;
export const keepMineText = (mine: string): string => `Keep mine, ${mine}`;
export const takeTheirsText = (theirs: string): string => `Take theirs, ${theirs}`;
/** The message below a weight that the user has typed over another one while the field asked about it. */
export const replacedText = (texts: string): string =>
  `${texts} not recorded, because you typed another weight here. If it belongs to another unit, type it there.`;
/**
 * `LOCKED` says why a customer cannot change a field. `typedInVainText` is for a weight that the customer had typed before staff recorded
 * one.
 */
export const LOCKED = 'Recorded by the distributor.';
export const notSavedText = (typed: string): string => `Recorded by the distributor. Your ${typed} is not saved.`;
/** The label of a customer's own weight that staff have not confirmed. */
export const ENTERED_BY_FAMILY = 'Entered by the family';
export const CONFIRM = 'Confirm';
export const confirmAllText = (weights: number): string => `Confirm ${weights === 1 ? 'it' : `all ${weights}`}`;
export const enteredByFamilyText = (weights: number): string => `${counted(weights, 'weight')} entered by the family`;
export const unusualRemainText = (weights: number): string =>
  weights === 1 ? 'One is unusual: confirm it at its field.' : `${weights} are unusual: confirm each at its field.`;
export const CONFIRM_MEANS = 'Not confirmed by the distributor yet.';
/** The message below a field that staff have emptied. A button beside this message removes the recorded weight. */
export const staffStaysText = (weight: string): string => `${weight} stays. Type 0 if it was not delivered.`;
export const SET_BACK = 'Set back to not weighed';
export const WEIGHT_REMOVED = 'Set back to not weighed.';
export const staysText = (weight: string): string =>
  `${weight} stays: a recorded weight cannot be taken away. Type 0 if it was not delivered.`;
export const goneText = (texts: readonly string[]): string => `Not saved, because these units are no longer ordered: ${texts.join(', ')}.`;

// The texts of the actuals tab (spec §2).
export const NO_ACTUALS = 'Nothing to weigh yet. This table lists every ordered unit of a product sold by weight.';
export const UNUSUAL = 'Unusual';
/** The label of a recorded weight of 0. */
export const NOT_DELIVERED = 'Unusual: not delivered';
/** The label of a recorded weight of 0 on the customer's page, in the words of the printed order. */
export const NOT_DELIVERED_TO_FAMILY = 'not delivered';
const WEIGHED = 'Weighed';
const NOT_WEIGHED = 'Not weighed';
/** The label of a row that stands for many unweighed units. */
export const manyText = (units: number): string => `${counted(units, 'unit')} not weighed`;

/** The labels of the states of a unit, on the actuals tab and in its CSV file. */
export const STATE_LABELS = { weighed: WEIGHED, unusual: UNUSUAL, notDelivered: NOT_DELIVERED, notWeighed: NOT_WEIGHED };
export const ACTUALS_TITLE = 'Actuals';
export const UNITS = 'units';
export const ACTUALS_HEADERS = {
  product: 'Product',
  unit: 'Unit',
  code: 'Code',
  customer: 'Customer',
  estimate: 'Estimate',
  weight: 'Weight',
  state: 'State',
  recorded: 'Recorded',
};
