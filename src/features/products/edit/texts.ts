// The texts of forms whose fields somebody else may change while they are open. The order page does not load them.
import { nowText } from '../texts.ts';

/** Shown below a field if somebody else has saved another value since the dialog was opened. */
export const replacesText = (value: string): string => `${nowText(value)}. Saving replaces it with yours.`;

/** Returns this text for a value that somebody else has saved, or undefined if there is none. Null is an emptied field. */
export const replacesAnyText = (saved: string | number | null | undefined): string | undefined =>
  saved === undefined ? undefined : replacesText(String(saved ?? ''));
