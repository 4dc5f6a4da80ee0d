// The texts of the weight fields that the customer's order page does not load.

/** The message below a field in which the user has typed over a weight that needs a decision. */
export const TYPED_OVER =
  'What you typed last was not entered, because the weight in this field is not recorded yet. See to it first, or delete it to type another one.';
/** The question about a weight that was typed, but not entered, before the page was loaded again. */
export const keptText = (weight: string): string => `${weight} was typed here, but not recorded. Is that right?`;
