// Distinguishes the keys of a scanner from those of a person, and reads the codes of the scanner (contract §14).
import { KEY_MS } from '../../../client/hooks/unless-key-follows.ts';
import { familyTextIn, isPhoneNumber, type FamilyText } from './family-text.ts';
import { codeAtEnd, isWeightBarcode, parseOrderCode } from '../../../domain/counter/barcode.ts';

export interface KeyPress {
  readonly key: string;
  /** When the key was pressed, in milliseconds. */
  readonly at: number;
  /** Whether Ctrl, Alt or Meta is held down. */
  readonly isShortcut: boolean;
  /** The element that has the focus. */
  readonly target: unknown;
  /** A button here is every element that does not show typed characters, for example a radio button. */
  readonly kind: 'search' | 'weight field' | 'field' | 'button';
  /** The content of the field before the key; '' at a button. */
  readonly content: string;
  /** Whether the caret is behind the content, so that the last character was typed last. */
  readonly isCaretAtEnd: boolean;
  /** Whether the name of a family contains this word. */
  readonly isFamily: (word: string) => boolean;
}

/** The keys of the current fast sequence. */
export interface KeyHistory {
  readonly text: string;
  /** The content of the field before each key, because a number field drops the letters of a code. */
  readonly contents: readonly string[];
  /** When the first and the last key of the sequence were pressed. */
  readonly since: number;
  readonly at: number;
  /** The button at which the text was typed. As long as no other element gets a key, the sequence continues, however slowly it is typed. */
  readonly button: unknown;
  readonly enteredAt: number;
  /** When Enter or Tab last ended a code, a text at a button, or a family's name in a weight field. */
  readonly codeEndedAt: number;
  /** Whether keys that follow at once are ignored. They then belong to a code that contains Enter and has opened no order. */
  readonly ignoresNextKeys: boolean;
}

export const NO_KEYS: KeyHistory = {
  text: '',
  contents: [],
  since: -Infinity,
  at: -Infinity,
  button: null,
  enteredAt: -Infinity,
  codeEndedAt: -Infinity,
  ignoresNextKeys: false,
};

/** What a key means. `content` is what the field contained before the text or the code was typed into it. */
export type KeyMeaning =
  /** The focused element receives the key. */
  | { readonly is: 'key' }
  /** Nothing receives the key. */
  | { readonly is: 'ignored' }
  | { readonly is: 'order code'; readonly orderId: number; readonly content: string }
  /** A weight label in a weight field. The field receives the Enter after it. */
  | { readonly is: 'weight label'; readonly code: string; readonly content: string }
  /** A weight label outside of a weight field. */
  | { readonly is: 'lost weight'; readonly content: string }
  | { readonly is: 'unknown code'; readonly content: string; readonly isAtButton: boolean }
  /** A text that a person typed at a button, for example the next family's name. */
  | { readonly is: 'text at a button'; readonly text: string }
  | ({ readonly is: 'family in a weight field' } & FamilyText);

/** A scanner needs at most this many milliseconds for each key on average. A person types a number more slowly. */
const SCANNER_MS = 50;
/** A shorter text in a field never counts as scanned, because a person may type it as fast as a scanner. */
const SCANNED_LENGTH = 6;
/** An amount of at most 9999.99, however fast it was typed, is not the code of anything. */
const AMOUNT = /^\d{1,4}[.,]\d{1,2}$/;
/** A scanner types the next key of a code within this many milliseconds. A person does not. */
const NEXT_KEY_MS = 30;
/** Some scanners end a code with two Enters, and a key of a person may strike twice. The second Enter follows within this many milliseconds. */
const SECOND_ENTER_MS = 300;
/** A person does not press Tab within this many milliseconds after Enter. A scanned code that contains both does. */
const TAB_MS = 60;

/** The units of measure that a scale, or a person, may type after a weight. Some of them are names, such as Oz. */
const UNIT = /^(kgs?|kilos?|kilogram(me)?s?|grams?|lbs?|pounds?|ozs?|ounces?|кг)$/i;
const firstWordOf = (text: string): string => /^\p{L}+/u.exec(text)?.[0] ?? '';

const isTypedByScanner = (text: string, duration: number): boolean =>
  text.length >= SCANNED_LENGTH && !AMOUNT.test(text) && duration < text.length * SCANNER_MS;

function familyInWeightField({ kind, content, isCaretAtEnd, isFamily }: KeyPress, isScanned: boolean): FamilyText | null {
  const found = kind === 'weight field' ? familyTextIn(content.trim()) : null;
  if (!found) return null;
  const { text, weight } = found;
  // A scanner types the codes of products as well.
  if (isScanned && isPhoneNumber(text)) return null;
  // An order number that was typed within a weight has digits of the weight behind it.
  if (text.startsWith('#') && !isCaretAtEnd) return null;
  const word = firstWordOf(text);
  return weight !== '' && UNIT.test(word) && !isFamily(word) ? null : found;
}

/** Escape deletes what was typed at a button, and Backspace its last character. */
function shortened(history: KeyHistory, key: 'Escape' | 'Backspace'): KeyHistory {
  const text = key === 'Escape' ? '' : history.text.slice(0, -1);
  return { ...history, text, contents: history.contents.slice(0, text.length), button: text === '' ? null : history.button };
}

