// The texts of fields whose values somebody else may change while they are edited. The order page does not load them.

const EMPTY_VALUE = 'empty';

/** Says which value somebody else has saved since the user began to edit a field. */
export const nowText = (value: string): string => `Saved meanwhile: ${value || EMPTY_VALUE}`;

/** Shown below a field if the next save replaces a value that somebody else has saved since the form was opened. */
export const replacesText = (value: string): string => `${nowText(value)}. Saving replaces it with yours.`;

/** Returns this text for a value that somebody else has saved, or undefined if there is none. Null is an emptied field. */
export const replacesAnyText = (saved: string | number | null | undefined): string | undefined =>
  saved === undefined ? undefined : replacesText(String(saved ?? ''));
