// This file contains the UI texts about the scale (contract §14).
export const SCALE_LABELS = {
  off: 'Connect scale',
  connecting: 'Connecting the scale',
  on: 'Disconnect scale',
  failed: 'Scale lost: connect again',
} as const;
export const SCALE_UNREADABLE = 'The scale cannot be read';
export const SCALE_UNREADABLE_LEAD =
  'It sends data, but no weight. Choose the baud rate that is set at the scale; its menu or manual names it.';
export const BAUD_RATE = 'Baud rate';
export const WEIGHT_NOT_TAKEN = 'The weight was not taken';
export const NOTHING_TO_FILL = 'Every unit of this order has a weight. Choose a field to weigh its unit again.';
/** Shown when the focused field contains a typed weight, which may be that of the goods on the scale. */
export const NOT_ENTERED =
  'A weight is typed in this field, but not recorded yet. Press Enter to record it, or delete it, then weigh again.';
/** Shown when a question or another dialog is open. */
export const DIALOG_FIRST = 'Answer or close the dialog first, then weigh again.';
export const NO_FAMILY_SHOWN = 'No family is open. Open the family first, then weigh again.';
export const otherUnitText = (unit: string, uom: string | null): string =>
  `The scale weighs in ${unit}, the product is sold ${uom === null ? 'without a unit of measure' : `by the ${uom}`}. Set the scale to the unit of the product.`;
