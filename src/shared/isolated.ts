/**
 * Matches a text with letters that are read from right to left, such as Hebrew ones, or with an invisible character that changes the
 * direction of text.
 */
const MAY_CHANGE_DIRECTION = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]|\p{Bidi_Control}/u;

/**
 * Encloses a name or another text of a user in two invisible characters if it could otherwise change the order in which the figures beside
 * it are displayed. Other texts stay as they are. Components use `<bdi>` instead, which does not change the text.
 */
export const isolated = (text: string): string => (MAY_CHANGE_DIRECTION.test(text) ? `\u2068${text}\u2069` : text);
