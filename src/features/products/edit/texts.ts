// The texts of the product dialog that no page of customers loads.
import { nowText } from '../texts.ts';

/** Shown below a field if somebody else has saved another value since the dialog was opened. */
export const replacesText = (value: string): string => `${nowText(value)}. Saving replaces it with yours.`;
