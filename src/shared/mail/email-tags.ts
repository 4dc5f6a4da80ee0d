/** The HTML tags that are allowed in a mail, both in the editor and in the mail that is sent. */
export const MAIL_TAGS =
  'p br div span h1 h2 h3 h4 strong b em i u s sub sup ul ol li a img blockquote hr pre code table thead tbody tr td th'.split(' ');

/**
 * The maximum number of HTML elements in one e-mail. The next constant is the maximum depth to which they may be nested. Mails from editors
 * and newsletters stay far below both limits.
 */
export const MAX_ELEMENTS = 25_000;
export const DEEPEST_ELEMENT = 100;

/** The maximum number of characters of an address of a link or picture, and of a style. */
export const LONGEST_ATTRIBUTE = 8000;
