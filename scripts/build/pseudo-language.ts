// The catalogue's English made strange, so that a test sees what is not in it, what is cut and what is on the wrong side.
// Stands in the pseudo bundles; no other build knows it.

const PSEUDO = ['en-XA', 'ar-XB'];

export const isPseudo = (language: string): boolean => PSEUDO.includes(language);

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'àƀçďéƒĝĥîĵķļɱñôþǫŕšţûṽŵẋýžÀƁÇĎÉƑĜĤÎĴĶĻṀÑÔÞǪŔŠŢÛṼŴẊÝŽ';
/** What stays as it is inside a sentence: placeholders, addresses, what an earlier text has already turned. */
const KEPT = /\{+[^{}]*\}+|https?:\/\/\S+|⟦[^⟧]*⟧/;

/** Given to a sentence by its name in the program, and said in it by a word of the catalogue. */
const ON_THE_WIRE = new Set('Cash|Credit Card|Check|Other|percent|flat|admin|distributor|customer|agent'.split('|'));

/** About a third of English is what German, Finnish and Greek need more. */
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

/** Every word from right to left, as a script of that direction runs. */
const mirrored = (text: string): string => text.replaceAll(/[\p{L}\p{M}']+/gu, '\u202E$&\u202C');

/** The strings that a sentence was given: names, files, numbers. */
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

/** Turns what a catalogue exports, and what its functions answer; numbers and the rest stay. */
export const inPseudo =
  (language: string) =>
  (value: unknown): unknown =>
    turned(value, [], language);
