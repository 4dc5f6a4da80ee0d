// Transforms the English texts into two pseudo-languages, with which tests find texts that are clipped, not translated or not mirrored.
// Only the pseudo-language bundles contain this code.

const PSEUDO = ['en-XA', 'ar-XB'];

export const isPseudo = (language: string): boolean => PSEUDO.includes(language);

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'àƀçďéƒĝĥîĵķļɱñôþǫŕšţûṽŵẋýžÀƁÇĎÉƑĜĤÎĴĶĻṀÑÔÞǪŔŠŢÛṼŴẊÝŽ';
/** The parts of a text that are not transformed: placeholders, URLs, and parts that are already transformed. */
const KEPT = /\{+[^{}]*\}+|https?:\/\/\S+|⟦[^⟧]*⟧/;

/**
 * Values of the API that are inserted into texts. Unlike other inserted strings they are transformed, because the catalogue has a text for
 * each of them.
 */
const ON_THE_WIRE = new Set('Cash|Credit Card|Check|Other|percent|flat|admin|distributor|customer|agent'.split('|'));

/**
 * The padding of a transformed text makes it about a third longer, because German, Finnish and Greek need about a third more characters
 * than English.
 */
const GROWTH = 0.3;

const accented = (text: string): string => text.replaceAll(/[A-Za-z]/g, (letter) => ACCENTED.charAt(PLAIN.indexOf(letter)));

function padding(text: string): string {
  const length = Math.max(1, Math.round(text.length * GROWTH) - 2);
  return length < 4
    ? '~'.repeat(length)
    : ` ${'~~~~~ '
        .repeat(Math.ceil(length / 6))
        .slice(0, length - 1)
        .trim()}`;
}

/** Displays every word from right to left, by inserting the Unicode characters for right-to-left override. */
const mirrored = (text: string): string => text.replaceAll(/[\p{L}\p{M}']+/gu, '\u202E$&\u202C');

/** Returns all strings in the arguments of a text function, such as names. They are inserted into the text and must not be transformed. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function outsideOf(given: readonly string[], text: string, change: (part: string) => string): string {
  const literal = given
    .filter((one) => one !== '' && !ON_THE_WIRE.has(one))
    .toSorted((a, b) => b.length - a.length)
    .map((one) => one.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const kept = new RegExp(`(${[...literal, KEPT.source].join('|')})`);
  return text
    .split(kept)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

const SAID: Record<string, (text: string, given: readonly string[]) => string> = {
  'en-XA': (text, given) => `⟦${outsideOf(given, text, accented)}${padding(text)}⟧`,
  'ar-XB': (text, given) => outsideOf(given, text, mirrored),
};

function turned(value: unknown, given: readonly string[], language: string): unknown {
  if (typeof value === 'string') return value === '' ? '' : (SAID[language]?.(value, given) ?? value);
  if (typeof value === 'function')
    return (...args: unknown[]) => turned((value as (...a: unknown[]) => unknown)(...args), stringsIn(args), language);
  if (Array.isArray(value)) return value.map((one: unknown) => turned(one, given, language));
  if (value instanceof Object && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, turned(one, given, language)]));
  return value;
}

/** Transforms a catalogue's exported texts and its functions' results; numbers and other values stay. */
export const inPseudo =
  (language: string) =>
  (value: unknown): unknown =>
    turned(value, [], language);
