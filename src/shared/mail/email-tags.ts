/** What the HTML of a written mail may consist of, in the editor and in what is sent. */
export const MAIL_TAGS =
  'p br div span h1 h2 h3 h4 strong b em i u s sub sup ul ol li a img blockquote hr pre code table thead tbody tr td th'.split(' ');

/** Elements of one e-mail, and how deep they may be nested; editors and newsletters stay far below both. */
export const MOST_ELEMENTS = 25_000;
export const DEEPEST_ELEMENT = 100;