/** Adds a key to the sequence, or begins a new sequence with it. */
function withKey(history: KeyHistory, press: KeyPress, isContinuation: boolean): KeyHistory {
  const { key, at, target } = press;
  const isAtSameButton = target === history.button;
  const { text, contents, since } = isAtSameButton || at - history.at < KEY_MS ? history : { ...NO_KEYS, since: at };
  const isCharacter = key.length === 1;
  // The space key presses a button, and a key with Ctrl or Alt is a shortcut. Neither begins a text.
  const beginsText = press.kind === 'button' && isCharacter && key !== ' ' && !press.isShortcut && !isContinuation;
  return {
    ...history,
    text: isCharacter ? text + key : text,
    contents: isCharacter ? [...contents, press.content] : contents,
    since,
    at,
    button: isAtSameButton || beginsText ? target : null,
  };
}

/**
 * Returns the meaning of Enter, or of Tab that ends a text, after the text of `history`. `isAtButton` tells whether it was pressed at the
 * button at which this text was typed, and `isScanned` whether a scanner has typed the text.
 */
function meaningOfEnter(
  history: KeyHistory,
  press: KeyPress,
  { isContinuation, isAtButton, isScanned }: { isContinuation: boolean; isAtButton: boolean; isScanned: boolean },
): KeyMeaning {
  const { text, contents } = history;
  const code = codeAtEnd(text);
  const content = contents[text.length - (code || text).length] ?? press.content;
  const orderId = parseOrderCode(code || press.content);
  if (orderId !== null) return { is: 'order code', orderId, content };
  // A weight field checks its numbers itself, because a scale is as fast as a scanner.
  const isWeightField = press.kind === 'weight field';
  if (isWeightBarcode(code)) return isWeightField ? { is: 'weight label', code, content } : { is: 'lost weight', content };
  if (isContinuation) return { is: 'ignored' };
  const family = familyInWeightField(press, isScanned);
  if (family) return { is: 'family in a weight field', ...family };
  const isUnknown = press.kind === 'button' ? text !== '' : !isWeightField && isScanned;
  if (!isUnknown) return { is: 'key' };
  return isAtButton && !isScanned ? { is: 'text at a button', text: text.trim() } : { is: 'unknown code', content, isAtButton };
}

/**
 * Returns the meaning of a key after earlier ones. A scanner types its code like a keyboard, and then presses Enter. The Enter after a code,
 * also after an unknown one, neither presses a button nor submits a form, because that could record a payment. An unknown code may contain
 * Enter, as a business card does. What follows this Enter is ignored, unless it is the code of an order, or a weight label in a weight field.
 * A second Enter after any code is ignored, too, whatever has the focus by then.
 */
export function readKey(before: KeyHistory, press: KeyPress): { readonly history: KeyHistory; readonly meaning: KeyMeaning } {
  const { key, at, target } = press;
  // Enter may have opened an order, whose main button ignores keys at first. Tab would move the focus to a button that records a payment.
  if (key === 'Tab' && at - before.enteredAt < TAB_MS) return { history: before, meaning: { is: 'ignored' } };
  // Whether the key belongs to the same code as the last Enter.
  const isContinuation = before.ignoresNextKeys && at - before.at < NEXT_KEY_MS;
  const isEnter = key === 'Enter';
  const history = { ...before, enteredAt: isEnter ? at : before.enteredAt, ignoresNextKeys: isContinuation };
  // The search reads codes itself.
  if (press.kind === 'search' && !isContinuation) {
    const isCode = codeAtEnd(press.content.trim()) !== '';
    // The second Enter behind a family's name that was moved here from a weight field, or from a button.
    if (isEnter && !isCode && at - before.codeEndedAt < SECOND_ENTER_MS) return { history, meaning: { is: 'ignored' } };
    return { history: { ...history, button: null, codeEndedAt: isEnter && isCode ? at : history.codeEndedAt }, meaning: { is: 'key' } };
  }
  const isAtButton = target === before.button;
  if (isAtButton && (key === 'Escape' || key === 'Backspace')) return { history: shortened(history, key), meaning: { is: 'key' } };
  const longer = withKey(history, press, isContinuation);
  const isScanned = isTypedByScanner(longer.text, at - longer.since);
  // Tab would move the focus to another button, which Enter then would press, or to another weight field of the open family.
  const endsText = isEnter || (key === 'Tab' && (isAtButton || familyInWeightField(press, isScanned) !== null) && !isContinuation);
  // A space between two names presses no button.
  if (!endsText) return { history: longer, meaning: { is: isContinuation || (isAtButton && key === ' ') ? 'ignored' : 'key' } };
  if (longer.text === '' && at - before.codeEndedAt < SECOND_ENTER_MS) return { history: longer, meaning: { is: 'ignored' } };
  const meaning = meaningOfEnter(longer, press, { isContinuation, isAtButton, isScanned });
  const ignoresNextKeys = meaning.is !== 'key' && meaning.is !== 'order code';
  const codeEndedAt = meaning.is === 'key' ? before.codeEndedAt : at;
  return { history: { ...NO_KEYS, since: at, at, enteredAt: at, codeEndedAt, ignoresNextKeys }, meaning };
}
